internal import PoolControl
internal import PoolInterchange
internal import PoolModel

/// `pfctl import`: uploads a backup archive or a customer list to the daemon in chunks.
enum ImportCommand: Command {
  static let description = CommandDescription(
    "import", "bring a backup (ZIP) or a list (CSV) into a team", operands: [.init("FILE")],
    options: [
      .init("team", "TEAM", "whose data it is"),
      .init("technician", "TECHNICIAN", "the technician it belongs to"),
      .init("dry-run", nil, "say what would change, and change nothing"),
      .init(
        "preview", nil, "show how the columns and the first five rows of a customer list are read, and change nothing"),
      .init(
        "map", "HEADING=COLUMN", "a heading of the file, and the column that it means, such as 'Who=customer_name'",
        isRepeated: true),
      .init(
        "profiles", nil, "the list has profiles: change what is known of the people at known pools, and make no pools"),
      .init("replace", nil, "take a backup also where it does not have what was done here since"),
    ],
    details: [
      "A backup replaces what the same team and technician had; a customer list adds and updates. A backup that does not "
        + "have visits logged here or pools added since it was made, or has visits edited or pools changed since otherwise, is "
        + "refused without --replace. `pfctl backup restore "
        + "FILE --team TEAM` tells first what a backup would take away, and asks.",
      "`pfctl export template` is a customer list to fill in. Headings of other programs, of accounting and of address books "
        + "are known, too, in five languages: first and last name or company, service address before the billing address, "
        + "street, town, state and postal code, day, fee, gallons or litres, phone, e-mail, gate code, dog, status. --preview shows "
        + "what each column is taken for; --map names one that is not known, by the names that `pfctl export template` has, or "
        + "\(CSVColumn.allCases.filter { !CSVColumn.exported.contains($0) }.map(\.rawValue).joined(separator: ", ")).",
      "With --profiles a list changes contact, phone, e-mail, gate, arrival window, tags and technician of known pools, which it "
        + "names by customer and address, or by pool_id. A row that no pool fits is named and left out; an empty cell keeps what is "
        + "there.",
      "What is not understood is named with its row: numbers that could be two (1.200 is 1200 only in a file with decimal "
        + "commas), days that are several or none, a second row of the same customer and address, columns that are not used. "
        + "Rows of inactive customers are left out. A volume without a unit counts gallons, for a metric team litres.",
      "A stable takes its own archive, which replaces all that it has, and three lists, told by their columns: horses (horse, "
        + "owner, clipped, date_added), feed (horse, am_grain, am_supplements, am_medications, and the same of pm) and care "
        + "(horse, type, date, next_due, cost, provider, notes). Horses are known by their names; an empty cell keeps what is "
        + "there, but empties it in a feed list; the same list again changes nothing. Dates are such as 2026-03-02, and lists "
        + "in a cell are divided by ; or |.",
      "Everything happens in one transaction: a file that is refused changes nothing.",
      "Texts may have tabs and line ends; other control characters are left out with a warning. A name or an address has at "
        + "most 200 characters and 800 bytes, notes have 4,000 and 16,000. Coordinates that are no place on the Earth count as "
        + "none: a backup's are kept as they came, a customer list's are left out.",
    ],
    examples: [
      "pfctl import backup.zip --team desert-blue --dry-run",
      "pfctl import customers.csv --team desert-blue --technician Maria",
      "pfctl import list.csv --team desert-blue --map 'Who=customer_name' --map 'Where=address' --preview",
      "pfctl import profiles.csv --team desert-blue --profiles",
      "pfctl import horses.csv --team willow-barn",
    ])

  static let documents: [JSONDocument] = [.init("import", ImportCall.Apply.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let file = try ImportFile(path: arguments.operand(0) ?? "")
    let daemon = try session.runningDaemon()
    let upload = try file.send(
      to: daemon, team: team, technician: arguments["technician"], console: session.console)
    let isPreview = arguments.has("preview")
    let map = arguments.all("map")
    let apply = ImportCall.Apply(
      upload: upload, dryRun: isPreview || arguments.has("dry-run"), replace: arguments.has("replace") ? true : nil,
      map: map.isEmpty ? nil : map, profiles: arguments.has("profiles") ? true : nil)
    let report = try session.askLong(apply).report
    if session.console.isJSON {
      return try session.console.document("import", ImportCall.Apply.Reply(report: report))
    }
    if let rows = report.preview, let columns = report.columns {
      ImportPreview.show(columns, on: session.console)
      ImportPreview.show(rows, on: session.console)
    }
    show(report, on: session.console)
  }

  private static func show(_ report: ImportReportView, on console: Console) {
    RecordTable.show(before: report.before, after: report.after, on: console)
    for issue in report.issues {
      let row = issue.row.map { "row \($0): " } ?? ""
      let mark = console.paint(issue.severity.rawValue, issue.severity == .error ? .red : .yellow)
      console.finding("\(mark): \(row)\(visible(issue.message))")
    }
    if report.issuesTotal > report.issues.count {
      console.finding("… and \(TextFormat.grouped(report.issuesTotal - report.issues.count)) more")
    }
    for warning in report.warnings { console.finding("\(console.paint("warning", .yellow)): \(visible(warning))") }
    let kind = report.kind == .archive ? "backup" : report.list == nil ? "customer list" : "list"
    let verb = report.dryRun ? "would be" : report.creates == 1 ? "was" : "were"
    let skipped =
      report.kind == .archive
      ? report.skips == 0
        ? "" : ", " + TextFormat.count(report.skips, "piece of equipment left out", "pieces of equipment left out")
      : ", \(TextFormat.count(report.skips, "row")) skipped"
        + (report.inactive.map { $0 > 0 ? ", \($0) of inactive customers left out" : "" } ?? "")
    let whose = "\(report.team)\(report.technician.map { ", technician \($0)" } ?? "")"
    console.note(
      "\(kind) for \(visible(whose)): \(TextFormat.count(report.creates, report.recordNoun.one, report.recordNoun.many)) \(verb) created, "
        + "\(TextFormat.grouped(report.updates)) updated\(skipped)"
        + (report.deletes.map { $0 > 0 ? ", \(TextFormat.count($0, "pool")) deleted" : "" } ?? "")
        + (report.visitsLost.map { $0 > 0 ? ", \(TextFormat.count($0, "visit")) logged here lost" : "" } ?? "")
        + (report.poolsLost.map { $0 > 0 ? ", \(TextFormat.count($0, "pool")) added since lost" : "" } ?? "")
        + (report.poolsReverted.map { $0 > 0 ? ", \(TextFormat.count($0, "pool")) changed since put back" : "" } ?? "")
        + (report.visitsReverted.map { $0 > 0 ? ", \(TextFormat.count($0, "visit")) edited here put back" : "" } ?? "")
        + (report.dryRun ? "; nothing was changed" : ""))
  }
}
