internal import PoolChemistry
internal import PoolControl
internal import PoolModel

/// `pfctl visit log`: what was measured and poured at a pool.
enum VisitLogCommand: Command {
  static let description = CommandDescription(
    "visit log", "log a visit: readings, doses and stock in one step", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool", isRequired: true)] + FieldOptions.options(FieldOptions.readings) + [
      .init("dose", "TEXT", "what was poured: all that is recommended (without it), none, or NAME=OZ,NAME=OZ"),
      .init("notes", "TEXT", "what the technician has to say"),
      .init("photo", "FILE", "a picture of the pool (JPEG, PNG, HEIC, WebP, GIF), which the daemon keeps"),
    ],
    details: [
      "A reading that is not named stays as it was measured last. What is poured is taken from the stock of the pool's "
        + "technician, else the team's; a recommendation may take more than there is and leaves 0.",
      "A photo is kept beside the store and goes into the team's backup archives; taking the visit back removes it.",
    ],
    examples: ["pfctl visit log 'Steve Baird' --team desert-blue --ph 7.9 --alkalinity 110 --notes 'Brushed tile'"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let readings = FieldOptions.changes(arguments, FieldOptions.readings)
    let (dose, measured) = try doses(arguments["dose"] ?? "all")
    let file = try arguments["photo"].map {
      try ImportFile(path: $0, wanted: "a photo (JPEG, PNG, HEIC, WebP or GIF) is wanted", mostBytes: Limits.photoBytes)
    }
    let daemon = try session.runningDaemon()
    let photo = try file.map { try $0.send(to: daemon, team: team, console: session.console) }
    let call = FieldCall.LogVisit(
      team: team, pool: arguments.operand(0) ?? "", readings: readings, dose: dose, measured: measured,
      notes: arguments["notes"], photo: photo)
    let reply = try daemon.ask(call)
    let console = session.console
    if console.isJSON { return try console.document("visit-log", reply) }
    let visit = reply.visit
    console.line(
      "\(visible(visit.customer)): LSI \(Wording.decimal(visit.lsi, places: 2)), \(LSICommand.words(visit.condition))")
    for advice in visit.advice {
      if let message = advice.message { console.line("  \(visible(message))") }
    }
    for dose in visit.doses {
      var text = "  \(visible(dose.text)) of \(visible(dose.chemical)), \(Wording.decimal(dose.cost, places: 2))"
      if let left = dose.left { text += ", \(Wording.decimal(left, places: 0)) oz left" }
      console.line(text)
      if let short = dose.short {
        console.words("the stock was \(Wording.decimal(short, places: 0)) oz short of it: count it again")
      }
    }
    if let file { console.line("  photo of \(Wording.bytes(file.size)) kept") }
    console.legend("take it back: pfctl visit undo '\(visible(visit.customer))' --team \(visible(team))")
  }

  private static func doses(_ text: String) throws(CommandFailure) -> (PouredView, [MeasuredDoseView]) {
    if text == "all" { return (.all, []) }
    if text == "none" { return (.none, []) }
    var doses: [MeasuredDoseView] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let equals = part.lastIndex(of: "="), equals != part.startIndex,
        let ounces = FieldCheck.number(part[part.index(after: equals)...])
      else {
        throw .usage("--dose is all, none, or NAME=OZ such as 'Muriatic Acid=12,Soda Ash=4', not '\(visible(text))'")
      }
      doses.append(MeasuredDoseView(chemical: String(part[..<equals]), ounces: ounces))
    }
    return (.measured, doses)
  }
}

/// `pfctl visit undo`: as if the visit had not been logged.
enum VisitUndoCommand: Command {
  static let description = CommandDescription(
    "visit undo", "take back the last visit to a pool that was logged here, stock included", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool", isRequired: true)],
    examples: ["pfctl visit undo 'Steve Baird' --team desert-blue"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let reply = try session.daemon().ask(FieldCall.UndoVisit(team: team, pool: arguments.operand(0) ?? ""))
    let console = session.console
    if console.isJSON { return try console.document("visit-undo", reply) }
    console.line("visit to \(visible(reply.visit.customer)) of \(visible(reply.visit.local)) taken back")
  }
}
