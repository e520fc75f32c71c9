internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl status --check`: one line and an exit code in the format of monitoring plug-ins.
enum StatusCheck {
  static let option = CommandDescription.Option(
    "check", nil, "print one line for monitoring; exits with 0 ok, 1 warning, 2 critical, 3 unknown")

  /// The JSON document of `pfctl status --check`.
  struct Answer: Codable {
    let state: String
    let message: String
    let exitCode: Int32
    /// One line for each item that the message counts; monitoring shows them below it.
    var details: [String]?

    enum CodingKeys: String, CodingKey {
      case state, message, details
      case exitCode = "exit_code"
    }
  }

  static func run(_ session: Session) throws {
    let answer: Answer
    do {
      answer = evaluate(try session.runningDaemon().ask(SchedulerCall.Status()))
    } catch let error as CommandFailure {
      answer = Answer(state: "UNKNOWN", message: error.message, exitCode: ExitCode.unknown)
    }
    session.exitCode = answer.exitCode
    let console = session.console
    if console.isJSON { return try console.document("status-check", answer) }
    console.line("POOLFLOW \(answer.state): \(visible(answer.message))")
    for line in answer.details ?? [] { console.line(visible(line)) }
  }

  /// Critical: notices are not delivered. Warning: an operator should act today.
  private static func evaluate(_ status: SchedulerCall.Status.Reply) -> Answer {
    var critical: [String] = []
    var warnings: [String] = []
    if status.store?.state == .away { critical.append("the store's server does not answer") }
    if status.clock == .implausible { critical.append("the clock is not set") }
    if status.clock == .probation { warnings.append("the clock jumped") }
    if status.disk == .full { critical.append("the disk is full, nothing can be written") }
    if status.disk == .low { warnings.append("the disk is nearly full") }
    if status.clockMended != nil { warnings.append("the clock was wrong and has been corrected") }
    for sink in status.sinks {
      switch sink.state {
      case .ok: break
      case .degraded: warnings.append("sink \(sink.name) is degraded")
      case .sick: critical.append("sink \(sink.name) fails")
      }
    }
    let senders = status.senders ?? []
    let failures = senders.flatMap(\.failures)
    critical += failures.filter { !$0.isOfTeam }.map(\.title)
    warnings += failures.filter(\.isOfTeam).map(\.title) + senders.flatMap(\.slowChannels)
    let misnamed = senders.flatMap(\.warnings)
    if !misnamed.isEmpty { warnings.append("\(TextFormat.count(misnamed.count, "mistake")) in post.conf") }
    if status.outbox.dead > 0 { warnings.append("\(TextFormat.count(status.outbox.dead, "notice")) dead") }
    if status.outbox.held > 0 { warnings.append("\(TextFormat.count(status.outbox.held, "notice")) held") }
    if status.runsLastDay.failed > 0 { warnings.append("\(TextFormat.count(status.runsLastDay.failed, "run")) failed") }
    if let oldest = status.outbox.oldestPendingS, oldest > 3_600 {
      warnings.append("a notice has been waiting for \(TextFormat.duration(seconds: oldest))")
    }
    let troubled = Set((status.troubles ?? []).map(\.team))
    if !troubled.isEmpty {
      let named = troubled.sorted().prefix(5)
      let rest = troubled.count - named.count
      warnings.append(
        "\(TextFormat.count(troubled.count, "team")) in trouble: \(named.joined(separator: ", "))"
          + (rest > 0 ? " and \(rest) more" : ""))
    }
    // Failures of the last day are counted above.
    if let failed = status.failedWork, !failed.isEmpty, status.runsLastDay.failed == 0 {
      warnings.append("\(failed.count) of the server's jobs failed in their last run")
    }
    return answer(status, critical: critical, warnings: warnings)
  }

  /// One line for each item that a message counts; nil for none.
  private static func details(_ status: SchedulerCall.Status.Reply) -> [String]? {
    let senders = status.senders ?? []
    let lines =
      Dictionary(grouping: status.troubles ?? [], by: \.team).sorted { $0.key < $1.key }.map { team, troubles in
        "team '\(team)': " + troubles.map { "\($0.work): \($0.why)" }.joined(separator: "; ")
      } + (status.failedWork ?? [])
      + status.sinks.filter { $0.state == .degraded }.map { "sink '\($0.name)': \($0.detail)" }
      + senders.flatMap(\.failures).map { "\($0.title): \($0.detail)" } + senders.flatMap(\.warnings)
    return lines.isEmpty ? nil : lines
  }

  /// The answer for these findings.
  private static func answer(
    _ status: SchedulerCall.Status.Reply, critical: [String], warnings: [String]
  ) -> Answer {
    let details = details(status)
    let waiting = status.outbox.pending + status.outbox.staged
    // Performance data after `|`, which monitoring draws as graphs.
    let figures =
      " | teams=\(status.teams) pools=\(status.pools) waiting=\(waiting) dead=\(status.outbox.dead) "
      + "failed=\(status.runsLastDay.failed)"
    if !critical.isEmpty {
      return Answer(
        state: "CRITICAL", message: (critical + warnings).joined(separator: ", ") + figures,
        exitCode: ExitCode.critical,
        details: details)
    }
    if !warnings.isEmpty {
      return Answer(
        state: "WARNING", message: warnings.joined(separator: ", ") + figures, exitCode: ExitCode.attention,
        details: details)
    }
    let next = status.next.first.map { "next \($0.job) \($0.local)" } ?? "nothing is planned"
    return Answer(state: "OK", message: next + figures, exitCode: ExitCode.done)
  }
}
