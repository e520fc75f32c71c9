import FlowPlatform
import Testing

extension Programs.CanaryTests {
  @Test func `owners, caretakers and notes of horses appear only in answers that list them`() throws {
    let daemon = try Daemon(at: "2026-03-02T13:30:00Z", empty: true)
    try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\n[Sink line]\nType = stdout\n".utf8)
    try daemon.start()
    var canaries = Canaries(seed: Self.seed)
    var said: [UInt8] = []
    func ask(_ words: [String]) throws {
      let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
      said += Array((answer.output + answer.errors).utf8)
    }
    try daemon.change("team", "add", "willow-barn", "--zone", "America/Phoenix", "--trade", "stable")
    for number in 1...20 {
      let horse = "Horse \(number)"
      try daemon.change("horse", "add", horse, "--owner", "Ada \(canaries.make("o"))")
      try daemon.change("feed", "set", horse, "--am-grain", "oats", "--pm-grain", "oats")
      try daemon.change(
        "care", "log", horse, "farrier", "--date", "2026-01-19", "--cost", "85", "--provider",
        "Sam \(canaries.make("p"))", "--notes", "says \(canaries.make("n"))")
      try daemon.change("feed", "mark", horse, "am", "--by", "Ann \(canaries.make("b"))")
    }
    // A refused value is not quoted in the error.
    let long = (0..<40).map { _ in canaries.make("x") }.joined(separator: " ")
    for words in [
      ["horse", "set", "Horse 1", "--owner", long], ["feed", "mark", "Horse 2", "pm", "--by", long],
      ["care", "set", "Horse 1", "provider=\(long)"], ["care", "log", "Horse 1", "vet", "--notes", long + "\u{7}"],
      ["status"], ["status", "--json"], ["list"], ["history", "--json"], ["audit"], ["audit", "--json"], ["doctor"],
      ["care", "due"], ["care", "due", "--json"], ["feed", "undo"], ["blanket"], ["team", "show", "willow-barn"],
      ["horse", "remove", "Horse 3", "--dry-run", "--quiet"], ["outbox", "list", "--json"],
      ["simulate", "--days", "8", "--team", "willow-barn"],
      ["bugreport", "--output", daemon.scratch.path + "/report.zip"],
    ] { try ask(words) }
    for job in ["barn-digest", "care-due", "barn-week"] {
      try ask(["run", job, "--team", "willow-barn", "--wait"])
      try ask(["why", job, "--team", "willow-barn"])
    }
    #expect(canaries.found(in: said) == [], "pfctl")
    let asked = try daemon.ask("horse", "list").output + daemon.ask("care", "list").output
    #expect(canaries.found(in: asked.utf8).count == 60, "the test can fail: who asks for them has them")
    try daemon.stop()
    #expect(canaries.found(in: daemon.log.utf8) == [], "standard error")
    #expect(canaries.found(in: try Files.bytes(daemon.outputFile)) == [], "standard output")
    let report = try ZIPArchive(path: daemon.scratch.path + "/report.zip")
    for entry in report.entries {
      #expect(canaries.found(in: try report.read(entry, limit: 64 << 20)) == [], "bugreport: \(entry.name)")
    }
    for (name, bytes) in try Files.tree(daemon.state) where !name.hasPrefix("poolflow.db") {
      #expect(canaries.found(in: bytes) == [], "\(name)")
    }
    try checkStore(daemon, canaries, notices: 0)
  }
}
