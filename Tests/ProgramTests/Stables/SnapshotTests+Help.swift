import Testing

// The snapshot has the commands of all trades.
extension Programs.SnapshotTests {
  @Test func `help of every command matches its snapshot`() throws {
    let scratch = try Scratch()
    let list = try Pfctl.run(["help"], in: scratch).output
    let names = list.split(separator: "\n").filter {
      $0.hasPrefix("  ") && !$0.hasPrefix("  --") && !$0.hasPrefix("   ")
    }.map {
      ($0.dropFirst(2).split(separator: "  ").first ?? "").split(separator: " ").map(String.init)
    }
    #expect(names.count > 30)
    let bare = try Pfctl.run([], in: scratch)
    #expect(bare.code == 0 && bare.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 16)
    var text = "$ pfctl\n\(bare.output)\n$ pfctl help\n\(list)"
    for name in names
      + [["grammar"], ["exit-codes"], ["errors"], ["times"], ["formats"], ["schema"], ["job"], ["water"]]
    {
      let answer = try Pfctl.run(["help"] + name, in: scratch)
      #expect(answer.code == 0)
      text += "\n$ pfctl help \(name.joined(separator: " "))\n\(answer.output)"
    }
    try compare("help", text)
  }
}
