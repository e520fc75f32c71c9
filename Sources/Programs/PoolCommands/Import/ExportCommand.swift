internal import PoolControl
internal import PoolInterchange
internal import PoolModel

/// `pfctl export`: writes records as a CSV file, or an empty CSV template.
enum ExportCommand: Command {
  static let description = CommandDescription(
    "export", "pools, visits, stock or profiles, or a stable's lists, as CSV, or a template",
    operands: [.init("pools|visits|stock|profiles|horses|feed|care|template")],
    options: [
      .init("team", "TEAM", "whose data; a template needs none"),
      .init("pool", "POOL", "of visits: only those to this pool"),
      .init("reveal", nil, "of pools and profiles: e-mail and gate codes, too, and the phone of profiles"),
      .init("output", "FILE", "to a file instead of standard output"),
    ],
    details: [
      "A spreadsheet runs nothing in it: what it would take for a formula has an apostrophe before it, which "
        + "`pfctl import` takes away again.",
      "pools have all that a pool has: its id, its order in the day, the readings it has now with their index, dissolved solids "
        + "and its fee with the currency. `pfctl import` takes the file back without loss, also into an empty team; of a pool that "
        + "is known by its id it changes what the file has otherwise, except readings, which come from visits. Readings are empty "
        + "where nothing was measured. lsi and stop_number follow from the other columns. Without --reveal the file has no e-mail "
        + "and no gate codes.",
      "profiles are what is known of the people at pools; `pfctl import --profiles` takes them back.",
      "horses, feed and care are a stable's lists, with its owners and providers; `pfctl import` takes each back as it is.",
      "template is a customer list to fill in, with one row that shows how each column is written; `pfctl import` knows further "
        + "columns, such as city, gate_code and contact_email.",
    ],
    examples: [
      "pfctl export stock --team desert-blue", "pfctl export pools --team desert-blue --output customers-export.csv",
      "pfctl export visits --team desert-blue --pool 'Steve Baird' --output baird.csv", "pfctl export template",
      "pfctl export care --team willow-barn --output care-export.csv",
    ])

  static let documents: [JSONDocument] = [.init("export", Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let table = arguments.operand(0) ?? ""
    guard table != "template" || (arguments["pool"] == nil && !arguments.has("reveal")) else {
      throw CommandFailure.usage("a template is no pool's; leave --pool and --reveal out")
    }
    let lines = table == "template" ? CSVExport.template : try lines(of: table, arguments, session)
    if console.isJSON { return try console.document("export", Answer(lines: lines)) }
    if let path = arguments["output"] {
      try OutputFile.write(lines.joined(separator: "\n") + "\n", to: path)
      return console.note("\(TextFormat.count(lines.count - 1, "line")) written to '\(visible(path))'")
    }
    for line in lines { console.line(line) }
  }

  private static func lines(of word: String, _ arguments: Arguments, _ session: Session) throws -> [String] {
    let team = try session.team(arguments)
    var lines: [String] = []
    var next: String? = nil
    if let list = StableListView(rawValue: word) {
      guard arguments["pool"] == nil, !arguments.has("reveal") else {
        throw CommandFailure.usage("a stable's lists are of no pool; leave --pool and --reveal out")
      }
      let daemon = try session.daemon()
      repeat {
        let reply = try daemon.ask(HorsesCall.Export(team: team, list: list, after: next))
        lines += reply.lines
        next = reply.next
      } while next != nil
      return lines
    }
    let table = try ExportTableView(asked: word, field: "table")
    let daemon = try session.daemon()
    repeat {
      let reply = try daemon.ask(
        WaterCall.Export(
          team: team, table: table, after: next, pool: arguments["pool"],
          reveal: arguments.has("reveal") ? true : nil))
      lines += reply.lines
      next = reply.next
    } while next != nil
    return lines
  }

  /// The JSON document of `pfctl export`.
  private struct Answer: Codable {
    let lines: [String]
  }
}
