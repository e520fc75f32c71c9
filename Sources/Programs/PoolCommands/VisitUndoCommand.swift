internal import PoolModel
internal import PoolControl

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
