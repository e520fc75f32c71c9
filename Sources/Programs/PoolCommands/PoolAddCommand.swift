internal import PoolModel
internal import PoolControl

/// `pfctl pool add`: a new customer.
enum PoolAddCommand: Command {
  static let keys: [FieldOptions.Key] =
    [
      ("volume", "N", "gallons, or litres for a metric team"), ("fee", "N", "what a month of service brings"),
      ("day", "DAY", "weekday of service, such as Mon"), ("order", "N", "place in the day's route"),
      ("latitude", "N", "degrees north"), ("longitude", "N", "degrees east"), ("notes", "TEXT", "free words"),
      ("tds", "N", "total dissolved solids, ppm"),
    ] + FieldOptions.readings

  static let description = CommandDescription(
    "pool add", "add a pool at the end of its day's route", operands: [.init("CUSTOMER"), .init("ADDRESS")],
    options: [
      .init("team", "TEAM", "whose pool", isRequired: true),
      .init("region", "TEXT", "the country whose defaults hold, such as US, GB or ES"),
    ] + FieldOptions.options(keys),
    details: ["What is not given is what the region's pools usually have."],
    examples: ["pfctl pool add 'Nora Quill' '12 N Date St, Mesa, AZ' --team desert-blue --day Tue --volume 18000"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let reply = try session.daemon().ask(
      FieldCall.AddPool(
        team: team, customer: arguments.operand(0) ?? "", address: arguments.operand(1) ?? "",
        region: arguments["region"], changes: FieldOptions.changes(arguments, keys)))
    let console = session.console
    if console.isJSON { return try console.document("pool-add", reply) }
    console.line("pool of \(visible(reply.customer)) added: \(visible(reply.day)), stop \(reply.order), \(reply.id)")
  }
}
