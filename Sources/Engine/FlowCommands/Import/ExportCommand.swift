internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl export`: writes records as a CSV file, or an empty CSV template.
enum ExportCommand: Command {
  static let description = CommandDescription(
    "export", "write pools, visits, stock, profiles or a stable's lists as CSV, or a template",
    operands: [.init("pools|visits|stock|profiles|horses|feed|care|template")],
    options: [
      .init("team", "TEAM", "the team whose data is exported; a template needs none"),
      .init("pool", "POOL", "for visits: only those to this pool"),
      .init("reveal", nil, "include e-mail and gate codes of pools and profiles, and phones of profiles"),
      .init("output", "FILE", "write to this file instead of standard output"),
    ],
    details: [
      "Formulas are disabled: a cell that a spreadsheet would take for a formula begins with an apostrophe, which `pfctl "
        + "import` removes again.",
      "pools exports every field of a pool: its id, its stop number, its present readings with their saturation index, "
        + "dissolved solids and its fee with the currency. `pfctl import` imports the file without loss, also into an "
        + "empty team; if a pool's id is known, it updates the fields that differ, except readings, which come from "
        + "visits. Readings are empty if nothing was measured. lsi and stop_number are computed from the other columns. "
        + "Without --reveal the file has no e-mail and no gate codes.",
      "If a pool has a rule of dates, or free chlorine or salt were measured, the file has columns for them. It has no pauses; "
        + "those are in archives, and `pfctl service list` shows them.",
      "profiles exports the contact data of pool customers; `pfctl import --profiles` reads the file again.",
      "horses, feed and care are a stable's lists, with its owners and providers; `pfctl import` reads each of these "
        + "files again.",
      "template is a customer list to fill in, with one row that shows the format of each column; `pfctl import` also "
        + "knows other columns, such as city, gate_code and contact_email.",
    ],
    examples: [
      "pfctl export stock --team desert-blue", "pfctl export pools --team desert-blue --output customers-export.csv",
      "pfctl export visits --team desert-blue --pool 'Steve Baird' --output baird.csv", "pfctl export template",
    ])

  static let documents: [JSONDocument] = [.init("export", Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let table = arguments.operand(0) ?? ""
    guard table != "template" || (arguments["pool"] == nil && !arguments.has("reveal")) else {
      throw CommandFailure.usage("a template contains no data; remove --pool and --reveal")
    }
    let answer = try answer(for: table, arguments, session)
    if console.isJSON { return try console.document("export", answer) }
    if let path = arguments["output"] {
      try OutputFile.write(answer.lines.joined(separator: "\n") + "\n", to: path)
      console.note("\(TextFormat.count(answer.lines.count - 1, "line")) written to '\(visible(path))'")
    } else {
      for line in answer.lines { console.line(line) }
    }
    for note in answer.notes ?? [] { console.words(note) }
  }

  private static func answer(for word: String, _ arguments: Arguments, _ session: Session) throws -> Answer {
    let list = session.catalogue.exports.first { $0.word == word }
    if case .template(let lines)? = list?.source { return Answer(lines: lines(), notes: nil) }
    let team = try session.team(arguments)
    guard let list, case .records(let lines) = list.source else {
      let known = session.catalogue.exports.map(\.word).joined(separator: ", ")
      throw ControlError.badValue(field: "table", value: word, why: "it is one of \(known)")
    }
    let query = ExportedList.Query(team: team, record: arguments["pool"], reveals: arguments.has("reveal"))
    let found = try lines(query, session.daemon)
    let notes = try list.notes(query, session.daemon)
    return Answer(lines: found, notes: notes.isEmpty ? nil : notes)
  }

  /// The JSON document of `pfctl export`.
  private struct Answer: Codable {
    let lines: [String]
    /// Sentences about records that the file leaves out.
    let notes: [String]?
  }
}
