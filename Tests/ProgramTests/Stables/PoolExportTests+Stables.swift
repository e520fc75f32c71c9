import Testing

extension Programs.PoolExportTests {
  @Test func `profiles are refused for a stable`() throws {
    let one = try OneTeam("coast", zone: "America/Phoenix")
    try one.daemon.change("team", "add", "barn", "--zone", "America/Phoenix", "--trade", "stable")
    try one.daemon.scratch.write("profiles.csv", "customer_name,address\nBo,2 Elm\n".utf8)
    let refused = try one.daemon.ask(
      "import", one.daemon.scratch.path + "/profiles.csv", "--team", "barn", "--profiles")
    #expect(
      refused.code == 65
        && refused.errors.contains("profiles can be imported only from a list of pool customers"), "\(refused)")
  }

  @Test func `a stable's list refuses --pool before it asks the daemon`() throws {
    let scratch = try Scratch()
    let refused = try Pfctl.run(
      ["export", "horses", "--team", "barn", "--pool", "Bo", "--socket", scratch.path + "/none.sock"], in: scratch)
    #expect(refused.code == 64 && refused.errors.contains("a stable has no pools"), "\(refused)")
  }
}
