internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl outbox list`: lists notices being delivered.
enum OutboxListCommand: Command {
  static let description = CommandDescription(
    "outbox list", "notices and the state of their delivery, newest first",
    options: [
      CommandDescription.teamOption, .init("sink", "SINK", "only this sink"),
      .init("state", "STATE", "only entries in this state: pending, staged, sent, dead or held"),
      .init("limit", "N", "how many at most; default: 50"),
    ],
    examples: ["pfctl outbox list", "pfctl outbox list --state dead --json"])

  static let documents: [JSONDocument] = [.init("outbox", OutboxCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let limit = try arguments.integer("limit", standard: 50, in: 1...Limits.rowsPerAnswer)
    var state: EntryStateView?
    if let word = arguments["state"] {
      let words = EntryStateView.allCases.map(\.rawValue)
      guard let known = EntryStateView(rawValue: word) else {
        let hint = Suggestion.nearest(to: word, among: words).map { "; did you mean \($0)?" } ?? ""
        throw CommandFailure.usage("--state is pending, staged, sent, dead or held, not '\(visible(word))'\(hint)")
      }
      state = known
    }
    let call = OutboxCall.List(team: arguments["team"], sink: arguments["sink"], state: state, limit: limit)
    guard let reply = try session.ask(call, as: "outbox") else { return }
    let console = session.console
    show(reply.entries, on: console)
    let count = TextFormat.count(reply.entries.count, "entry", "entries")
    switch (state, reply.entries.isEmpty) {
    case (.dead, true): console.note("there are no dead entries")
    case (.dead, false): console.note("\(count); fix the cause, then `pfctl outbox retry --state dead --all`")
    case (_, true): console.note("there are no entries")
    case (_, false): console.note(count)
    }
  }

  static func show(_ entries: [EntryView], on console: Console) {
    var table = Table([
      .init("CREATED", rank: 4), .init("STATE"), .init("SINK", isKey: true), .init("TEAM", isKey: true),
      .init("TITLE", minWidth: 8), .init("TRIES", isNumber: true, rank: 3),
      .init("NEXT TRY OR ERROR", minWidth: 10, rank: 2),
      .init("NOTICE", isKey: true), .init("FOR", rank: 5, isKey: true), .init("DELIVERY", minWidth: 10, rank: 1),
    ])
    let ids = ShownIDs(notices: entries.map(\.noticeId))
    for entry in entries {
      let wait = entry.state == .pending ? entry.nextTryLocal : nil
      let note = [wait, entry.lastError].compactMap { $0 }.joined(separator: ": ")
      table.add([
        .init(entry.createdLocal), .init(entry.state.rawValue, style(entry.state)), .init(entry.sink),
        .init(entry.team.isEmpty ? "-" : entry.team),
        .init(entry.title), .init("\(entry.attempts)"), .init(note.isEmpty ? "-" : note),
        .init(ids[entry.noticeId]), .init(entry.recipient ?? "-"), DeliveryText.cell(entry.deliveries),
      ])
    }
    console.table(table)
  }

  private static func style(_ state: EntryStateView) -> Console.Style? {
    switch state {
    case .pending, .staged, .held: .yellow
    case .dead: .red
    case .sent: .green
    }
  }
}
