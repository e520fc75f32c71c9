internal import PoolModel
internal import PoolControl

/// `pfctl export`: pools, visits or stock as a CSV file.
enum ExportCommand: Command {
  static let description = CommandDescription(
    "export", "pools, visits or stock as CSV", operands: [.init("pools|visits|stock")],
    options: [
      .init("team", "TEAM", "whose data", isRequired: true),
      .init("output", "FILE", "to a file instead of standard output"),
    ],
    details: [
      "A spreadsheet runs nothing in it: what it would take for a formula has an apostrophe before it, which "
        + "`pfctl import` takes away again. Pools can be imported as they are; e-mail and gate are not in the file."
    ],
    examples: [
      "pfctl export stock --team desert-blue", "pfctl export pools --team desert-blue --output customers-export.csv",
    ])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let daemon = try session.daemon()
    let console = session.console
    var lines: [String] = []
    var next: String? = nil
    repeat {
      let reply = try daemon.ask(WaterCall.Export(team: team, table: arguments.operand(0) ?? "", after: next))
      lines += reply.lines
      next = reply.next
    } while next != nil
    if console.isJSON { return try console.document("export", Answer(lines: lines)) }
    if let path = arguments["output"] {
      try OutputFile.write(lines.joined(separator: "\n") + "\n", to: path)
      return console.legend("\(Wording.count(lines.count - 1, "line")) written to '\(visible(path))'")
    }
    for line in lines { console.line(line) }
  }

  private struct Answer: Encodable {
    let lines: [String]
  }
}
