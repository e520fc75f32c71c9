internal import PoolControl
internal import PoolModel

/// What the commands that repair the outbox share: which entries are meant, the question, and the answer in words.
enum EntryRepair {
  static let sinkOption = CommandDescription.Option("sink", "SINK", "only entries for this sink")
  static let allOption = CommandDescription.Option("all", nil, "every entry that the other options leave")
  static let sinceOption = CommandDescription.Option(
    "since", "TIME", "only notices since then, such as 2d, yesterday or 2026-03-02")

  static let deadOption = CommandDescription.Option("state", "STATE", "dead: only what was given up")

  static let options = [sinkOption, CommandDescription.teamOption, sinceOption, allOption]

  /// Whether only dead letters are meant.
  static func isDead(_ arguments: Arguments) throws(CommandFailure) -> Bool {
    guard let state = arguments[deadOption.name] else { return false }
    guard state == EntryStateView.dead.rawValue else {
      throw .usage("--state of `pfctl \(arguments.command.description.name)` is dead, not '\(visible(state))'")
    }
    return true
  }

  /// - Throws: `CommandFailure` where neither a notice nor `--all` says what is meant, or both do.
  static func selection(_ arguments: Arguments) throws(CommandFailure) -> EntrySelectionView {
    let notice = arguments.operand(0)
    let isAll = arguments.has("all")
    let name = arguments.command.description.name
    if notice == nil, !isAll {
      throw .usage("`pfctl \(name)` needs NOTICE or --all, which --sink, --team and --since narrow")
    }
    if notice != nil, isAll { throw .usage("`pfctl \(name)` takes NOTICE or --all, not both") }
    return EntrySelectionView(
      noticeId: notice, sink: arguments["sink"], team: arguments["team"], since: arguments["since"])
  }

  /// Asks with the number of entries, does it, and tells what was done.
  ///
  /// - Parameters:
  ///   - selected: which entries; nil where a notice or `--all` must say it.
  ///   - question: nil where the act does no harm; else what is asked of `3 entries`.
  ///   - done: what is said of so many entries, and of those that were left.
  ///   - call: makes the call, once to count and once to do.
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
      if count > 0 { try Question.ask(question(Wording.count(count, "entry", "entries")), arguments, console) }
    }
    let reply = try daemon.ask(call(which, false))
    if console.isJSON { return try console.document("repair", reply) }
    console.line(done(reply.repair.entries))
    if let left, reply.repair.left > 0 { console.legend(left(reply.repair.left)) }
    if reply.repair.entries + reply.repair.left == 0, let notice = which.noticeId {
      console.legend("`pfctl outbox show \(visible(notice))` tells what became of it")
    }
  }
}
