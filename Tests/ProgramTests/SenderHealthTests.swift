import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// Reports of the sender's failures by `status`, `doctor`, metrics and notices, with a real daemon, poolflow-post and
  /// servers.
  @Suite(.requires(.python3, .curl)) struct SenderHealthTests {
    private static let closed = "127.0.0.1:9"
    private static func channels(mail: String, board: String = "desert-blue") -> String {
      """
      DueWithin = 10s
      [Channel mail]
      Type = smtp
      Server = smtp://\(mail)
      From = routes@example.com
      [Channel crew]
      Type = ntfy
      Server = http://WEB/ok
      To = crew
      Teams = \(board)
      [Channel desk]
      Type = webhook
      Credential = desk
      Operator = yes
      """
    }

    /// A daemon whose sensitive drop folder is read by a poolflow-post, with a second drop folder for operator notices.
    private func stand(_ channels: String) throws -> (daemon: Daemon, post: PostCase) {
      let post = try PostCase()
      try post.settings(channels, credentials: ["desk": "http://WEB/ok/desk"])
      _ = try post.scratch.folder("drop/receipts")
      let daemon = try Daemon.atMachineTime()
      _ = try daemon.scratch.folder("operator")
      try daemon.scratch.write(
        "poolflow.conf",
        """
        [Daemon]
        MetricsFile = \(daemon.scratch.path)/poolflow.prom
        [Sink post]
        Type = file-drop
        Directory = \(post.drop)
        Sensitive = yes
        [Sink operator]
        Type = file-drop
        Directory = \(daemon.scratch.path)/operator
        Jobs = operator
        """.utf8)
      try daemon.start()
      return (daemon, post)
    }

    private func news(_ post: PostCase, _ words: String) throws -> [PostCase.Request] {
      try post.requests().filter { $0.path == "/ok/desk" && (words.isEmpty || $0.text.contains(words)) }
    }

    private func reports(_ daemon: Daemon) throws -> [String] {
      let folder = "\(daemon.scratch.path)/operator/new"
      return try Files.names(in: folder).filter { $0.hasSuffix(".json") }.map { try Files.text("\(folder)/\($0)") }
    }

    /// A command's output and error output.
    private func said(_ daemon: Daemon, _ command: String) throws -> String {
      let answer = try daemon.ask(command)
      return answer.output + answer.errors
    }

    private func own(_ post: PostCase, _ words: String...) throws -> Answer {
      try Program.run(Checkout.post, ["--config", post.scratch.path + "/post.conf"] + words, in: post.scratch)
    }

    @Test func `an unreachable mail server and its recovery are reported once by each program`()
      throws
    {
      let (daemon, post) = try stand(Self.channels(mail: Self.closed))
      try post.start()
      for number in 1...12 { try post.put("m\(number)", to: [("mail", "p\(number)@example.com")]) }
      try eventually("the daemon knows it", { try daemon.ask("status", "--check").code == 2 })
      let check = try daemon.ask("status", "--check")
      #expect(check.output.contains("[Channel mail] delivers nothing"), "\(check.output)")
      #expect(check.output.contains("12 messages wait") && check.output.contains("(curl 7)"), "\(check.output)")
      let status = try said(daemon, "status")
      #expect(status.contains("by post: crew ok, desk ok") && status.contains("mail stuck (12 waiting)"), "\(status)")
      #expect(status.contains("! [Channel mail] delivers nothing: 12 messages wait"), "\(status)")
      let doctor = try daemon.ask("doctor")
      #expect(doctor.code == 1 && doctor.output.contains("sender: [Channel mail] delivers nothing"), "\(doctor.output)")
      let text = try own(post, "status").output
      #expect(text.contains("stuck since") && text.contains("! [Channel mail] delivers nothing"), "\(text)")
      let json = try own(post, "status", "--json").output
      #expect(json.contains(#""health":"stuck""#) && json.contains(#""about":"channel mail""#), "\(json)")
      #expect(post.log.contains("[Channel mail] delivers nothing: 12 messages wait"))
      daemon.clock.step(by: .seconds(61))
      try eventually("the metrics") {
        let metrics = (try? Files.text("\(daemon.scratch.path)/poolflow.prom")) ?? ""
        return metrics.contains(#"poolflow_channel_failing{sink="post",channel="mail"} 1"#)
          && metrics.contains(#"poolflow_channel_failing{sink="post",channel="desk"} 0"#)
      }
      // Reported once each by the sender's webhook and by the daemon's other sink; restarts of either program do not repeat
      // it.
      try eventually("the operator hears of it", { try news(post, "delivers nothing").count == 1 })
      try eventually("the other sink has it", { try reports(daemon).count == 1 })
      #expect(try reports(daemon).first?.contains("Notices of sink 'post' do not reach people") == true)
      try post.kill()
      try post.start()
      #expect(try daemon.stop() == .exit(0))
      try daemon.start()
      try eventually("it is known again", { try daemon.ask("status", "--check").code == 2 })

      try post.settings(Self.channels(mail: "MAIL"))
      post.program?.send(SIGHUP)
      try eventually("all mails", { try post.mails().count >= 12 })
      try eventually("all is well", { try daemon.ask("status", "--check").code == 0 })
      try eventually("the operator hears of that, too", { try news(post, "[Channel mail] works again").count == 1 })
      try eventually("so does the other sink", { try reports(daemon).count == 2 })
      #expect(try said(daemon, "status").contains("mail ok"))
      #expect(try own(post, "status").output.contains("! ") == false)
      try post.stop()
      #expect(try daemon.stop() == .exit(0))
      #expect(try news(post, "delivers nothing").count == 1 && news(post, "").count == 2)
      #expect(try reports(daemon).count == 2)
      #expect(daemon.log.contains("sink 'post': [Channel mail] delivers nothing"))
    }

    @Test func `a renamed team without a channel is warned about and reported once`() throws {
      let (daemon, post) = try stand(Self.channels(mail: Self.closed))
      try post.start()
      let report = post.drop + "/receipts/sender.report"
      try eventually("a report", { Files.exists(report) })
      #expect(try daemon.ask("doctor").output.contains("there is no team") == false)
      let renamed = try daemon.ask("team", "rename", "desert-blue", "mesa-blue")
      #expect(renamed.code == 0)
      #expect(
        renamed.errors.contains("[Channel crew] of post.conf names the team desert-blue, which should say mesa-blue"),
        "\(renamed)")
      let warning = "[Channel crew] has Teams = desert-blue, but no team has that name"
      #expect(try daemon.ask("doctor").output.contains(warning))
      #expect(try daemon.ask("status", "--check").code == 1)
      try daemon.scratch.write("post.conf", try Files.bytes(post.scratch.path + "/post.conf"))
      let checked = try daemon.ask("config", "check", "--config", daemon.scratch.path + "/poolflow.conf")
      #expect(checked.code == 0 && checked.errors.contains(warning), "\(checked)")
      // Each notice becomes a dead letter; the failure is reported once.
      for time in ["morning-summary", "weekly-digest", "morning-summary"] {
        try daemon.change("run", time, "--team", "mesa-blue")
      }
      try eventually(
        "the loss is known", { try daemon.ask("status", "--check").output.contains("are not delivered to anyone") }
      )
      #expect(try said(daemon, "status").contains("notices of team 'mesa-blue' are not delivered to anyone"))
      try eventually("the operator hears of it", { try news(post, "are not delivered to anyone").count == 1 })
      let dead = try own(post, "dead").output
      #expect(dead.contains("the team's board") && dead.contains("no [Channel] has Teams = mesa-blue"), "\(dead)")
      let why = try daemon.ask("why", "weekly-digest", "--team", "mesa-blue").output
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(why.contains("refused") && why.contains("no [Channel] has Teams = mesa-blue"), "\(why)")
      // With the right team name the lost notices can be retried.
      try post.settings(Self.channels(mail: Self.closed, board: "mesa-blue"))
      post.program?.send(SIGHUP)
      try eventually("all is well", { try daemon.ask("status", "--check").code == 0 })
      #expect(try own(post, "dead", "retry", "--all", "--late").code == 0)
      try eventually("the board has it", { try post.requests().contains { $0.text.contains("\"crew\"") } })
      try eventually("no dead letter is left", { try own(post, "dead").output.contains("there are no dead letters") })
      #expect(try news(post, "are not delivered to anyone").count == 1)
      try post.stop()
      #expect(try daemon.stop() == .exit(0))
    }

    @Test
    func `a missing, empty or unreadable credential is reported with its line`()
      throws
    {
      let (daemon, post) = try stand(Self.channels(mail: "MAIL"))
      try post.start()
      try eventually("a report", { Files.exists(post.drop + "/receipts/sender.report") })
      func check() throws -> Answer { try own(post, "--check") }
      // At a terminal `--check` reads the files that systemd will pass as credentials.
      let missing = try check()
      let line = try Files.text(post.scratch.path + "/post.conf").split(
        separator: "\n", omittingEmptySubsequences: false
      )
      .firstIndex(of: "Credential = desk").map { $0 + 1 }
      #expect(missing.code == 78)
      #expect(
        missing.errors.contains(
          "post.conf:\(line ?? 0):14: error: [Channel desk]: there is no credential 'desk'; put it into"),
        "\(missing.errors)")
      _ = try post.scratch.folder("credentials")
      try post.scratch.write("credentials/desk", " \n".utf8)
      let empty = try check()
      #expect(empty.code == 78 && empty.errors.contains("is empty"), "\(empty.errors)")
      try FileManager.default.removeItem(atPath: post.scratch.path + "/credentials/desk")
      _ = try post.scratch.folder("credentials/desk")
      #expect(try check().errors.contains("cannot read the credential 'desk'"))
      try FileManager.default.removeItem(atPath: post.scratch.path + "/credentials/desk")
      try post.scratch.write("credentials/desk", "http://127.0.0.1:\(post.webPort)/ok/desk\n".utf8)
      let right = try check()
      #expect(right.code == 0 && right.output.contains("3 channels, no mistake"), "\(right)")

      // A reload with a missing credential keeps the old settings; status, log and a notice report it.
      try post.settings(
        Self.channels(mail: "MAIL") + "\n[Channel other]\nType = slack\nCredential = other\n",
        credentials: ["desk": "http://WEB/ok/desk"])
      post.program?.send(SIGHUP)
      try eventually("the daemon knows it", { try daemon.ask("status", "--check").code == 2 })
      #expect(try said(daemon, "status").contains("the settings on disk are not effective"))
      #expect(try own(post, "status").output.contains("! the settings on disk are not effective"))
      #expect(
        post.log.contains("systemd passed no credential 'other';")
          && post.log.contains("a reload does not pass credentials"))
      try eventually("the operator hears of it", { try news(post, "not effective").count == 1 })
      try post.settings(Self.channels(mail: "MAIL"), credentials: ["desk": "http://WEB/ok/desk"])
      post.program?.send(SIGHUP)
      try eventually("all is well", { try daemon.ask("status", "--check").code == 0 })
      try post.stop()
      #expect(try daemon.stop() == .exit(0))
    }
  }
}
