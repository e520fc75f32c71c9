import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowSettings
import FlowStore
import FlowTestKit
import Foundation
import Testing
import TradeStores

@testable import FlowAnswers
@testable import FlowDaemon

/// Manipulated stores and backups with correct checksums.
@Suite(.enabled(if: !ServerStores.isChosen, "only with a store in a file")) struct ForeignStoreTests {
  /// A manipulation, and the part that the refusal names.
  private static let changes = [
    (
      "CREATE TRIGGER t AFTER INSERT ON epochs BEGIN UPDATE teams SET name = 'gone'; END",
      "its trigger 't' is not part of a poolflow store"
    ),
    ("DROP TABLE audit; CREATE VIEW audit AS SELECT 1", "its view 'audit'"),
    ("UPDATE teams SET name = '../../../../tmp/x'", "teams.name = '../../../../tmp/x'"),
    (
      "UPDATE service_events SET photo_name = '../../../x.jpg', photo_bytes = 3",
      "service_events.photo_name = '../../../x.jpg'"
    ),
    ("INSERT INTO backups VALUES ('../../state', 0, '', 0, '', NULL, NULL)", "backups.backup_id = '../../state'"),
  ]

  private func refusal(_ state: String, _ recoveryCommand: DaemonOptions.RecoveryCommand) -> String {
    do {
      return "not refused: \(try ServiceFixture.recover(state, recoveryCommand))"
    } catch {
      return "\(error)"
    }
  }

  private func store(in folder: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("poolflow.db") }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) })
  }

  @Test func `a manipulated backup with correct checksums is refused`() async throws {
    let scratch = try TemporaryFolder()
    let state = scratch.path + "/state"
    var foreign: [(path: String, named: String)] = []
    let whole: String
    do {
      try FileManager.default.copyItem(atPath: try await DemoState.shared.path(), toPath: state)
      let fixture = try await ServiceFixture(in: scratch, at: ServiceFixture.monday)
      let backup = try await fixture.backUp()
      whole = backup.path
      for (number, change) in Self.changes.enumerated() {
        // A backup of another machine: the store has no record of it.
        let id = "2026010\(number + 1)T000000Z"
        let path = "\(state)/backups/\(id)"
        try FileManager.default.copyItem(atPath: backup.path, toPath: path)
        try ForeignBackup(path).change(change.0, id: id)
        foreign.append((path, change.1))
        let checked = try await fixture.services.backup.verify(BackupCall.Verify(id: id, full: true), fixture.caller)
        #expect(checked.damage.contains { $0.contains(change.1) }, "\(checked.damage)")
        await fixture.refuses(ExitCode.badData, saying: change.1) {
          _ = try await fixture.services.backup.restore(
            BackupCall.Restore(id: id, dryRun: false, confirm: id), fixture.caller)
        }
      }
      try await fixture.store.endEpoch(at: fixture.clock.now())
    }
    let before = try store(in: state)
    for (path, named) in foreign {
      for source in [path, path + "/poolflow.db"] {
        let said = refusal(state, .restore(source))
        #expect(said.contains(named), "\(source): \(said)")
      }
    }
    #expect(try store(in: state) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state).filter { $0.hasPrefix("restore.") } == [])
    // The unmodified backup is accepted.
    _ = try ServiceFixture.recover(state, .restore(whole))
    let fixture = try await ServiceFixture(in: scratch, at: ServiceFixture.monday)
    #expect(try await fixture.services.teams.list(TeamsCall.List(), fixture.caller).teams.map(\.pools) == [120])
  }

  @Test(arguments: NoFile.allCases)
  func `a store path that is no regular file is named and never replaced`(kind: NoFile) async throws {
    let scratch = try TemporaryFolder()
    let (state, moved) = (scratch.path + "/state", scratch.path + "/moved.db")
    try FileManager.default.copyItem(atPath: try await DemoState.shared.path(), toPath: state)
    let backup: String
    do {
      let fixture = try await ServiceFixture(in: scratch, at: ServiceFixture.monday)
      backup = try await fixture.backUp().path
    }
    let store = state + "/poolflow.db"
    try FileManager.default.moveItem(atPath: store, toPath: moved)
    let words = try kind.make(at: store, target: moved)
    let what = FileKind(at: store)
    let before = try Tree.bytes(moved)
    for recoveryCommand in [DaemonOptions.RecoveryCommand.retry, .restore(backup), .reset] {
      let said = refusal(state, recoveryCommand)
      #expect(said.contains(words), "\(recoveryCommand): \(said)")
    }
    do {
      _ = try Store(path: store, now: ServiceFixture.monday, version: "test")
      Issue.record("it was opened")
    } catch {
      #expect("\(error)".contains("the store '\(store)' is \(words), which poolflow does not use"))
    }
    #expect(throws: StoreError.self) { _ = try Store(reading: store) }
    #expect(FileKind(at: store) == what)
    #expect(try Tree.bytes(moved) == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: state)
    #expect(left.filter { $0.hasPrefix("restore.") || $0.contains(".kept-") } == [])
  }

  @Test func `a store with path traversal in names writes nothing outside its folder`() async throws {
    let fixture = try await ServiceFixture(damage: [
      "UPDATE teams SET name = '../../../x'", "INSERT INTO backups VALUES ('../../precious', 0, '', 0, '', NULL, NULL)",
    ])
    let precious = fixture.scratch.path + "/precious"
    try FileManager.default.createDirectory(atPath: precious, withIntermediateDirectories: false)
    try Data([1]).write(to: URL(filePath: precious + "/file"))
    await #expect(throws: (any Error).self) { _ = try await fixture.backUp() }
    let beside = try FileManager.default.contentsOfDirectory(atPath: fixture.scratch.path)
    #expect(beside.filter { $0.hasPrefix("x") } == [])
    _ = try? await fixture.services.backup.verify(BackupCall.Verify(id: "../../precious", full: true), fixture.caller)
    _ = try await fixture.services.backup.prune(BackupCall.Prune(dryRun: false), fixture.caller)
    #expect(try Tree.bytes(precious + "/file") == [1])
  }

  @Test(arguments: [
    ("right/UTC", "did you mean 'UTC'?"), ("posix/Europe/Berlin", "did you mean 'Europe/Berlin'?"),
    ("posixrules", "posixrules"), ("localtime", "localtime"), ("Factory", "Factory"), ("leapseconds", "leapseconds"),
    ("zone.tab", "zone.tab"),
  ])
  func `special files of the time zone database are refused as zones`(zone: String, said: String) async throws {
    let fixture = try await ServiceFixture(demo: false)
    await fixture.refuses(ExitCode.usage, saying: said) {
      _ = try await fixture.services.teams.add(TeamsCall.Add(name: "another", zone: zone), fixture.caller)
    }
  }
}
