import PoolControl
import FlowControl
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// `report visit --send`: a visit's report to the customer, through the drop folder and poolflow-post to a mail server.
  @Suite struct VisitMailTests {
    private static let team = ["--team", "desert-blue"]

    private func daemon(_ settings: String) throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z")
      try daemon.settings(settings)
      try daemon.start()
      try daemon.change("team", "set", "desert-blue", "language=de")
      try daemon.change(
        "pool", "set", "Steve Baird", "--mail", "steve@example.com", "--gate", "code 4711", "--notes", "gate 4711",
        "--team", "desert-blue")
      try daemon.change(
        "visit", "log", "Steve Baird", "--ph", "7.4", "--dose", "none", "--notes", "New basket.", "--team",
        "desert-blue")
      return daemon
    }

    /// The decoded parts of a mail, concatenated.
    private func words(of mail: String) throws -> String {
      let text = String(decoding: try #require(Data(base64Encoded: mail)), as: UTF8.self)
      let parts = text.components(separatedBy: "\r\n\r\n").map { part in
        let body = part.components(separatedBy: "\r\n--").first ?? part
        return Data(base64Encoded: body.replacing("\r\n", with: "")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      }
      return parts.joined(separator: "\n")
    }

    @Test(.requires(.python3, .curl))
    func `report visit --send mails the customer, or the address given with --mail`() throws {
      let post = try PostCase()
      try post.settings("[Channel mail]\nType = smtp\nServer = smtp://MAIL\nFrom = pools@example.com\n")
      for folder in ["receipts", "staging"] { _ = try post.scratch.folder("drop/\(folder)") }
      let daemon = try daemon("[Sink own]\nType = file-drop\nDirectory = \(post.drop)\nSensitive = yes\n")
      let sent = try daemon.query(
        ReportsCall.SendVisit.Reply.self, "report", "visit", "Steve Baird", "--send", "--team", "desert-blue")
      #expect(sent.customer == "Steve Baird" && sent.sinks == ["own"] && sent.reporting == ["own"])
      try post.start(environment: daemon.clock.environment)
      try eventually("the mail", { try post.mails().contains { $0.to.contains("<steve@example.com>") } })
      let mail = try words(of: try #require(try post.mails().first).data)
      let report = try daemon.ask(["report", "visit", "Steve Baird"] + Self.team).output
      for part in ["Servicebericht", "Steve Baird", "New basket."] { #expect(mail.contains(part), "\(part): \(mail)") }
      #expect(report.contains("New basket.") && mail.contains("<table") && !mail.contains("4711"), "\(mail)")
      try eventually("the receipt") {
        let shown = try daemon.query(OutboxCall.Show.Reply.self, "outbox", "show", sent.noticeId)
        return shown.entries.flatMap { $0.deliveries ?? [] }.map(\.outcome) == [.delivered]
      }

      try daemon.change(
        "report", "visit", "Steve Baird", "--send", "--mail", "son@example.com", "--team", "desert-blue")
      try eventually("the other mail", { try post.mails().contains { $0.to.contains("<son@example.com>") } })
      #expect(try post.mails().count == 2)
      for address in ["steve@example.com", "son@example.com"] {
        #expect(try !daemon.ask("audit").output.contains(address) && !daemon.log.contains(address))
      }
      #expect(try daemon.ask("audit").output.contains("report visit 'Steve Baird' --team desert-blue --send"))
      try post.stop()
    }

    @Test func `a report that cannot be delivered is refused, and nothing is queued`() throws {
      let daemon = try daemon("[Sink drop]\nType = file-drop\n")
      let send = ["report", "visit", "Steve Baird", "--send"] + Self.team
      func refused(_ words: [String], _ said: String, _ code: Int32 = ExitCode.usage) throws {
        let answer = try daemon.ask(words)
        #expect(answer.code == code && answer.errors.contains(said), "\(words): \(answer)")
      }
      try refused(send, "no sink takes personal notices of team desert-blue")
      try refused(send + ["--mail", "no-address"], "one @")
      try refused(send + ["--format", "html"], "cannot be combined with --format")
      try refused(send + ["--visit", "FFFFFFFF"], "no visit", ExitCode.notFound)
      try refused(["report", "visit", "Steve Baird", "--mail", "a@example.com"] + Self.team, "--mail goes with --send")
      for mail in ["", "call him"] {
        try daemon.change("pool", "set", "Steve Baird", "--mail", mail, "--team", "desert-blue")
        try refused(send, "no mail address that can be used; `pfctl pool set 'Steve Baird'")
      }
      #expect(try !daemon.ask("outbox", "list").output.contains("visit-report"))
    }
  }
}
