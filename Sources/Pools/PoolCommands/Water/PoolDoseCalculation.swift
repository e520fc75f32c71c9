internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl dose --pool`: the calculator with a pool's newest readings and its team's stock.
enum PoolDoseCalculation {
  static func run(_ pool: String, _ arguments: Arguments, _ session: Session) throws {
    guard arguments["units"] == nil else {
      throw CommandFailure.usage(
        "with --pool the units are the team's; remove --units, or write the unit: 15000gal, 29C")
    }
    if arguments.has("save") { return try save(pool, arguments, session) }
    for name in ["dose", "notes"] where arguments[name] != nil {
      throw CommandFailure.usage("--\(name) belongs to a visit: add --save to log one")
    }
    let team = try session.team(arguments)
    let call = FieldCall.DosePool(
      team: team, pool: pool, readings: FieldOptions.changes(arguments, FieldOptions.visitReadings),
      volume: arguments["volume"], solids: arguments["tds"])
    guard let reply = try session.ask(call, as: "pool-dose") else { return }
    show(reply.dose, team: team, on: session.console)
  }

  private static func save(_ pool: String, _ arguments: Arguments, _ session: Session) throws {
    for name in ["volume", "tds"] where arguments[name] != nil {
      throw CommandFailure.usage(
        "--save does not change the pool's `--\(name)`; change it with `pfctl pool set` and remove it here")
    }
    guard !FieldOptions.changes(arguments, FieldOptions.visitReadings).isEmpty else {
      throw CommandFailure.usage(
        "--save logs what was measured: name at least one reading, such as --ph 7.4, or use `pfctl visit log`")
    }
    try VisitLogCommand.log(to: pool, arguments, session)
  }

  private static func show(_ dose: PoolDoseView, team: String, on console: Console) {
    console.line("\(visible(dose.customer)), \(visible(dose.volumeText)): \(visible(dose.lsiText))")
    console.line("  \(visible(dose.water))")
    for doubt in dose.doubts { console.words(visible(doubt)) }
    for advice in dose.advice {
      console.line("  \(visible(advice.message))")
      for note in advice.equilibrium?.notes ?? [] { console.line("    \(visible(note))") }
      guard let one = dose.doses.first(where: { $0.type == advice.type.rawValue }), advice.ounces > 0 else { continue }
      console.line("    \(visible(one.line ?? one.text))")
    }
    if !dose.doses.isEmpty { console.line("  \(visible(dose.totalText))") }
    console.note("log it: pfctl dose --pool \(shellWord(visible(dose.customer))) --team \(visible(team)) … --save")
  }
}
