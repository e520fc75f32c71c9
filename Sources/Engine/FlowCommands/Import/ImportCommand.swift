internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl import`: uploads a backup archive or a customer list to the daemon in chunks.
enum ImportCommand: Command {
  /// The columns of a customer list that `pfctl export pools` does not write; `HelpOfTradesTests` compares them with the list's.
  static let columnsWithoutExport = [
    "first_name", "last_name", "company", "house_number", "address_line_2", "city", "state", "postal_code",
    "contact_email", "gate_code", "dog_name", "frequency", "status", "rate_type", "body_of_water",
    "free_chlorine", "salt",
  ]

  static let description = CommandDescription(
    "import", "import a backup (ZIP) or a list (CSV) into a team", operands: [.init("FILE")],
    options: [
      .init("team", "TEAM", "whose data it is"),
      .init("technician", "TECHNICIAN", "the technician it belongs to"),
      .init("dry-run", nil, "show what would change, and change nothing"),
      .init(
        "preview", nil, "show how the columns and the first five rows of a customer list are read, and change nothing"),
      .init(
        "map", "HEADING=COLUMN", "a heading in the file and the column that it stands for, such as 'Who=customer_name'",
        isRepeated: true),
      .init(
        "profiles", nil, "the list has customer profiles: update contact data of existing pools, create no pools"),
      .init("replace", nil, "import a backup even if changes made here since then are lost"),
    ],
    details: [
      "A backup replaces all records of the same team and technician; a customer list adds and updates records. If "
        + "visits or pools were added or changed here after the backup was made, the backup is refused without "
        + "--replace. `pfctl backup restore FILE --team TEAM` first lists what would be lost, and asks.",
      "`pfctl export template` writes a customer list to fill in. Headings that other programs, accounting software and "
        + "address books use are known, too, in five languages: first and last name or company, service address before "
        + "the billing address, street, town, state and postal code, day, fee, gallons or litres, phone, e-mail, gate "
        + "code, dog, status. --preview shows what each column is read as; --map assigns an unknown heading to one of "
        + "the columns that `pfctl export template` has, or "
        + "\(columnsWithoutExport.joined(separator: ", ")).",
      "With --profiles a list changes contact, phone, e-mail, gate, arrival window, tags and technician of existing "
        + "pools, which it identifies by customer and address, or by pool_id. A row that matches no pool is reported and "
        + "skipped; an empty cell keeps the present value.",
      "Problems are reported with their row: ambiguous numbers (1.200 is 1200 only in a file with decimal commas), a "
        + "missing day or several days, a second row with the same customer and address, unused columns. Rows of "
        + "inactive customers are skipped. A volume without a unit is in gallons, for a metric team in litres.",
      "A stable accepts its own archive, which replaces all its records, and three lists, recognised by their columns: "
        + "horses (horse, owner, clipped, date_added), feed (horse, am_grain, am_supplements, am_medications, and the "
        + "same of pm) and care (horse, type, date, next_due, cost, provider, notes). Horses are identified by their "
        + "names. An empty cell keeps the present value, but in a feed list it clears the value. Importing the same list "
        + "again changes nothing. Dates are written 2026-03-02, and lists in a cell are separated by ; or |.",
      "Everything happens in one transaction: a file that is refused changes nothing.",
      "Texts may have tabs and line ends; other control characters are removed with a warning. A name or an address has "
        + "at most 200 characters and 800 bytes, notes have 4,000 and 16,000. Impossible coordinates count as missing: "
        + "those of a backup are stored unchanged, those of a customer list are dropped.",
    ],
    examples: [
      "pfctl import backup.zip --team desert-blue --dry-run",
      "pfctl import customers.csv --team desert-blue --technician Maria",
      "pfctl import list.csv --team desert-blue --map 'Who=customer_name' --map 'Where=address' --preview",
      "pfctl import profiles.csv --team desert-blue --profiles",
    ])

  static let documents: [JSONDocument] = [.init("import", ImportCall.Apply.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let expected = session.catalogue.standardTrade?.setup.list.expectedFile ?? "expected a PoolFlow backup (ZIP)"
    let file = try ImportFile(path: arguments.operand(0) ?? "", wanted: expected)
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
    show(report, RecordTable(session.catalogue), on: session.console)
  }

  private static func show(_ report: ImportReportView, _ records: RecordTable, on console: Console) {
    records.show(before: report.before, after: report.after, on: console)
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
    let (one, many) = records.noun(of: report)
    console.note(
      "\(kind) for \(visible(whose)): \(TextFormat.count(report.creates, one, many)) \(verb) created, "
        + "\(TextFormat.grouped(report.updates)) updated\(skipped)"
        + records.losses(of: report).map { ", \($0)" }.joined()
        + (report.dryRun ? "; nothing was changed" : ""))
  }
}
