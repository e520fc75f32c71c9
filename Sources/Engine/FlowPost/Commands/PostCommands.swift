import FlowModel
import FlowNotices
import FlowPlatform

/// The operator's commands of poolflow-post: `dead` for dead letters, `log` for the outcome of a notice, `status` for the
/// channels.
struct PostCommands {
  /// The names of the commands.
  static let words: Set<String> = ["dead", "log", "status"]

  /// An invalid command line; `exitCode` is one of sysexits(3).
  struct UsageError: Error, CustomStringConvertible {
    let description: String
    var exitCode: Int32 = 64
  }

  private let state: StateFolderView
  private let now: Timestamp
  private(set) var output = ""

  init(_ state: StateFolderView, now: Timestamp) { (self.state, self.now) = (state, now) }

  /// Runs one command and appends its output to `output`.
  ///
  /// - Parameter words: the command line without the options that name files.
  /// - Throws: `UsageError`, `SystemFailure`.
  mutating func run(_ words: [String]) throws {
    let options = Set(words.filter { $0.hasPrefix("-") })
    let operands = words.filter { !$0.hasPrefix("-") }
    switch operands.first {
    case "dead": try dead(Array(operands.dropFirst()), options)
    case "log":
      try check(options, known: ["--json"])
      guard operands.count == 2 else { throw UsageError(description: "log needs the id of one notice") }
      try log(operands[1], asJSON: options.contains("--json"))
    default:
      try check(options, known: ["--json"])
      guard operands.count == 1 else { throw UsageError(description: "status takes no operand") }
      try status(asJSON: options.contains("--json"))
    }
  }

  /// Runs a subcommand of `dead`: list, show, retry or drop.
  private mutating func dead(_ operands: [String], _ options: Set<String>) throws {
    let isAll = options.contains("--all")
    switch operands.first ?? "list" {
    case "list" where operands.count <= 1:
      try check(options, known: ["--json"])
      try list(asJSON: options.contains("--json"))
    case "show" where operands.count == 2:
      try check(options, known: ["--reveal"])
      show(try find(operands[1]), reveal: options.contains("--reveal"))
    case "retry" where operands.count == (isAll ? 1 : 2):
      try check(options, known: ["--all", "--late"])
      try retry(isAll ? nil : try find(operands[1]), late: options.contains("--late"))
    case "drop" where operands.count == (isAll ? 1 : 2):
      try check(options, known: ["--all"])
      let letters = isAll ? try state.deadLetters() : [try find(operands[1])]
      for letter in letters { try state.drop(letter) }
      printLine("\(Self.count(letters.count)) dropped")
    case "list", "show", "retry", "drop":
      throw UsageError(
        description: "write dead [list], dead show ID, dead retry ID|--all or dead drop ID|--all")
    default:
      let known = ["list", "show", "retry", "drop"]
      let hint = Suggestion.nearest(to: operands[0], among: known).map { "; did you mean \($0)?" } ?? ""
      throw UsageError(description: "dead has no command '\(visible(operands[0]))'\(hint)")
    }
  }

  /// Throws a `UsageError` if an option is unknown.
  private func check(_ options: Set<String>, known: Set<String>) throws {
    guard let unknown = options.subtracting(known).sorted().first else { return }
    throw UsageError(description: "unknown option '\(visible(unknown))'; see poolflow-post --help")
  }

  /// Finds a dead letter by a prefix of its key, at least four digits long, or by its full name.
  ///
  /// - Throws: `UsageError` if none or several match.
  private func find(_ id: String) throws -> StateFolderView.DeadLetter {
    let letters = try state.deadLetters().filter {
      $0.name == id || (id.utf8.count >= 4 && $0.delivery.key.hasPrefix(id))
    }
    guard let letter = letters.first else {
      throw UsageError(
        description: "there is no dead letter '\(visible(id))'; `poolflow-post dead` lists them", exitCode: 67)
    }
    guard letters.count == 1 else {
      throw UsageError(
        description: "'\(visible(id))' is the beginning of \(letters.count) dead letters; write more of the id")
    }
    return letter
  }

  // MARK: Dead letters

  private mutating func list(asJSON: Bool) throws {
    let letters = try state.deadLetters()
    if asJSON { return json("dead_letters", letters.map { $0.delivery.receipt }) }
    if letters.isEmpty { return printLine("there are no dead letters") }
    table(
      ["ID", "ENDED", "FOR", "CHANNEL", "WHY"],
      letters.map { letter in
        let receipt = letter.delivery.receipt
        return [letter.id, receipt.at.description, name(of: letter), receipt.channel, receipt.words]
      })
  }

  /// The recipient's name from the event; the recipient's key if the event has no name.
  private func name(of letter: StateFolderView.DeadLetter) -> String {
    Self.name(letter.delivery.recipient, state.event(of: letter))
  }

  private static func name(_ recipient: String, _ event: PostEvent?) -> String {
    if recipient == "*" { return "the team's board" }
    guard let person = event?.data.recipient, person.key == recipient, !person.name.isEmpty else { return recipient }
    return person.name
  }

  private mutating func show(_ letter: StateFolderView.DeadLetter, reveal: Bool) {
    let delivery = letter.delivery
    let event = state.event(of: letter)
    let receipt = delivery.receipt
    if let event { printLine(visible(event.data.title)) }
    var rows = [
      ["id", delivery.key], ["notice", delivery.event], ["team", delivery.team], ["for", name(of: letter)],
      ["channel", "\(delivery.channel) (\(delivery.kind))"], ["outcome", receipt.outcome.rawValue],
      ["why", receipt.words], ["tries", "\(receipt.tries)"], ["ended", receipt.at.description],
      ["of use until", Timestamp(milliseconds: delivery.expiresAt).description],
    ]
    rows.removeAll { $0[1].isEmpty }
    rows.append(["address", reveal ? delivery.address : "not shown: --reveal"])
    table(nil, rows)
  }

