internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolChemistry
internal import PoolModel

/// The options of `visit log` and `visit set` besides the readings, and their output.
enum VisitText {
  static let notes = CommandDescription.Option("notes", "TEXT", "the technician's notes on the visit")

  static let amounts =
    "An amount has a unit, such as 12oz, '2lb 3oz', 900g or 2.5L; a number without a unit is in ounces, for a metric "
    + "team in millilitres (liquids) or grams (all others)."

  static func doses(_ text: String) throws(CommandFailure) -> (PouredView, [MeasuredDoseView]) {
    if text == "all" { return (.all, []) }
    if text == "none" { return (.none, []) }
    var doses: [MeasuredDoseView] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let amount = part.lastIndex(of: "=").map { String(part[part.index(after: $0)...]) } ?? ""
      guard let equals = part.lastIndex(of: "="), equals != part.startIndex,
        FieldCheck.ounces(amount, of: .none, units: .imperial) != nil
      else {
        throw .usage(
          "--dose must be all, none, or NAME=AMOUNT such as 'Muriatic Acid=12oz,Soda Ash=500g', not '\(visible(text))'")
      }
      doses.append(MeasuredDoseView(chemical: String(part[..<equals]), amount: amount))
    }
    return (.measured, doses)
  }

  static func show(_ visit: LoggedVisitView, on console: Console) {
    var title = "\(visible(visit.customer)), \(visible(visit.local))"
    if let lsi = visit.lsi, let condition = visit.condition {
      title += ": LSI \(TextFormat.index(lsi)), \(LSICommand.words(condition))"
    }
    console.line(title)
    console.line("  \(visible(visit.water))")
    for doubt in visit.doubts { console.words(visible(doubt)) }
    // Poured chemicals are printed below.
    for advice in visit.advice
    where advice.ounces == 0 || !visit.doses.contains(where: { $0.type == advice.type.rawValue }) {
      console.line("  \(visible(advice.message))")
      for note in advice.equilibrium?.notes ?? [] { console.line("    \(visible(note))") }
    }
    for dose in visit.doses {
      // An older daemon sends no `line`.
      console.line("  \(visible(dose.line ?? "\(dose.text), \(dose.chemical), \(dose.costText)"))")
      if let short = dose.shortText {
        console.words("the stock had \(visible(short)) less than was poured: count it again")
      }
    }
  }
}

/// `pfctl visit log`: records readings and doses of a visit.
enum VisitLogCommand: Command {
  static let description = CommandDescription(
    "visit log", "log a visit: readings, doses and stock in one step", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool")] + FieldOptions.options(FieldOptions.visitReadings) + [
      .init("dose", "TEXT", "what was poured: none (default), all (as recommended), or NAME=AMOUNT,NAME=AMOUNT"),
      VisitText.notes,
      .init("at", "TIME", "the time of the visit: yesterday 14:00, -3d, '2026-03-02 09:30'; default: now"),
      .init(
        "done", "TEXT", "recurring work that was done, or a machine that was serviced; may be repeated",
        isRepeated: true),
      .init("photo", "FILE", "a picture of the pool (JPEG, PNG, HEIC, WebP, GIF), stored by the daemon"),
    ],
    details: [
      "A reading that is not given was not measured: the last measured value stays, with its age; a visit without "
        + "readings does not change the water. Recommended doses count as poured only with --dose. Poured chemicals are "
        + "taken from the stock of the pool's technician, else the team's; if a recommended dose is more than the stock, "
        + "0 is left.",
      "--at may be up to ten years ago and not in the future. Such a visit starts with the readings of the visit before "
        + "it, and does not change the pool's readings if a later visit exists. It takes chemicals from today's stock: "
        + "use --dose none if they were counted since.",
      VisitText.amounts, FieldOptions.readingLimits, FieldOptions.sanitiserNote,
      "--done names recurring work of the pool (`pfctl work list`) or a machine, such as --done 'Clean filter' --done 'Pool "
        + "pump service', by its name or the beginning of it. Its next date is counted from the visit's; undoing or removing "
        + "the visit restores the date before.",
      "A photo is stored unchanged beside the store and is part of the team's backup archives; undoing the visit removes "
        + "it. Pages do not show HEIC, and reports embed photos of up to 5 MiB: convert it to JPEG first with "
        + "`heif-convert IN.heic OUT.jpg` (Debian's libheif-examples), and smaller with `vipsthumbnail IN.jpg --size "
        + "'1200x1200>' -o OUT.jpg` (libvips-tools).",
    ],
    examples: [
      "pfctl visit log 'Steve Baird' --team desert-blue --ph 7.9 --alkalinity 110 --dose all --notes 'Brushed tile'",
      "pfctl visit log 'Steve Baird' --team desert-blue --at 'yesterday 14:00'",
    ])

  static let documents: [JSONDocument] = [.init("visit-log", FieldCall.LogVisit.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    try log(to: arguments.operand(0) ?? "", arguments, session)
  }

  /// Logs the visit described by the options of `visit log`.
  static func log(to pool: String, _ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let readings = FieldOptions.changes(arguments, FieldOptions.visitReadings)
    let (dose, measured) = try VisitText.doses(arguments["dose"] ?? "none")
    let file = try arguments["photo"].map {
      try ImportFile(path: $0, wanted: "expected a photo (JPEG, PNG, HEIC, WebP or GIF)", mostBytes: Limits.photoBytes)
    }
    let daemon = try session.runningDaemon()
    let photo = try file.map { try $0.send(to: daemon, team: team, console: session.console) }
    let call = FieldCall.LogVisit(
      team: team, pool: pool, readings: readings, dose: dose, measured: measured, notes: arguments["notes"],
      photo: photo, at: arguments["at"], done: arguments.has("done") ? arguments.all("done") : nil)
    let reply = try daemon.ask(call)
    let console = session.console
    if console.isJSON { return try console.document("visit-log", reply) }
    let visit = reply.visit
    VisitText.show(visit, on: console)
    for work in visit.done ?? [] { console.line("  \(WorkTexts.words(of: work))") }
    if arguments["dose"] == nil, visit.advice.contains(where: { $0.ounces > 0 }) {
      console.line("  nothing is recorded as poured; to record doses: --dose all, or --dose NAME=AMOUNT")
    }
    if let file { console.line("  photo of \(sizeText(file.size)) kept") }
    let customer = shellWord(visible(visit.customer))
    console.note("to undo: pfctl visit undo \(customer) --team \(visible(team))")
  }
}

