import PoolControl
import FlowControl
import FlowModel
import Foundation
import Glibc
import Testing

extension Programs {
  /// The inbox: files dropped for import, with the built programs.
  @Suite struct InboxTests {
    private static let team = "desert-blue"

    /// The result file written beside an imported or refused file.
    private struct Result: Decodable {
      let schema: String
      let file: String
      let result: InboxStateView
      let message: String
      let report: ImportReportView?
    }

    /// - Parameter unsupportedFile: a file of an unsupported type, which the scan at start logs and leaves.
    private func daemon(empty: Bool = false, unsupportedFile: String? = nil) throws -> (daemon: Daemon, inbox: String) {
      let daemon = try Daemon(at: "2026-03-02T06:00:00Z", empty: empty)
      let inbox = daemon.scratch.path + "/inbox"
      try FileManager.default.createDirectory(
        atPath: "\(inbox)/\(Self.team)/maria", withIntermediateDirectories: true)
      if let unsupportedFile { try Data("x".utf8).write(to: URL(filePath: "\(inbox)/\(Self.team)/\(unsupportedFile)")) }
      try daemon.scratch.write("poolflow.conf", "[Daemon]\nInbox = \(inbox)\n".utf8)
      try daemon.start()
      if empty {
        try daemon.change("team", "add", Self.team, "--zone", "America/Phoenix")
        try daemon.change("team", "plan", Self.team, "paid")
      }
      return (daemon, inbox)
    }

    private func drop(_ source: String, _ path: String) throws {
      try FileManager.default.copyItem(atPath: source, toPath: path + ".part")
      #expect(rename(path + ".part", path) == 0)
    }

    private func result(in folder: String, of name: String) throws -> Result {
      let found = Files.names(in: folder).filter { $0.hasPrefix("\(name).") && $0.hasSuffix(".result") }
      let only = try #require(found.count == 1 ? found.first : nil, "\(Files.names(in: folder))")
      return try JSONDecoder().decode(Result.self, from: Data(try Files.bytes("\(folder)/\(only)")))
    }

    private func endings(_ folder: String) -> [String] {
      Files.names(in: folder).compactMap { $0.split(separator: ".").last.map(String.init) }.sorted()
    }

    @Test func `without the Inbox setting nothing is taken, and list says so`() throws {
      let daemon = try Daemon(at: "2026-03-02T06:00:00Z").start()
      let list = try daemon.ask("inbox", "list")
      #expect(list.code == 0 && list.errors.contains("no inbox is configured"), "\(list)")
      let take = try daemon.ask("inbox", "take")
      #expect(take.code == ExitCode.badSettings && take.errors.contains("Inbox = /PATH"), "\(take)")
    }

    @Test func `good files are imported and bad ones refused, each with a result file`() throws {
      let (daemon, inbox) = try daemon(empty: true)
      let folder = "\(inbox)/\(Self.team)"
      try drop(Checkout.backup, "\(folder)/backup.zip")
      try drop(Checkout.customers, "\(folder)/maria/her customers.csv")
      try Data("no archive".utf8).write(to: URL(filePath: "\(folder)/broken.zip"))
      try Data().write(to: URL(filePath: "\(folder)/empty.csv"))
      try Data("a,b\n1,2\n".utf8).write(to: URL(filePath: "\(folder)/columns.csv"))
      try Data("x".utf8).write(to: URL(filePath: "\(folder)/notes.doc"))
      try Data("x".utf8).write(to: URL(filePath: "\(inbox)/lost.csv"))
      #expect(symlink(Checkout.customers, "\(folder)/link.csv") == 0)
      try FileManager.default.createDirectory(atPath: "\(inbox)/desert-blu", withIntermediateDirectories: false)
      try drop(Checkout.customers, "\(inbox)/desert-blu/customers.csv")

      let list = try daemon.query(ImportCall.Inbox.Reply.self, "inbox", "list")
      #expect(list.files.filter { $0.state == .waiting }.count == 6, "\(list.files)")
      let left = list.files.filter { $0.state == .left }.map(\.name)
      #expect(left.sorted() == ["\(Self.team)/link.csv", "\(Self.team)/notes.doc", "lost.csv"], "\(left)")

      let take = try daemon.ask("inbox", "take")
      #expect(take.code == ExitCode.badData, "\(take)")
      let backup = try result(in: folder, of: "backup.zip")
      #expect(backup.schema == "poolflow.inbox/1" && backup.file == "backup.zip" && backup.result == .imported)
      #expect(try backup.report?.after.pools == DemoStore.counts.get().pools && backup.report?.kind == .archive)
      let hers = try result(in: "\(folder)/maria", of: "her customers.csv")
      #expect(hers.result == .imported && hers.report?.technician == "maria")
      #expect(try hers.report?.updates == DemoStore.customers())
      for (name, part) in [("broken.zip", "was not imported"), ("empty.csv", "is empty"), ("columns.csv", "address")] {
        let refused = try result(in: folder, of: name)
        #expect(refused.result == .refused && refused.report == nil && refused.message.contains(part), "\(refused)")
      }
      let misspelled = try result(in: "\(inbox)/desert-blu", of: "customers.csv")
      #expect(misspelled.message.contains("did you mean 'desert-blue'"), "\(misspelled)")
      #expect(
        endings(folder) == [
          "csv", "doc", "done", "maria", "refused", "refused", "refused", "result", "result", "result", "result",
        ])
      try eventually("no copy is left", { Files.names(in: "\(daemon.state)/uploads").isEmpty })
      #expect(try daemon.query(ImportCall.TakeInbox.Reply.self, "inbox", "take").files.isEmpty, "nothing is left to do")
      let audit = try daemon.ask("audit").output
      #expect(audit.contains("inbox: import 'backup.zip' --team desert-blue"), "\(audit)")
    }

