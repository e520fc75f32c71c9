import FlowModel
import FlowPlatform
import Foundation
import PoolBackup
import PoolInterchange
import PoolModel
import Testing

/// Files read on two threads give the same records as files read on one.
struct ParallelRunnerTests {
  @Test(arguments: ["v2-photos-stored.zip", "missing-manifest.zip", "dangling-chemical.zip"])
  func `an archive has the same records`(name: String) throws {
    let members = ZIPMembers(try ZIPArchive(path: Fixtures.url("files/\(name)").path))
    func read(_ parallel: some ParallelRunner) -> Result<ArchiveContents, ArchiveError> {
      Result { () throws(ArchiveError) in try ArchiveReader.read(members, parallel: parallel) }
    }
    switch (read(ThreadRunner()), read(SerialRunner())) {
    case (.success(let parallel), .success(let serial)): #expect(parallel == serial)
    case (.failure(let parallel), .failure(let serial)): #expect("\(parallel)" == "\(serial)")
    case (let parallel, let serial): Issue.record("\(parallel), \(serial)")
    }
  }

  @Test(arguments: [1, 2, 3, 500, 4_999], [false, true])
  func `a customers file has the same plan`(rows: Int, isQuoted: Bool) throws {
    let note = isQuoted ? "\"first line\nsecond, line\"" : "plain"
    let lines = (0..<rows).map { "Customer \($0),\($0) Elm St,\($0.isMultiple(of: 7) ? "someday" : "friday"),\(note)" }
    let text = (["customer_name,address,service_day,notes"] + lines).joined(separator: "\n")
    func plan(_ parallel: some ParallelRunner) throws -> CSVPlan {
      var number = 0
      let table = try CSVImport.read(bytes: Array(text.utf8), locale: .english, parallel: parallel)
      return CSVImport.plan(table, existing: [], now: Timestamp(seconds: 1_800_000_000), parallel: parallel) { _ in
        number += 1
        return UUID(uuidString: "00000000-0000-0000-0000-" + String(format: "%012d", number)) ?? UUID()
      }
    }
    let parallel = try plan(ThreadRunner())
    #expect(try parallel == plan(SerialRunner()))
    #expect(parallel.creates + parallel.skips == rows && !parallel.issues.isEmpty)
  }
}
