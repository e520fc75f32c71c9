internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import Glibc

extension Limits {
  /// The time that `pfctl technician test` waits for the result of its notice.
  static let receiptTestTime: Duration = .seconds(30)
}

/// The options for a person.
private enum PersonOptions {
  static let keys: [FieldOptions.Key] = [
    ("mail", "ADDRESS", "an e-mail address"), ("ntfy", "TEXT", "a topic of ntfy"),
    ("telegram", "TEXT", "a Telegram chat: its number, or @name"),
    ("matrix", "TEXT", "a room such as '!room:example.com'"),
    ("slack", "TEXT", "the name of a poolflow-post channel for Slack"),
    ("teams", "TEXT", "the name of a poolflow-post channel for Teams"),
    ("webhook", "TEXT", "the name of a poolflow-post channel for anything else"),
    ("language", "LANGUAGE", "the language of the notices; default: the team's"),
    ("quiet-hours", "HH:MM-HH:MM", "when nothing is to ring"),
    (
      "wants", "TEXT",
      "which notices to get: route, low-stock, week, reminders, operator, separated by commas, or none; for a stable "
        + "feed, care and blankets instead of the first two"
    ),
  ]

  static let team = CommandDescription.Option("team", "TEAM", "whose technician")

  static let details = [
    "slack, teams and webhook name a channel of poolflow-post, which stores the secret URL. none, or an empty value, "
      + "removes an address.",
    "Addresses are personal data: only files of sinks with Sensitive=yes contain them, and only `pfctl technician list "
      + "--reveal` shows them.",
    "operator stands for the server's own notices, in English: an unhealthy sink, a failed backup, a clock that jumped, "
      + "bad records of a team. People who want it get these notices for all teams; it is never on by default.",
  ]

  static func show(_ reply: PeopleCall.Known, on console: Console) {
    let person = reply.person
    let addresses = person.reach.map { visible($0.channel) }.joined(separator: ", ")
    console.line(
      "\(visible(person.name)) of \(visible(person.team)): "
        + (addresses.isEmpty ? "not reached on any way" : "reached by \(addresses)")
        + "; wants \(person.wants.isEmpty ? "nothing" : person.wants.map(visible).joined(separator: ", "))")
    note(reply.sinks, on: console)
  }

  static func note(_ sinks: [String], on console: Console) {
    guard sinks.isEmpty else { return }
    console.note(
      "no sink has Sensitive=yes, so no person gets notices yet: `pfctl setup` adds such a sink and a server that sends them"
    )
  }
}

/// `pfctl technician list`: lists people and their addresses.
enum TechnicianListCommand: Command {
  static let description = CommandDescription(
    "technician list", "list technicians and offices with their addresses",
    options: [CommandDescription.teamOption, .init("reveal", nil, "the addresses, too")],
    examples: ["pfctl technician list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("technicians", PeopleCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PeopleCall.List(team: arguments["team"], reveal: arguments.has("reveal"))
    guard let reply = try session.ask(call, as: "technicians") else { return }
    let console = session.console
    var table = Table([
      .init("NAME", isKey: true), .init("TEAM", isKey: true), .init("POOLS", isNumber: true),
      .init("REACHED BY", minWidth: 16, isKey: true),
      .init("WANTS", minWidth: 8, rank: 1), .init("LANGUAGE", rank: 3), .init("QUIET HOURS", rank: 2),
    ])
    for person in reply.people {
      let addresses = person.reach.map { channelAddress in
        channelAddress.channel + (channelAddress.address.map { " \($0)" } ?? "")
      }
      table.add([
        .init(person.name), .init(person.team), .init(person.isOffice ? "-" : TextFormat.grouped(person.pools)),
        .init(addresses.isEmpty ? "-" : addresses.joined(separator: ", ")), .init(person.wants.joined(separator: ", ")),
        .init(person.language ?? "-"), .init(person.quiet ?? "-"),
      ])
    }
    console.table(table)
    if !arguments.has("reveal"), reply.people.contains(where: { !$0.reach.isEmpty }) {
      console.note("addresses are not shown: --reveal")
    }
    for warning in reply.remarks ?? [] { console.note("! \(visible(warning))") }
    PersonOptions.note(reply.sinks, on: console)
  }
}

/// `pfctl technician add`: adds a technician with addresses.
enum TechnicianAddCommand: Command {
  static let description = CommandDescription(
    "technician add", "add a technician with their addresses", operands: [.init("NAME")],
    options: [PersonOptions.team] + FieldOptions.options(PersonOptions.keys), details: PersonOptions.details,
    examples: ["pfctl technician add Nora --team desert-blue --mail nora@example.com --language es"])

