internal import PoolControl
internal import PoolModel

/// `pfctl feed set`: changes a horse's feed schedule.
enum FeedSetCommand: Command {
  static let keys: [FieldOptions.Key] = [
    ("am-grain", "TEXT", "what it gets in the morning"),
    ("am-supplements", "TEXT", "besides, divided by ; or |"),
    ("am-medications", "TEXT", "medications of the morning, divided by ; or |"),
    ("pm-grain", "TEXT", "what it gets in the evening"),
    ("pm-supplements", "TEXT", "besides, divided by ; or |"),
    ("pm-medications", "TEXT", "medications of the evening, divided by ; or |"),
  ]

  static let description = CommandDescription(
    "feed set", "change what a horse is fed in the morning and in the evening", operands: [.init("HORSE")],
    options: [.init("team", "TEAM", "whose horse")] + FieldOptions.options(keys),
    details: [
      "What is not named stays; an empty value empties. A slot with nothing in it counts as no schedule: it is not on the "
        + "board to be marked, and nobody is reminded of it. Lists have at most 50 entries of 200 characters."
    ],
    examples: [
      "pfctl feed set juniper --team willow-barn --am-grain '2 qt oats' --am-supplements 'MSM; Biotin'",
      "pfctl feed set juniper --team willow-barn pm-medications=",
    ])

  static let documents: [JSONDocument] = [.init("feed-set", FeedCall.Set.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let reply = try session.daemon().ask(
      FeedCall.Set(
        team: team, horse: arguments.operand(0) ?? "", changes: try FieldOptions.requiredChanges(arguments, keys)))
    let console = session.console
    if console.isJSON { return try console.document("feed-set", reply) }
    if arguments.has("quiet") { return }
    DetailList.show(
      [
        ("horse", reply.schedule.horse), ("AM feed", FeedText.meal(reply.schedule.am)),
        ("PM feed", FeedText.meal(reply.schedule.pm)),
      ], on: console)
  }
}