/// `pfctl visit set`: corrects readings, doses or notes.
enum VisitSetCommand: Command {
  static let description = CommandDescription(
    "visit set", "correct the readings, doses or notes of a visit", operands: [.init("VISIT")],
    options: [.init("team", "TEAM", "whose visit")] + FieldOptions.options(FieldOptions.visitReadings) + [
      .init("dose", "TEXT", "replaces all doses: all, none, or NAME=AMOUNT,NAME=AMOUNT"), VisitText.notes,
    ],
    details: [
      "VISIT is the beginning of an id that `pfctl visit list` shows, four characters or more, or a pool, for its newest "
        + "visit.",
      "Values that are not given stay. The saturation index is computed from the new readings, and the pool gets them if "
        + "this is its newest visit. --dose replaces all doses of the visit: the old doses are returned to the stock "
        + "first, then the new ones are taken; the visit has their cost.",
      "none as a reading removes it, such as --salt none: it was not taken at this visit, and its value of before counts again. "
        + "Later visits that took the value over keep it.",
      VisitText.amounts,
      "Imported visits can be edited, too. A backup with the old version of such a visit is then refused by `pfctl "
        + "import` without --replace.",
    ],
    examples: [
      "pfctl visit set 'Steve Baird' --team desert-blue --ph 7.6 --dose none --notes 'Kit was dirty'",
      "pfctl visit set 'Steve Baird' --team desert-blue --alkalinity none",
    ])

  static let documents: [JSONDocument] = [.init("visit-set", FieldCall.EditVisit.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let poured = try arguments["dose"].map { (text) throws(CommandFailure) in try VisitText.doses(text) }
    let readings = FieldOptions.changes(arguments, FieldOptions.visitReadings)
    guard !readings.isEmpty || poured != nil || arguments["notes"] != nil else {
      throw CommandFailure.usage("`pfctl visit set` needs something to change: a reading, --dose or --notes")
    }
    let reply = try session.daemon().ask(
      FieldCall.EditVisit(
        team: team, visit: arguments.operand(0) ?? "", readings: readings, dose: poured?.0, measured: poured?.1 ?? [],
        notes: arguments["notes"]))
    let console = session.console
    if console.isJSON { return try console.document("visit-set", reply) }
    VisitText.show(reply.visit, on: console)
  }
}

/// `pfctl visit remove`: removes a visit that was logged by mistake.
enum VisitRemoveCommand: Command {
  static let description = CommandDescription(
    "visit remove", "remove a visit, its doses and its photo; return the doses to the stock",
    operands: [.init("VISIT")],
    options: [.init("team", "TEAM", "whose visit"), Confirmation.option],
    details: [
      "VISIT is the beginning of an id that `pfctl visit list` shows, four characters or more, or a pool, for its newest "
        + "visit.",
      "The pool gets the readings of its newest remaining visit, unless they were set since. The doses of an imported "
        + "visit are returned to the stock, too: count the stock again if it was counted since. Importing a backup with "
        + "the visit adds it again.",
    ],
    examples: ["pfctl visit remove 'Steve Baird' --team desert-blue --yes"])

  static let documents: [JSONDocument] = [.init("visit-remove", FieldCall.RemoveVisit.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let daemon = try session.daemon()
    let call = FieldCall.RemoveVisit(team: team, visit: arguments.operand(0) ?? "", dryRun: true)
    let visit = try daemon.ask(call).visit
    let named = "visit to \(visible(visit.customer)) of \(visible(visit.local))"
    try Confirmation.ask(
      "Remove the \(named) with \(TextFormat.count(visit.doses, "dose"))?", arguments, session.console)
    let reply = try daemon.ask(FieldCall.RemoveVisit(team: team, visit: visit.id, dryRun: false))
    let console = session.console
    if console.isJSON { return try console.document("visit-remove", reply) }
    console.line("\(named) removed; its doses were returned to the stock")
  }
}

/// `pfctl visit undo`: reverts the last logged visit.
enum VisitUndoCommand: Command {
  static let description = CommandDescription(
    "visit undo", "undo the last visit logged here for a pool, stock included", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool")],
    examples: ["pfctl visit undo 'Steve Baird' --team desert-blue"])

  static let documents: [JSONDocument] = [.init("visit-undo", FieldCall.UndoVisit.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let reply = try session.daemon().ask(FieldCall.UndoVisit(team: team, pool: arguments.operand(0) ?? ""))
    let console = session.console
    if console.isJSON { return try console.document("visit-undo", reply) }
    console.line("visit to \(visible(reply.visit.customer)) of \(visible(reply.visit.local)) undone")
  }
}