  static let documents: [JSONDocument] = [.init("technician-add", PeopleCall.Add.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PeopleCall.Add(
      name: arguments.operand(0) ?? "", team: try session.team(arguments),
      changes: FieldOptions.changes(arguments, PersonOptions.keys))
    guard let reply = try session.tell(call, as: "technician-add") else { return }
    PersonOptions.show(reply, on: session.console)
    let others = try session.daemon().ask(PeopleCall.List(team: call.team, reveal: false)).people.filter {
      !$0.isOffice && $0.name != reply.person.name
    }.map(\.name)
    switch NameMatch(reply.person.name, among: others) {
    case .same(let other), .part(let other): warnAboutSimilarNames(reply.person, [other], on: session.console)
    case .near(let others): warnAboutSimilarNames(reply.person, others, on: session.console)
    case .none: break
    }
  }

  private static func warnAboutSimilarNames(_ person: PersonView, _ others: [String], on console: Console) {
    console.note(
      visible(
        "this is another technician than \(others.joined(separator: " and ")); if \(others.count == 1 ? "that one" : "one of them") "
          + "was meant: `pfctl technician remove \(shellWord(person.name)) --team \(person.team)`, then `pfctl technician set`"
      ))
  }
}

/// `pfctl technician set`: changes how a technician or the office is reached.
enum TechnicianSetCommand: Command {
  static let description = CommandDescription(
    "technician set", "set the addresses of a technician or the office, and the notices they get",
    operands: [.init("NAME")],
    options: [PersonOptions.team] + FieldOptions.options(PersonOptions.keys),
    details: [
      "NAME is a technician's name, or office for the team's office.",
      "Each morning a technician who has an address and wants the route gets a notice with their own stops, load and "
        + "water, in their language. The office gets the whole route, as every sink does.",
    ] + PersonOptions.details,
    examples: [
      "pfctl technician set dan --team desert-blue --mail dan@example.com --quiet-hours 20:00-05:30",
      "pfctl technician set office --team desert-blue --ntfy desert-blue-office --wants route,week",
      "pfctl technician set office --team desert-blue --wants route,operator",
    ])

  static let documents: [JSONDocument] = [.init("technician-set", PeopleCall.Change.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PeopleCall.Change(
      name: arguments.operand(0) ?? "", team: try session.team(arguments),
      changes: try FieldOptions.requiredChanges(arguments, PersonOptions.keys))
    guard let reply = try session.tell(call, as: "technician-set") else { return }
    PersonOptions.show(reply, on: session.console)
  }
}

/// `pfctl technician remove`: removes a technician.
enum TechnicianRemoveCommand: Command {
  static let description = CommandDescription(
    "technician remove", "remove a technician who has no pools, with all addresses",
    operands: [.init("NAME")], options: [PersonOptions.team],
    details: [
      "With office as NAME, the addresses of the office are removed. A technician who takes a moved or covered stop of today "
        + "or later is not removed; stops of past dates count as those of the pools' own technicians from then on."
    ],
    examples: ["pfctl technician remove Nora --team desert-blue"])

  static let documents: [JSONDocument] = [.init("technician-remove", PeopleCall.Remove.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PeopleCall.Remove(name: arguments.operand(0) ?? "", team: try session.team(arguments))
    guard let reply = try session.tell(call, as: "technician-remove") else { return }
    session.console.line("\(visible(reply.person.name)) of \(visible(reply.person.team)): removed")
  }
}

/// `pfctl technician test`: sends a test notice to one person.
enum TechnicianTestCommand: Command {
  static let description = CommandDescription(
    "technician test", "send a test notice to one technician, or the office, and show its delivery",
    operands: [.init("NAME")],
    options: [
      PersonOptions.team,
      .init(
        "within", "TIME", "how long to wait for the result, such as 30s (default) or 2m; 0: do not wait"),
    ],
    details: [
      "It goes through the store and the queues of the sinks with Sensitive=yes, like the morning's notice. The program "
        + "that takes the sink's files, such as poolflow-post, delivers it and reports the result: the exit code is 0 if "
        + "it was delivered to every address, 1 if it was refused, and 75 if it still waits."
    ],
    examples: ["pfctl technician test office --team desert-blue"])

  /// The JSON document of `pfctl technician test`.
  private struct Result: Codable {
    let name: String
    let notice: String
    let entries: [EntryView]
    /// True if the sink reports delivery outcomes.
    let reports: Bool
  }

