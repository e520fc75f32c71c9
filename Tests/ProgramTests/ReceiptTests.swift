import FlowControl
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import PoolModel
import Testing

extension Programs {
  /// Delivery outcomes shown by `pfctl`, with a real daemon, poolflow-post and servers.
  @Suite(.requires(.python3, .curl)) struct ReceiptTests {
    private static let channels = """
      [Channel mail]
      Type = smtp
      Server = smtp://MAIL
      From = routes@example.com
      [Channel push]
      Type = ntfy
      Server = http://WEB/ok
      """

    /// A daemon whose sensitive drop folder is read by a poolflow-post, both on the real clock.
    ///
    /// - Parameter reloading: configures the sink by a reload of the running daemon.
    private func stand(_ channels: String = channels, reloading: Bool = false) throws -> (
      daemon: Daemon, post: PostCase
    ) {
      let post = try PostCase()
      try post.settings(channels)
      _ = try post.scratch.folder("drop/receipts")
      let daemon = try Daemon.atMachineTime()
      func write() throws {
        try daemon.scratch.write(
          "poolflow.conf", "[Sink post]\nType = file-drop\nDirectory = \(post.drop)\nSensitive = yes\n".utf8)
      }
      if !reloading { try write() }
      try daemon.start()
      if reloading {
        try write()
        try daemon.change("reload")
      }
      return (daemon, post)
    }

    private func test(_ name: String, by channel: String, _ address: String, _ daemon: Daemon) throws -> Answer {
      try daemon.change("technician", "set", name, "--team", "desert-blue", "--mail", "none", "--ntfy", "none")
      try daemon.change("technician", "set", name, "--team", "desert-blue", "--\(channel)", address)
      return try daemon.ask("technician", "test", name, "--team", "desert-blue")
    }

    @Test func `technician test reports the delivery's outcome and exits accordingly`() throws {
      let (daemon, post) = try stand(reloading: true)
      let name = "desert-blue"
      // poolflow-post is not running: `--within` limits the wait, and the answer says that there is no outcome yet.
      try daemon.change("technician", "set", name, "--team", "desert-blue", "--mail", "maria@example.com")
      let waiting = try daemon.ask("technician", "test", name, "--team", "desert-blue", "--within", "1")
      #expect(waiting.code == 75 && waiting.errors.contains("no receipt for the test notice yet"), "\(waiting)")
      try post.start()
      let mail = try test(name, by: "mail", "maria@example.com", daemon)
      #expect(mail.code == 0 && mail.output.contains("  mail: handed to the mail server"), "\(mail)")
      let push = try test(name, by: "ntfy", "route-maria", daemon)
      #expect(push.code == 0 && push.output.contains("  push: accepted by ntfy"), "\(push)")
      let refused = try test(name, by: "mail", "rcpt5@example.com", daemon)
      #expect(refused.code == 1 && refused.errors.contains("by mail refused: no such mailbox (550)"), "\(refused)")
      #expect(!(refused.output + refused.errors + daemon.log).contains("example.com"))
      let wrong = try daemon.ask("technician", "test", name, "--team", "desert-blue", "--within", "soon")
      #expect(wrong.code == 64 && wrong.errors.contains("--within must be between 0 and 10m"))
      let status = try daemon.ask("status").output
      #expect(status.contains("3 delivered, 1 refused in the last day"), "\(status)")
      // Without a receipts folder the answer says at once that no outcome will be known.
      try FileManager.default.removeItem(atPath: post.drop + "/receipts")
      let silent = try test(name, by: "mail", "maria@example.com", daemon)
      #expect(
        silent.code == 0 && (silent.output + silent.errors).contains("no receipts show its delivery"), "\(silent)")
      try post.stop()
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `outcomes of a morning's mails are shown; the office hears of a refusal`() throws {
      let (daemon, post) = try stand()
      try daemon.change("technician", "add", "zoe", "--team", "desert-blue", "--mail", "rcpt5@example.com")
      try daemon.change("technician", "set", "desert-blue", "--team", "desert-blue", "--mail", "maria@example.com")
      try daemon.change(
        "technician", "set", "office", "--team", "desert-blue", "--ntfy", "office", "--language", "es")
      // One pool of today's weekday for each technician, whatever day it is.
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: "America/Phoenix"))
      let today = calendar.weekdaySymbols[calendar.component(.weekday, from: Date.now) - 1]
      for (number, who) in ["zoe", "desert-blue"].enumerated() {
        try daemon.change(
          "pool", "add", "Pool \(number)", "\(number) Elm", "--team", "desert-blue", "--day", today.lowercased())
        try daemon.change("pool", "set", "Pool \(number)", "--team", "desert-blue", "--tags", "tech:\(who)")
      }
      try post.start()
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      func history() throws -> String {
        try daemon.ask("history", "morning-summary", "--limit", "1", "--plain").output
      }
      try eventually("the outcome of all three") {
        let words = try history()
        return words.contains("2 delivered, 1 refused") || words.contains("2 delivered, 1 refused; refused")
      }
      #expect(try history().contains("refused: no such mailbox (550)"))
      let why = try daemon.ask("why", "morning-summary", "--team", "desert-blue").output
      let flat = why.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(flat.contains("by mail for zoe: refused: no such mailbox (550)"), "\(why)")
      #expect(flat.contains("by push for the office: accepted by ntfy"), "\(why)")
      let listed = try daemon.ask("outbox", "list", "--plain").output
      #expect(listed.contains("handed to the mail server") && listed.contains("refused: no such mailbox"), "\(listed)")
      let before = try post.requests().count
      daemon.clock.step(by: .minutes(3))
      try eventually("a word to the office", { try post.requests().count > before })
      let word = try #require(try post.requests().last)
      #expect(word.text.contains("zoe no recibió «") && word.text.contains("técnico: zoe"), "\(word.text)")
      #expect(!word.text.contains("example.com"))
      // poolflow-post's `dead` commands list the dead letter and retry it.
      func ask(_ words: String...) throws -> Answer {
        try Program.run(Checkout.post, ["--config", post.scratch.path + "/post.conf"] + words, in: post.scratch)
      }
      let dead = try ask("dead")
      #expect(dead.code == 0 && dead.output.contains("refused: no such mailbox (550)"), "\(dead)")
      #expect(!dead.output.contains("example.com"))
      let id = try #require(dead.output.split(separator: "\n").last?.split(separator: " ").first.map(String.init))
      #expect(try ask("dead", "show", id, "--reveal").output.contains("rcpt5@example.com"))
      let retried = try ask("dead", "retry", id)
      #expect(retried.code == 0 && retried.output == "1 dead letter is tried again\n", "\(retried)")
      try eventually("the same end once more") { try ask("dead").output.contains("refused: no such") }
      try eventually("how the channels stand", { try ask("status").output.contains("mail") })
      #expect(try ask("status").output.contains("poolflow-post is running\n"))
      #expect(try ask("dead", "drop", "--all").output == "1 dead letter dropped\n")
      #expect(try ask("dead", "drp").code == 64 && ask("log", "none").code == 1)
      let told = daemon.log + post.log
      #expect(!told.contains("example.com") && !told.contains("office-topic"))
      try post.stop()
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `a delivery that waits a minute is shown with its reason`() throws {
      let (daemon, post) = try stand()
      let clock = try MovedClock(in: post.scratch, at: daemon.clock.now)
      try post.start(environment: clock.environment)
      try daemon.change("technician", "set", "desert-blue", "--team", "desert-blue", "--mail", "end4@example.com")
      let call = [
        "technician", "test", "desert-blue", "--team", "desert-blue", "--within", "0", "--socket", daemon.socket,
      ]
      #expect(try Pfctl.run(call, in: daemon.scratch).code == 75)
      // The waiting time starts by the clock that is moved below.
      let report = post.state + "/channels.json"
      try eventually("a delivery that waits") {
        try Files.exists(report) && Files.text(report).contains(#""waiting":1"#)
      }
      func list() throws -> String { try daemon.ask("outbox", "list", "--plain").output }
      #expect(try !list().contains("waits"))
      clock.step(by: .minutes(2))
      // A new file in the drop folder wakes poolflow-post.
      try post.put("wake1", to: [])
      try eventually("why it waits") {
        try list().contains("waits: the mail server does not accept the mail yet (451)")
      }
      #expect(try daemon.ask("status").output.contains("1 waiting in the last day"))
      // The test notice expires after an hour.
      clock.step(by: .hours(1))
      try post.put("wake2", to: [])
      try eventually("its end") { try list().contains("expired: it could not be delivered in time") }
      #expect(try daemon.ask("status").output.contains("1 expired in the last day"))
      try post.stop()
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `killed around a receipt, neither program loses or repeats an outcome`() throws {
      let (daemon, post) = try stand()
      try daemon.change("technician", "set", "desert-blue", "--team", "desert-blue", "--mail", "maria@example.com")
      func test() throws -> String {
        let call = ["technician", "test", "desert-blue", "--team", "desert-blue", "--within", "0", "--json"]
        let answer = try Pfctl.run(call + ["--socket", daemon.socket], in: daemon.scratch)
        let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
        return try #require(object?["notice"] as? String, "\(answer)")
      }
      func deliveries(_ notice: String) throws -> [String] {
        let shown = try daemon.query(OutboxCall.Show.Reply.self, "outbox", "show", notice)
        return shown.entries.flatMap { $0.deliveries ?? [] }.map(\.words)
      }
      func isSent(_ notice: String) throws -> Bool {
        let words = try deliveries(notice)
        return words.count == 1 && words.allSatisfy { $0.hasPrefix("handed to the mail server") }
      }
      // Count the file calls of one delivery; then kill at each of those after the mail is sent.
      var notice = ""
      var calls = 0
      // The first start also creates folders, so count the second.
      for _ in 1...2 {
        notice = try test()
        try post.start(environment: try post.faults.environment(killAt: nil))
        try eventually("a delivery", { try deliveries(notice) == ["handed to the mail server"] })
        calls = post.faults.count
        try post.kill()
      }
      var kills = 0
      for number in stride(from: max(1, calls - 36), through: calls, by: 3) {
        notice = try test()
        try post.start(environment: try post.faults.environment(killAt: number))
        try eventually("an end or a receipt") {
          try post.program?.wait(by: Deadline(.zero)) != nil || !deliveries(notice).isEmpty
        }
        kills += post.program?.ending == .signal(SIGKILL) ? 1 : 0
        try post.kill()
        try post.start()
        // Killed during a try, poolflow-post sends the mail once more, marked as a repeat.
        try eventually("its outcome", { try isSent(notice) })
        try post.kill()
      }
      #expect(kills > 3, "\(calls) calls, \(kills) kills")
      // The daemon killed between its commit and the file's deletion gets the same receipt again.
      let file = "\(post.drop)/receipts/\(String(repeating: "a", count: 32)).0123456789abcdef.json"
      let own = try #require(Files.names(in: post.state + "/receipts").first { $0.hasPrefix(notice) })
      let bytes = try Files.bytes("\(post.state)/receipts/\(own)")
      for _ in 1...2 {
        try daemon.kill()
        try post.scratch.write("drop/receipts/.x", bytes)
        try FileManager.default.moveItem(atPath: post.drop + "/receipts/.x", toPath: file)
        try daemon.start()
        try eventually("an empty folder", { !Files.exists(file) })
      }
      #expect(try isSent(notice))
      // With an unusable receipts folder mails are delivered; the receipts follow later.
      try FileManager.default.removeItem(atPath: post.drop + "/receipts")
      try post.scratch.write("drop/receipts", "no folder".utf8)
      try post.start()
      notice = try test()
      let pending = post.state + "/untold"
      try eventually("a receipt that is kept", { !Files.names(in: pending).isEmpty })
      try FileManager.default.removeItem(atPath: post.drop + "/receipts")
      _ = try post.scratch.folder("drop/receipts")
      try post.stop()
      try post.start()
      try eventually("the receipt", { try deliveries(notice) == ["handed to the mail server"] })
      try eventually("nothing kept and nothing unread") {
        Files.names(in: pending).isEmpty && post.unread.isEmpty
      }
      try post.stop()
      #expect(try daemon.stop() == .exit(0))
    }
  }
}
