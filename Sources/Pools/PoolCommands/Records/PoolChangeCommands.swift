internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl pool add`: adds a customer's pool.
enum PoolAddCommand: Command {
  static let keys: [FieldOptions.Key] =
    [
      ("volume", "VOLUME", "the volume: 15000gal, 56000L or 56m3; without a unit, in the team's unit"),
      ("fee", "N", "the monthly fee for service"),
      ("day", "DAY", "the weekday of service, such as Mon"),
      ("service", "RULE", "the dates of service: weekly, or a rule such as 'every 2 weeks from 2026-11-30'"),
      ("notes", "TEXT", "free words"),
      ("tds", "N", "total dissolved solids, ppm"),
    ] + FieldOptions.readings

  /// The rules of `--service`.
  static let serviceRules =
    "RULE is weekly, or the date part of a calendar expression: 'every 2 weeks from 2026-11-30', Mon,Thu, 'Tue *-*-1..7' for "
    + "the first Tuesday of a month, 'Mon *-04..10-*' for a season, each with 'until 2027-12-31' if it ends. 'until "
    + "2027-12-31' alone is every week up to that date. `pfctl pool pause` stops the service for some days."

  static let description = CommandDescription(
    "pool add", "add a pool as the last stop of its day", operands: [.init("CUSTOMER"), .init("ADDRESS")],
    options: [
      .init("team", "TEAM", "whose pool"),
      .init("region", "TEXT", "the country whose defaults apply, such as US, GB or ES; default: that of the time zone"),
      PoolLocationOption.option,
    ] + FieldOptions.options(keys),
    details: [
      "Values that are not given are the usual ones of the region.", serviceRules, FieldOptions.readingLimits,
    ],
    examples: [
      "pfctl pool add 'Nora Quill' '12 N Date St, Mesa, AZ' --team desert-blue --day Tue --volume 18000",
      "pfctl pool add 'Omar Reyes' '40 W Elm St, Mesa, AZ' --team desert-blue --day Tue --locate 33.4152,-111.8315",
    ])

  static let documents: [JSONDocument] = [.init("pool-add", FieldCall.AddPool.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let changes = FieldOptions.changes(arguments, keys) + (try PoolLocationOption.changes(arguments))
    let reply = try session.daemon().ask(
      FieldCall.AddPool(
        team: team, customer: arguments.operand(0) ?? "", address: arguments.operand(1) ?? "",
        region: arguments["region"], changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("pool-add", reply) }
    let id = ShownIDs(records: [reply.id])[reply.id]
    console.line("pool of \(visible(reply.customer)) added: \(reply.day), stop \(reply.order), \(id)")
    for doubt in reply.doubts { console.words(visible(doubt)) }
  }
}

/// The `--locate` option: a pool's coordinates as copied from a map.
enum PoolLocationOption {
  static let option = CommandDescription.Option(
    "locate", "LAT,LON", "degrees north and east, such as 33.4152,-111.8315")

  /// - Returns: an empty list without the option. The daemon checks the coordinates' range.
  static func changes(_ arguments: Arguments) throws(CommandFailure) -> [SettingChangeView] {
    guard let text = arguments["locate"] else { return [] }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmingSpaces(String($0)) }
    guard parts.count == 2, !parts.contains("") else {
      throw .usage("--locate must be LAT,LON, such as 33.4152,-111.8315, not '\(visible(text))'")
    }
    return [.init(key: "latitude", value: parts[0]), .init(key: "longitude", value: parts[1])]
  }
}

/// `pfctl pool set`: changes values of a pool, all or none.
enum PoolSetCommand: Command {
  static let keys: [FieldOptions.Key] =
    [("customer", "TEXT", "the customer's name"), ("address", "TEXT", "where it is")] + PoolAddCommand.keys + people

  /// The options for the contact at the pool.
  private static let people: [FieldOptions.Key] = [
    ("contact", "TEXT", "whom to ask for"), ("phone", "TEXT", "a telephone number; shown only with --reveal"),
    ("mail", "ADDRESS", "an e-mail address; shown only with --reveal"),
    ("gate", "TEXT", "how the gate opens; shown only with --reveal"), ("arrival", "TEXT", "when a visit is welcome"),
    ("tags", "TEXT", "tags, separated by commas; tech:NAME sets the pool's technician"),
  ]

  static let description = CommandDescription(
    "pool set", "change a pool, all or nothing", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool"), PoolLocationOption.option] + FieldOptions.options(keys),
    details: [
      "Notes and data about people and gates never appear in a log; the audit log shows only which fields changed.",
      PoolAddCommand.serviceRules, FieldOptions.readingLimits,
    ],
    examples: [
      "pfctl pool set 'Nora Quill' --team desert-blue --volume 17500 --fee 160",
      "pfctl pool set 'Nora Quill' --team desert-blue --service 'every 2 weeks from 2026-11-30'",
      "pfctl pool set 'Steve Baird' --team desert-blue --arrival 'after 9' --tags tech:dan,vip",
    ])

  static let documents: [JSONDocument] = [.init("pool-set", FieldCall.SetPool.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let place = try PoolLocationOption.changes(arguments)
    let changes =
      place.isEmpty ? try FieldOptions.requiredChanges(arguments, keys) : FieldOptions.changes(arguments, keys) + place
    let reply = try session.daemon().ask(
      FieldCall.SetPool(team: team, pool: arguments.operand(0) ?? "", changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("pool-set", reply) }
    let next = reply.restores == nil ? "" : "; " + ServiceTexts.next(reply.next)
    console.line("pool of \(visible(reply.customer)): \(changes.map(\.key).joined(separator: ", ")) set\(next)")
    for warning in reply.warnings ?? [] { console.words(visible(warning)) }
    for doubt in reply.doubts { console.words(visible(doubt)) }
    if let changes = reply.restores {
      let options = changes.map { "--\($0.key) \(shellWord(ServiceTexts.rule(visible($0.value))))" }
        .joined(separator: " ")
      console.note(
        "to restore the dates of service before: pfctl pool set \(shellWord(visible(reply.customer))) \(options) --team "
          + visible(team))
    }
  }
}

/// `pfctl pool remove`: removes a pool.
enum PoolRemoveCommand: Command {
  static let description = CommandDescription(
    "pool remove", "remove a pool with its visits, equipment and profile", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool"), Confirmation.option],
    examples: ["pfctl pool remove 'Nora Quill' --team desert-blue --yes"])

  static let documents: [JSONDocument] = [.init("pool-remove", FieldCall.RemovePool.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let name = arguments.operand(0) ?? ""
    let details = try session.daemon().ask(PoolsCall.Show(team: team, pool: name, reveal: false)).details
    try Confirmation.ask(
      "Remove the pool of \(visible(details.pool.customer)) with \(TextFormat.count(details.visits, "visit"))?",
      arguments,
      session.console)
    let reply = try session.daemon().ask(FieldCall.RemovePool(team: team, pool: details.pool.id))
    let console = session.console
    if console.isJSON { return try console.document("pool-remove", reply) }
    console.line(
      "pool of \(visible(reply.customer)) removed with \(TextFormat.count(reply.visits, "visit")) and "
        + "\(reply.equipment) of equipment")
  }
}