  /// Puts dead letters back into the queue of poolflow-post.
  ///
  /// - Parameters:
  ///   - letter: the dead letter; nil for all of them.
  ///   - late: true to send expired letters too.
  private mutating func retry(_ letter: StateFolderView.DeadLetter?, late: Bool) throws {
    let letters = if let letter { [letter] } else { try state.deadLetters() }
    let unexpired = letters.filter { late || $0.delivery.expiresAt > now.milliseconds }
    if let letter, unexpired.isEmpty {
      let until = Timestamp(milliseconds: letter.delivery.expiresAt)
      throw UsageError(description: "it expired at \(until); with --late it is sent anyway")
    }
    for letter in unexpired { try state.retry(letter) }
    let left = letters.count - unexpired.count
    printLine(
      "\(Self.count(unexpired.count)) \(unexpired.count == 1 ? "is" : "are") tried again"
        + (left > 0 ? "; \(left) expired ones stay (--late sends them anyway)" : "")
        + (state.isRunning || unexpired.isEmpty ? "" : "; poolflow-post is not running and retries them when it starts")
    )
  }

  private static func count(_ count: Int) -> String { count == 1 ? "1 dead letter" : "\(count) dead letters" }

  // MARK: Outcomes

  /// Prints all receipts of one notice.
  private mutating func log(_ notice: String, asJSON: Bool) throws {
    guard (try? PathComponent(identity: notice)) != nil else {
      throw UsageError(description: "'\(visible(notice))' is not the id of a notice; `pfctl outbox list` shows the ids")
    }
    let receipts = try state.receipts(of: notice)
    if asJSON { return json("receipts", receipts) }
    guard !receipts.isEmpty else {
      throw UsageError(
        description:
          "there is no record of the notice '\(visible(notice))'; deliveries that ended over 30 days ago are deleted",
        exitCode: 1)
    }
    let event = state.event(of: notice)
    table(
      ["AT", "FOR", "CHANNEL", "OUTCOME", "TRIES", "WORDS"],
      receipts.map {
        [
          $0.at.description, Self.name($0.recipient, event), $0.channel, $0.outcome.rawValue, "\($0.tries)", $0.words,
        ]
      })
  }

  /// Prints the sender's last report: channels, failures, dead letters and receipts that the daemon has not read.
  private mutating func status(asJSON: Bool) throws {
    let report = state.report()
    let (isRunning, dead, pendingReceipts) = (
      state.isRunning, try state.deadLetters().count, try state.pendingReceipts()
    )
    if asJSON {
      var json = JSONText()
      json.object { text in
        text.member("channels", report?.channels ?? [])
        text.member("dead_letters", dead)
        text.member("failures", report?.failures ?? [])
        text.member("is_running", isRunning)
        text.member("untold_receipts", pendingReceipts)
      }
      return printLine(String(decoding: json.bytes, as: UTF8.self))
    }
    printLine(isRunning ? "poolflow-post is running" : "poolflow-post is not running; this is its last state")
    table(
      ["CHANNEL", "KIND", "WAITING", "OLDEST", "LAST DELIVERED", "STATE"],
      (report?.channels ?? []).map {
        [$0.name, $0.kind, "\($0.waiting)", $0.oldest ?? "-", $0.lastDelivered ?? "-", $0.stateText]
      })
    for failure in report?.failures ?? [] { printLine("! \(failure.title): \(failure.words)") }
    if dead > 0 { printLine("\(Self.count(dead)): `poolflow-post dead`") }
    if pendingReceipts > 0 { printLine("\(pendingReceipts) receipts wait until the daemon reads their folder") }
  }

  // MARK: Output

  private mutating func printLine(_ line: String) { output += line + "\n" }

  private mutating func json(_ name: String, _ receipts: [Receipt]) {
    let items = receipts.map { String(decoding: $0.bytes.dropLast(), as: UTF8.self) }.joined(separator: ",")
    printLine("{\"\(name)\":[\(items)]}")
  }

  /// Prints rows in aligned columns, with escaped control characters.
  private mutating func table(_ headers: [String]?, _ rows: [[String]]) {
    let rows = ([headers].compactMap(\.self) + rows).map { $0.map(visible) }
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      printLine(cells.joined(separator: "  "))
    }
  }
}

extension SenderReport.Channel: JSONWritable {
  /// The health with its reason: `ok`, `stuck since 2026-11-27T06:30:00Z: the server cannot be reached (curl 7)`.
  fileprivate var stateText: String {
    let error = lastError.map { ": \($0)" } ?? ""
    return switch health {
    case .ok, nil: broken.map { "broken: \($0)" } ?? "ok"
    case .slow: "slow, \(overdue ?? 0) overdue\(error)"
    case .stuck: "stuck since \(dueSince ?? "an earlier start")\(error)"
    case .broken: "broken\(broken.map { ": \($0)" } ?? error)"
    }
  }

  func members(_ json: inout JSONText) {
    json.member("broken", broken)
    json.member("due_since", dueSince)
    json.member("health", health)
    json.member("kind", kind)
    json.member("last_delivered", lastDelivered)
    json.member("last_error", lastError)
    json.member("last_error_at", lastErrorAt)
    json.member("name", name)
    json.member("oldest", oldest)
    json.member("overdue", overdue)
    json.member("teams", teams ?? [])
    json.member("waiting", waiting)
  }
}

extension SenderReport.Failure: JSONWritable {
  func members(_ json: inout JSONText) {
    json.member("about", about)
    json.member("since", since)
    json.member("title", title)
    json.member("told", told)
    json.member("words", words)
  }
}
