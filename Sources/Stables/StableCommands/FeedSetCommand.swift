internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl feed set`: changes a horse's feed schedule.
enum FeedSetCommand: Command {
  static let keys: [FieldOptions.Key] = [
    ("am-grain", "TEXT", "the grain in the morning"),
    ("am-supplements", "TEXT", "supplements, separated by ; or |"),
    ("am-medications", "TEXT", "medications in the morning, separated by ; or |"),
    ("pm-grain", "TEXT", "the grain in the evening"),
    ("pm-supplements", "TEXT", "supplements, separated by ; or |"),
    ("pm-medications", "TEXT", "medications in the evening, separated by ; or |"),
  ]

  static let description = CommandDescription(
    "feed set", "change the feed of a horse in the morning and in the evening", operands: [.init("HORSE")],
    options: [.init("team", "TEAM", "whose horse")] + FieldOptions.options(keys),
    details: [
      "Values that are not given stay; an empty value clears the field. A slot with nothing to feed has no schedule: it "
        + "cannot be marked on the board, and no reminder is sent for it. Lists have at most 50 entries of 200 "
        + "characters."
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
