import FlowControl
import Foundation
import Testing

extension Programs {
  /// Unacceptable texts are refused by every command that takes text; `FlowDaemonTests` tests all of them, this suite one
  /// of each kind.
  @Suite struct BadTextTests {
    private static let team = "desert-blue"
    private static let marks = "e" + String(repeating: "\u{301}", count: 20_000)

    private func daemon() throws -> Daemon { try Daemon(at: "2026-03-02T14:30:00Z").start() }

    @Test func `control characters and excessive combining marks are refused by every text option`() throws {
      let daemon = try daemon()
      try daemon.change("equipment", "add", "Steve Baird", "Zeta pump", "--team", Self.team)
      let of = ["--team", Self.team]
      let commands = [
        ["pool", "set", "Steve Baird"] + of + ["--gate"],
        ["pool", "set", "Steve Baird"] + of + ["--contact"],
        ["pool", "set", "Steve Baird"] + of + ["--tags"],
        ["pool", "set", "Steve Baird"] + of + ["--customer"],
        ["pool", "set", "Steve Baird"] + of + ["--notes"],
        ["pool", "add", "Nora", "5 Elm"] + of + ["--notes"],
        ["inventory", "set", "Muriatic"] + of + ["--unit"],
        ["equipment", "set", "Steve Baird", "Zeta pump"] + of + ["--model"],
        ["equipment", "set", "Steve Baird", "Zeta pump"] + of + ["--notes"],
        ["visit", "log", "Steve Baird"] + of + ["--ph", "7.5", "--notes"],
        ["pause"] + of + ["--notes"],
        ["backup", "create", "--notes"],
        ["import", Checkout.customers] + of + ["--technician"],
      ]
      for command in commands {
        let answer = try Pfctl.run(command + ["12\u{1B}34", "--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code != 0, "\(command)")
        #expect(answer.errors.contains("control character U+001B as character 3"), "\(command): \(answer.errors)")
      }
      let marks = try Pfctl.run(
        try #require(commands.first) + [Self.marks, "--socket", daemon.socket], in: daemon.scratch)
      #expect(marks.code != 0 && marks.errors.contains("is 40001 bytes long, limit"), "\(marks)")
      #expect(marks.errors.utf8.count < 2_000)
    }
  }
}
