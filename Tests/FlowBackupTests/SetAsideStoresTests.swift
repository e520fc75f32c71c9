import FlowBackup
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Testing

/// Stores that restores kept aside are pruned.
struct SetAsideStoresTests {
  private let scratch: TemporaryFolder
  private let kept: SetAsideStores
  private let now = Samples.mondayMorning

  init() throws {
    scratch = try TemporaryFolder()
    kept = SetAsideStores(state: scratch.path)
  }

  @discardableResult
  private func keep(hoursAgo: Int, _ ending: String = "", with suffixes: [String] = [""]) throws -> String {
    let name = "poolflow.db.kept-\(now.advanced(by: .hours(-hoursAgo)).compact)\(ending)"
    for suffix in suffixes { try PrivateFiles.write("\(scratch.path)/\(name)\(suffix)", [1, 2, 3]) }
    return name
  }

  private var names: [String] { get throws { try PrivateFiles.names(in: scratch.path) } }

  @Test func `the newest kept stores stay with their logs, the others are removed`() throws {
    var made: [String] = []
    for hours in 1...162 { made.append(try keep(hoursAgo: hours, with: ["", "-wal", "-shm"])) }
    let (removed, stay) = try kept.prune(now: now)
    #expect(stay.map(\.name) == Array(made.prefix(Limits.keptStores)) && removed.count == 162 - Limits.keptStores)
    #expect(try names == made.prefix(Limits.keptStores).flatMap { [$0, $0 + "-shm", $0 + "-wal"] }.sorted())
    #expect(try kept.prune(now: now).removed.isEmpty)
    #expect(try kept.list().map(\.bytes) == Array(repeating: 9, count: Limits.keptStores))
  }

  @Test func `old kept stores are removed, except the newest`() throws {
    let days = Int(Limits.keptStoreAge.components.seconds) / 86_400
    let old = try [1, 2, 3].map { try keep(hoursAgo: 24 * (days + $0)) }
    #expect(try kept.prune(now: now).kept.map(\.name) == [old[0]])
    let young = try keep(hoursAgo: 24 * (days - 1))
    #expect(try kept.prune(now: now).kept.map(\.name) == [young])
  }

  @Test func `the store kept last stays, even if a wrong clock dated others later`() throws {
    for hours in 1...10 { try keep(hoursAgo: -24 * 400 - hours) }
    let made = try keep(hoursAgo: 0)
    let stay = try kept.prune(now: now, justMade: "\(scratch.path)/\(made)").kept
    #expect(stay.count == Limits.keptStores && stay.map(\.name).contains(made))
  }

  @Test func `of several stores kept in one second, the highest number is the newest`() throws {
    var made: [String] = []
    for number in [9, 10, 100, 11, 99, 12] { made.append(try keep(hoursAgo: 1, "-\(number)")) }
    #expect(
      try kept.prune(now: now).kept.map { $0.name.split(separator: "-").last.map(String.init) ?? "" }
        == ["100", "99", "12", "11", "10"])
  }

  @Test(arguments: [
    "poolflow.db.kept-notes", "poolflow.db.kept-20260302T140000Z.gz", "poolflow.db.kept-", "poolflow.db",
    "poolflow.db.kept-20260302T140000Z-", "poolflow.db.kept-20260399T140000Z", "xpoolflow.db.kept-20260302T140000Z",
  ])
  func `a file with a name of the operator's own stays`(name: String) throws {
    for hours in 1...10 { try keep(hoursAgo: hours) }
    try PrivateFiles.write("\(scratch.path)/\(name)", [1])
    _ = try kept.prune(now: now.advanced(by: .hours(24 * 4_000)))
    #expect(try names.contains(name))
  }

  @Test func `a folder or link with a kept store's name stays`() throws {
    for hours in 1...10 { try keep(hoursAgo: hours) }
    let name = "\(scratch.path)/poolflow.db.kept-20200302T140000Z"
    try PrivateFiles.makeFolder(name)
    try FileManager.default.createSymbolicLink(atPath: name + "-1", withDestinationPath: "/etc/passwd")
    _ = try kept.prune(now: now)
    #expect(FileKind(at: name) == .folder && FileKind(at: name + "-1") == .link(to: "/etc/passwd"))
  }
}
