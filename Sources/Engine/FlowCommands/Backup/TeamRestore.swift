internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// Restores one team's records from a backup's archives or from an archive file.
enum TeamRestore {
  static func run(_ team: String, _ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let daemon = try session.runningDaemon()
    let source = try BackupFolderOperand.name(of: arguments.operand(0) ?? "", team: team, session)
    let technician = arguments["technician"]
    var (id, upload): (String?, String?) = (source, nil)
    if isFile(source) {
      let file = try ImportFile(path: source, wanted: "expected the archive of a team (ZIP)")
      upload = try file.send(to: daemon, team: team, technician: technician, console: console)
      id = nil
    }
    func call(dryRun: Bool, confirm: String? = nil) -> BackupCall.RestoreTeam {
      BackupCall.RestoreTeam(
        id: id, upload: upload, team: team, technician: technician, dryRun: dryRun, confirm: confirm)
    }
    var reply = try session.askLong(call(dryRun: true))
    let isDryRun = arguments.has("dry-run")
    if !console.isJSON { show(reply, on: console) }
    if isDryRun {
      guard console.isJSON else {
        return console.note("everything was read and can be restored; nothing was changed")
      }
      return try console.document("backup-restore-team", reply)
    }
    let confirm = try Confirmation.typed(
      reply.team, "Type the name of the team to replace its records", arguments, console)
    reply = try session.askLong(call(dryRun: false, confirm: confirm))
    if console.isJSON { return try console.document("backup-restore-team", reply) }
    console.line("team \(visible(reply.team)) now has the records of \(visible(source))")
  }

  /// True for a path or a `.zip` file; a backup's name has neither a slash nor an extension.
  static func isFile(_ source: String) -> Bool { source.contains("/") || source.lowercased().hasSuffix(".zip") }

  private static func show(_ reply: BackupCall.RestoreTeam.Reply, on console: Console) {
    var archives = Table([
      .init("ARCHIVE", minWidth: 16, isKey: true), .init("TECHNICIAN", isKey: true),
      .init("SCHEMA", isNumber: true, rank: 2),
      .init("MADE BY", rank: 3), .init("MADE", rank: 1), .init("POOLS", isNumber: true),
      .init("VISITS", isNumber: true),
      .init("PHOTOS", isNumber: true, rank: 4),
    ])
    for archive in reply.archives {
      archives.add([
        .init(archive.name), .init(archive.technician ?? (archive.horses == nil ? "by tag" : "-")),
        .init("\(archive.schema)"), .init(archive.madeBy), .init(archive.madeLocal),
        .init(RecordTable.main(pools: archive.pools, horses: archive.horses, others: archive.others)),
        .init(RecordTable.visits(archive.visits, care: archive.care, others: archive.others)),
        .init(TextFormat.grouped(archive.photos)),
      ])
    }
    console.table(archives)
    console.line()
    RecordTable.show(before: reply.before, after: reply.after, lost: reply.lost, on: console)
    if !reply.lostCustomers.isEmpty {
      let more = reply.lost.pools - reply.lostCustomers.count
      console.line(
        "pools that are not in it: " + reply.lostCustomers.map { visible($0) }.joined(separator: ", ")
          + (more > 0 ? " and \(TextFormat.grouped(more)) more" : ""))
    }
    for warning in reply.warnings { console.finding("\(console.paint("warning", .yellow)): \(visible(warning))") }
  }
}

/// Record counts before and after a change, as a table.
enum RecordTable {
  /// The pool count `120`, for a stable `30 horses`, or for another trade the count of its main records.
  static func main(pools: Int, horses: Int?, others: [RecordCountView]? = nil) -> String {
    others?.first.map(text) ?? horses.map { TextFormat.count($0, "horse") } ?? TextFormat.grouped(pools)
  }

  /// The visit count `7,200`, for a stable `16 pieces of care`, or for another trade the counts of its other records.
  static func visits(_ visits: Int, care: Int?, others: [RecordCountView]? = nil) -> String {
    if let others { return others.count > 1 ? others.dropFirst().map(text).joined(separator: ", ") : "-" }
    return care.map { TextFormat.count($0, "piece of care", "pieces of care") } ?? TextFormat.grouped(visits)
  }

  private static func text(_ count: RecordCountView) -> String { TextFormat.count(count.count, count.one, count.many) }

  /// `120 pools, 7,200 visits, 3 photos`, or for a stable `30 horses, 4 feed schedules, 16 pieces of care, 1 photo`.
  static func summary(_ counts: RecordCountsView) -> String {
    if let others = counts.others { return others.map(text).joined(separator: ", ") }
    let records =
      counts.horses == nil
      ? [TextFormat.count(counts.pools, "pool"), TextFormat.count(counts.serviceEvents, "visit")]
      : [
        main(pools: 0, horses: counts.horses), TextFormat.count(counts.feedSchedules ?? 0, "feed schedule"),
        visits(0, care: counts.care ?? 0),
      ]
    return (records + [TextFormat.count(counts.photos, "photo")]).joined(separator: ", ")
  }

  /// - Parameter lost: counts of the records in `before` that are missing from `after`; nil hides the column.
  static func show(
    before: RecordCountsView, after: RecordCountsView, lost: RecordCountsView? = nil, on console: Console
  ) {
    var table = Table(
      [.init("RECORDS"), .init("BEFORE", isNumber: true), .init("AFTER", isNumber: true)]
        + (lost == nil ? [] : [.init("LOST", isNumber: true)]))
    func add(_ name: String, _ count: (RecordCountsView) -> Int) {
      table.add(
        [.init(name), .init(TextFormat.grouped(count(before))), .init(TextFormat.grouped(count(after)))]
          + (lost.map { [.init(TextFormat.grouped(count($0)), count($0) > 0 ? .red : nil)] } ?? []))
    }
    if let others = before.others {
      for kind in others {
        add(kind.many) { $0.others?.first { $0.many == kind.many }?.count ?? 0 }
      }
      return console.table(table)
    }
    if before.horses != nil {
      add("horses", { $0.horses ?? 0 })
      add("feed schedules", { $0.feedSchedules ?? 0 })
      add("care", { $0.care ?? 0 })
      add("photos", \.photos)
      return console.table(table)
    }
    add("pools", \.pools)
    add("visits", \.serviceEvents)
    add("doses", \.chemicalDoses)
    add("stock items", \.inventoryItems)
    add("customer profiles", \.customerProfiles)
    add("equipment", \.equipment)
    add("photos", \.photos)
    console.table(table)
  }
}
