import Testing

extension Programs.HealthTests {
  @Test func `a bug report omits the names of horses and removed stables`() throws {
    let daemon = try Daemon(at: "2026-03-02T17:00:00Z").start()
    try daemon.change("team", "add", "esc", "--zone", "America/Phoenix", "--trade", "stable")
    try daemon.change("horse", "add", "Starlight", "--team", "esc")
    try daemon.change("team", "rename", "esc", "hayloft")
    try daemon.change("team", "remove", "hayloft", "--confirm", "hayloft")
    let file = daemon.scratch.path + "/report.zip"
    try daemon.change("bugreport", "--output", file)
    let text = String(decoding: try Programs.Inflated.files(of: file), as: UTF8.self).lowercased()
    for name in ["starlight", "hayloft"] { #expect(!text.contains(name), "\(name)") }
  }
}
