import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing
import TradeStores

extension Programs {
  /// Migrations of a store by the next release, and the built daemon after a failed one.
  @Suite struct MigrationTests {
    private func copies(_ daemon: Daemon) -> [String] {
      Files.names(in: daemon.state).filter { $0.contains(".schema-") }
    }

    @Test func `a failed migration leaves the store unchanged, with a copy and instructions`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      try daemon.stop()
      let store = daemon.state + "/poolflow.db"
      let old = Schema.currentVersion
      let before = try Files.bytes(store)
      // Writes to the write-ahead log fail; the copy has none.
      let faults = try FaultPoints(in: daemon.scratch)
      let preload = try faults.environment(failing: "write", EIO, part: "poolflow.db-wal")
      let libraries = [preload["LD_PRELOAD"], daemon.clock.environment["LD_PRELOAD"]].compactMap { $0 }
      let environment = daemon.clock.environment.merging(preload) { $1 }
        .merging(["LD_PRELOAD": libraries.joined(separator: ":")]) { $1 }
      var words = ""
      for _ in 1...3 {
        let next = try Program.run(
          Checkout.nextRelease, ["--state-dir", daemon.state], in: daemon.scratch, environment: environment)
        #expect(next.code == ExitCode.inputOutput, "\(next)")
        words = next.errors
        #expect(try Files.bytes(store) == before)
        daemon.clock.step(by: .seconds(60))
      }
      #expect(words.contains("cannot be migrated from schema \(old) to \(Schema.next.count)"), "\(words)")
      #expect(words.contains("it is unchanged") && words.contains("disk I/O error"), "\(words)")
      #expect(words.contains("install poolflowd \(ProductVersion.text) again"), "\(words)")
      // After three tries two copies remain, and each can be restored.
      let kept = copies(daemon)
      #expect(kept.count == 2 && kept.allSatisfy { $0.hasPrefix("poolflow.db.schema-\(old)-20260302T143") }, "\(kept)")
      let newest = "\(daemon.state)/\(try #require(kept.last))"
      #expect(words.contains(newest))
      #expect(try FileManager.default.attributesOfItem(atPath: newest)[.posixPermissions] as? Int == 0o600)
      faults.heal()
      let put = try Program.run(
        Checkout.daemon, ["--state-dir", daemon.state, "--recover", "restore", newest], in: daemon.scratch)
      let pools = try DemoStore.counts.get().pools
      #expect(put.code == 0 && put.output.contains("with 1 team and \(pools) pools"), "\(put)")
      try daemon.start()
      #expect(
        try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.pools) == [DemoStore.counts.get().pools]
      )
    }

    @Test func `a store of a newer or development version is refused with a reason`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      try daemon.stop()
      let store = daemon.state + "/poolflow.db"
      do {
        _ = try Store(path: store, now: Timestamp(seconds: 1_772_461_860), version: "next", migrations: Schema.next)
      }
      try daemon.launch()
      #expect(try #require(daemon.program).end() == .exit(ExitCode.badSettings))
      #expect(daemon.log.contains("was made by a newer poolflowd (schema \(Schema.next.count)"), "\(daemon.log)")
      do {
        let connection = try Connection(path: store, mode: .readWrite)
        try connection.execute("PRAGMA application_id = \(0x7066_6C77)", operation: "prepare the test")
      }
      try daemon.launch()
      #expect(try #require(daemon.program).end() == .exit(ExitCode.badSettings))
      #expect(daemon.log.contains("was made by a development version of poolflowd"), "\(daemon.log)")
    }
  }
}