    @Test func `a file is imported automatically once it stops changing`() throws {
      let (daemon, inbox) = try daemon(unsupportedFile: "notes.doc")
      try eventually("the look at the start", { daemon.log.contains("notes.doc' in the inbox is left there") })
      let path = "\(inbox)/\(Self.team)/customers.csv"
      let bytes = try Files.bytes(Checkout.customers)
      func look() throws {
        // The inbox scans on a tick of the scheduler; a changed team setting causes one.
        daemon.clock.step(by: .seconds(61))
        try daemon.change("team", "set", Self.team, "weekly-digest=on")
      }
      func isThere() -> Bool { Files.exists(path) }
      try Data(bytes.prefix(1_000)).write(to: URL(filePath: path))
      try look()
      #expect(isThere())
      // The file has grown, so its unchanged time starts again.
      try Data(bytes).write(to: URL(filePath: path))
      try look()
      #expect(isThere())
      try eventually(
        "the import by itself",
        {
          try look()
          return !isThere()
        })
      try eventually(
        "its last name", { endings("\(inbox)/\(Self.team)") == ["doc", "done", "maria", "result"] })
      #expect(try result(in: "\(inbox)/\(Self.team)", of: "customers.csv").report?.after.pools == DemoStore.customers())
    }

    @Test func `a file with any modification time is imported`() throws {
      let (daemon, inbox) = try daemon(empty: true)
      let folder = "\(inbox)/\(Self.team)"
      // Nanoseconds since 1970 overflow 64 bits in 2262.
      for (name, seconds) in [
        ("early.csv", -9_000_000_000), ("late.csv", 9_300_000_000), ("never.csv", 15_000_000_000),
      ] {
        try drop(Checkout.customers, "\(folder)/\(name)")
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, "\(folder)/\(name)", &times, 0) == 0)
      }
      #expect(try daemon.query(ImportCall.Inbox.Reply.self, "inbox", "list").files.count == 3)
      try daemon.change("inbox", "take")
      for name in ["early.csv", "late.csv", "never.csv"] {
        #expect(try result(in: folder, of: name).result == .imported, "\(name)")
      }
    }

    @Test func `a kill at any call during an inbox import imports once`() throws {
      let customers = try DemoStore.customers()
      /// Runs the daemon once with a kill and once without; returns the range of calls made during the import, and the
      /// folder.
      func life(killAt number: Int?) throws -> (from: Int, to: Int, folder: String) {
        let (daemon, inbox) = try daemon(empty: true)
        try daemon.stop()
        let folder = "\(inbox)/\(Self.team)"
        try drop(Checkout.customers, "\(folder)/customers.csv")
        let faults = try FaultPoints(in: daemon.scratch)
        try daemon.launch(environment: try faults.environment(killAt: number))
        // The kill may come before the daemon is ready.
        let from = (try? daemon.ready()).map { faults.count } ?? 0
        try daemon.ask("inbox", "take")
        let to = faults.count
        try daemon.stop()
        if number != nil {
          try daemon.start()
          try daemon.ask("inbox", "take")
          try eventually("the last name", { endings(folder) == ["done", "maria", "result"] })
          let result = try result(in: folder, of: "customers.csv")
          #expect(
            result.report?.creates == customers && result.report?.before.pools == 0,
            "killed at \(number ?? 0): \(result)")
          let pools = try daemon.query(PoolsCall.List.Reply.self, "pool", "list", "--team", Self.team)
          #expect(pools.pools.count == customers, "killed at \(number ?? 0)")
          try daemon.stop()
        }
        return (from, to, folder)
      }
      let clean = try life(killAt: nil)
      #expect(clean.to > clean.from + 10, "an import makes more calls than that")
      let points = clean.to - clean.from
      let step = ProcessInfo.processInfo.environment["POOLFLOW_ALL_CRASH_POINTS"] != nil ? 1 : max(1, points / 12)
      for number in stride(from: clean.from + 1, through: clean.to, by: step) { _ = try life(killAt: number) }
    }

    @Test func `a file that was interrupted three times is refused`() throws {
      let (daemon, inbox) = try daemon()
      let folder = "\(inbox)/\(Self.team)"
      let taken = "\(folder)/.taken.3.20260302T050000Z-0123abcd.customers.csv"
      try FileManager.default.copyItem(atPath: Checkout.customers, toPath: taken)
      // The scan at start may have refused the file already.
      try daemon.ask("inbox", "take")
      try eventually("its last name", { endings(folder) == ["maria", "refused", "result"] })
      let result = try result(in: folder, of: "customers.csv")
      #expect(result.result == .refused && result.message.contains("3 tries"), "\(result)")
    }
  }
}
