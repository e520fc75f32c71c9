internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// Shared by the commands that repair the outbox: the selection of entries, the confirmation and the output.
enum EntryRepair {
  static let sinkOption = CommandDescription.Option("sink", "SINK", "only entries for this sink")
  static let allOption = CommandDescription.Option("all", nil, "all entries that the other options select")
  static let sinceOption = CommandDescription.Option(
    "since", "TIME", "only notices from then on, such as 2d, yesterday or 2026-03-02")

  static let deadOption = CommandDescription.Option("state", "STATE", "only dead: entries that were given up")

  static let options = [sinkOption, CommandDescription.teamOption, sinceOption, allOption]

  /// True if only dead letters are selected.
  static func selectsOnlyDead(_ arguments: Arguments) throws(CommandFailure) -> Bool {
    guard let state = arguments[deadOption.name] else { return false }
    guard state == EntryStateView.dead.rawValue else {
      throw .usage(
        "--state of `pfctl \(arguments.command.description.name)` accepts only dead, not '\(visible(state))'")
    }
    return true
  }

  /// - Throws: `CommandFailure` unless exactly one of a notice and `--all` is given.
  static func selection(_ arguments: Arguments) throws(CommandFailure) -> EntrySelectionView {
    let notice = arguments.operand(0)
    let isAll = arguments.has("all")
    let name = arguments.command.description.name
    if notice == nil, !isAll {
      throw .usage("`pfctl \(name)` needs NOTICE or --all; --sink, --team and --since limit --all")
    }
    if notice != nil, isAll { throw .usage("`pfctl \(name)` accepts NOTICE or --all, not both") }
    return EntrySelectionView(
      noticeId: notice, sink: arguments["sink"], team: arguments["team"], since: arguments["since"])
  }

  /// Asks with the number of entries, makes the change and prints the result.
  ///
  /// - Parameters:
  ///   - selected: the entries; nil to take them from the notice or `--all` on the command line.
  ///   - question: makes the confirmation question from a text such as `3 entries`; nil asks nothing.
  ///   - done: the message for the changed entries; `left` is the one for the skipped entries.
  ///   - call: makes the call, used once to count and once to change.
  static func run<Call: ControlMethod>(
    _ arguments: Arguments, _ session: Session, selected: EntrySelectionView? = nil,
    question: ((String) -> String)? = nil, done: (_ entries: Int) -> String, left: ((_ entries: Int) -> String)? = nil,
    call: (EntrySelectionView, _ dryRun: Bool) -> Call
  ) throws where Call.Reply == OutboxCall.RepairReply {
    let which = try selected ?? selection(arguments)
    let daemon = try session.daemon()
    let console = session.console
    if let question {
      let count = try daemon.ask(call(which, true)).repair.entries
      if count > 0 { try Confirmation.ask(question(TextFormat.count(count, "entry", "entries")), arguments, console) }
    }
    let reply = try daemon.ask(call(which, false))
    if console.isJSON { return try console.document("repair", reply) }
    console.line(done(reply.repair.entries))
    if let left, reply.repair.left > 0 { console.note(left(reply.repair.left)) }
    if reply.repair.entries + reply.repair.left == 0, let notice = which.noticeId {
      console.note("`pfctl outbox show \(visible(notice))` shows its state")
    }
  }
}
