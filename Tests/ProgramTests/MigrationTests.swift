import Foundation
import Glibc
import PoolControl
import PoolStore
import Testing

extension Programs {
  /// A store of an older poolflowd, brought to today's shape or left as it is, with the built daemon.
  @Suite struct MigrationTests {
    private func copies(_ daemon: Daemon) -> [String] {
      Files.names(in: daemon.state).filter { $0.contains(".schema-") }
    }

    /// Takes the last step back: a store as the release before made it.
    private func takeBack(_ store: String) throws {
      let connection = try Connection(path: store, mode: .readWrite)
      try connection.execute(
        """
        CREATE INDEX pools_by_day ON pools (team_id, service_day, route_order, pool_id);
        DROP INDEX pools_by_route_order;
        PRAGMA user_version = 12;
        PRAGMA wal_checkpoint(TRUNCATE);
        """, operation: "prepare the test")
    }

    @Test func `a step that fails leaves the store as it was, keeps a copy, and says what to do`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      try daemon.stop()
      let store = daemon.state + "/poolflow.db"
      let old = Schema.currentVersion - 1
      try takeBack(store)
      let before = try Files.bytes(store)
      // The store's log cannot be written; the copy has none.
      let faults = try FaultPoints(in: daemon.scratch)
      let preload = try faults.environment(failing: "write", EIO, part: "poolflow.db-wal")
      let libraries = [preload["LD_PRELOAD"], daemon.clock.environment["LD_PRELOAD"]].compactMap { $0 }
      let environment = preload.merging(["LD_PRELOAD": libraries.joined(separator: ":")]) { $1 }
      for _ in 1...3 {
        try daemon.launch(environment: environment)
        #expect(try #require(daemon.program).end() == .exit(ExitCode.inputOutput), "\(daemon.log)")
        #expect(try Files.bytes(store) == before)
        daemon.clock.step(by: .seconds(60))
      }
      let words = daemon.log
      #expect(words.contains("cannot be brought from schema \(old) to \(Schema.currentVersion)"), "\(words)")
      #expect(words.contains("it is as it was") && words.contains("disk I/O error"), "\(words)")
      #expect(words.contains("install poolflowd \(ProductVersion.text) again"), "\(words)")
      // Of three tries two copies stay, and each can be put back.
      let kept = copies(daemon)
      #expect(kept.count == 2 && kept.allSatisfy { $0.hasPrefix("poolflow.db.schema-\(old)-20260302T143") }, "\(kept)")
      let newest = "\(daemon.state)/\(try #require(kept.last))"
      #expect(words.contains(newest))
      #expect(try FileManager.default.attributesOfItem(atPath: newest)[.posixPermissions] as? Int == 0o600)
      faults.heal()
      let put = try Program.run(
        Checkout.daemon, ["--state-dir", daemon.state, "--recover", "restore", newest], in: daemon.scratch)
      #expect(try put.code == 0 && put.output.contains("1 teams and \(DemoStore.counts.get().pools) pools"), "\(put)")
      try daemon.start()
      #expect(
        try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.pools) == [DemoStore.counts.get().pools]
      )
    }
  }
}
