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
}