  static let documents: [JSONDocument] = [.init("technician-test", Result.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let timeLimit = try timeLimit(arguments["within"])
    let call = PeopleCall.Test(name: arguments.operand(0) ?? "", team: try session.team(arguments))
    let daemon = try session.runningDaemon()
    let test = try daemon.ask(call)
    let start = ContinuousClock.now
    var entries: [EntryView] = []
    while start.duration(to: .now) < Limits.sinkTestTime {
      entries = try daemon.ask(OutboxCall.Show(noticeId: test.noticeId)).entries
      // Stop at the first failed attempt instead of waiting for a retry.
      if entries.allSatisfy({ $0.state == .sent || $0.state == .dead || $0.lastError != nil }) { break }
      let sick = try daemon.ask(OutboxCall.Sinks()).sinks.filter { $0.state == .sick }.map(\.name)
      if entries.allSatisfy({ $0.state == .sent || sick.contains($0.sink) }) { break }
      poll(nil, 0, 20)
    }
    let isReported = !(test.reporting ?? []).isEmpty && entries.allSatisfy { $0.state == .sent }
    if isReported {
      let wanted = (test.addresses ?? 1) * (test.reporting ?? []).count
      while !hasEnded(entries, wanted), start.duration(to: .now) < timeLimit {
        poll(nil, 0, 100)
        entries = try daemon.ask(OutboxCall.Show(noticeId: test.noticeId)).entries
      }
    }
    let console = session.console
    if console.isJSON {
      try console.document(
        "technician-test", Result(name: call.name, notice: test.noticeId, entries: entries, reports: isReported))
    }
    let shown = visible(ShownIDs(notices: [test.noticeId])[test.noticeId])
    let waiting = entries.filter { $0.state != .sent }
    guard waiting.isEmpty else {
      let why = waiting.map { "'\($0.sink)': \($0.lastError ?? "it still waits")" }.joined(separator: ", ")
      throw CommandFailure(
        name: "not-delivered",
        message:
          "the test notice \(shown) has not arrived at \(why); the daemon tries again; to give it up: `pfctl outbox "
          + "discard \(shown) --yes`",
        exitCode: ExitCode.tryAgain)
    }
    if !console.isJSON {
      let sinks = entries.map { "'\(visible($0.sink))'" }.joined(separator: ", ")
      console.line("\(sinks) accepted the test notice \(shown) for \(visible(call.name))")
    }
    guard isReported else {
      return console.note("no receipts show its delivery after the sink; see `pfctl config explain Receipts`")
    }
    try tell(entries.flatMap { $0.deliveries ?? [] }, wanted: test.addresses ?? 1, of: test.noticeId, on: console)
  }

  /// Prints the outcome and throws the matching exit code.
  private static func tell(
    _ deliveries: [DeliveryView], wanted: Int, of notice: String, on console: Console
  ) throws {
    if !console.isJSON {
      for delivery in deliveries {
        console.line("  \(visible(delivery.channel)): \(visible(DeliveryText.outcome(delivery)))")
      }
    }
    let lost = deliveries.filter { [.refused, .expired, .unknown].contains($0.outcome) }
    if !lost.isEmpty {
      let words = lost.map { "by \(visible($0.channel)) \(visible(DeliveryText.outcome($0)))" }
      throw CommandFailure(
        name: "delivery-failed", message: "the test notice was lost: \(words.joined(separator: ", "))",
        exitCode: ExitCode.attention)
    }
    let waiting = deliveries.filter { $0.outcome == .waiting }
    guard waiting.isEmpty, deliveries.count >= wanted else {
      let words = waiting.map { "by \(visible($0.channel)) it \(visible(DeliveryText.outcome($0)))" }
      throw CommandFailure(
        name: "not-delivered",
        message: (words.isEmpty ? "no receipt for the test notice yet" : words.joined(separator: ", "))
          + "; `pfctl outbox show \(notice)` shows its state, `poolflow-post status` whether it is being delivered",
        exitCode: ExitCode.tryAgain)
    }
  }

  private static func hasEnded(_ entries: [EntryView], _ wanted: Int) -> Bool {
    let deliveries = entries.flatMap { $0.deliveries ?? [] }
    return deliveries.count >= wanted && deliveries.allSatisfy { $0.outcome != .waiting }
  }

  private static func timeLimit(_ word: String?) throws -> Duration {
    guard let word else { return Limits.receiptTestTime }
    guard let time = Duration(shortText: word), time <= .minutes(10) else {
      throw CommandFailure.usage("--within must be between 0 and 10m, such as 30s, not '\(visible(word))'")
    }
    return time
  }
}
