internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl why`: lists the facts behind a run or a notice and the next commands to try.
enum WhyCommand: Command {
  static let description = CommandDescription(
    "why", "why a job ran, did not run, was late or sent nothing, or why a notice did not arrive",
    operands: [.init("JOB|RUN|NOTICE")],
    options: [
      .init("team", "TEAM", "the team of the job; not needed for a run or a notice"),
      .init("at", "TIME", "explain the last slot until then, such as 'yesterday 07:00'"),
    ],
    details: ["Without --at it explains the newest slot."] + TextFormat.recordNames,
    examples: [
      "pfctl why morning-summary --team desert-blue",
      "pfctl why low-stock --team desert-blue --at '2026-03-02 18:30'",
      "pfctl why latest --team desert-blue", "pfctl why 20260302T140000Z-morning-summary-17-f3a91c02",
    ])

  static let documents: [JSONDocument] = [.init("why", SchedulerCall.Why.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = SchedulerCall.Why(
      subject: arguments.operand(0) ?? "", team: try session.team(ofJob: arguments.operand(0), arguments),
      at: arguments["at"])
    guard let reply = try session.ask(call, as: "why") else { return }
    let console = session.console
    console.line(console.paint(visible(reply.answer), .bold))
    console.line()
    let times = reply.facts.map { visible($0.local ?? "") }
    let timeWidth = times.map(\.count).max() ?? 0
    let wordWidth = reply.facts.map(\.word.count).max() ?? 0
    for (time, fact) in zip(times, reply.facts) {
      let first = time + String(repeating: " ", count: timeWidth - time.count)
      let word = fact.word + String(repeating: " ", count: wordWidth - fact.word.count)
      console.line("  \(console.paint(first, .dim))  \(visible(word))  \(visible(fact.text))")
    }
    guard !reply.advice.isEmpty else { return }
    console.line()
    let width = reply.advice.map(\.command.count).max() ?? 0
    for (index, advice) in reply.advice.enumerated() {
      let command = visible(advice.command)
      let padding = String(repeating: " ", count: max(0, width - command.count) + 3)
      console.line(
        "\(index == 0 ? "Do:  " : "     ")\(console.paint(command, .bold))\(padding)\(visible(advice.effect))")
    }
  }
}
