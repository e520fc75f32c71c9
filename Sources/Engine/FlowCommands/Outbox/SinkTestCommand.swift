internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import Glibc

extension Limits {
  /// The time that `pfctl sink test` waits for the delivery of its notice.
  static let sinkTestTime: Duration = .seconds(10)
}

/// `pfctl sink test`: sends a test notice through the normal delivery path.
enum SinkTestCommand: Command {
  static let description = CommandDescription(
    "sink test", "send a test notice to a sink and wait for its delivery", operands: [.init("SINK")],
    details: [
      "It goes through the store and the sink's queue like every notice, and no filter of the sink stops it. It is for",
      "the operator: its job is `operator`, and it has no team.",
    ],
    examples: ["pfctl sink test drop"])

  /// The JSON document of `pfctl sink test`.
  private struct Result: Codable {
    let sink: String
    let notice: String
    let state: EntryStateView
    let error: String?
    let ms: Int
  }

  static let documents: [JSONDocument] = [.init("sink-test", Result.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let sink = arguments.operand(0) ?? ""
    let daemon = try session.daemon()
    let notice = try daemon.ask(OutboxCall.Test(sink: sink)).noticeId
    let start = ContinuousClock.now
    var entry: EntryView?
    while start.duration(to: .now) < Limits.sinkTestTime {
      entry = try daemon.ask(OutboxCall.Show(noticeId: notice)).entries.first
      // Stop at the first failed attempt instead of waiting for a retry.
      if entry?.state == .sent || entry?.state == .dead || entry?.lastError != nil { break }
      if try daemon.ask(OutboxCall.Sinks()).sinks.contains(where: { $0.name == sink && $0.state == .sick }) { break }
      poll(nil, 0, 20)
    }
    let trouble = try daemon.ask(OutboxCall.Sinks()).sinks.first { $0.name == sink }?.trouble
    let result = Result(
      sink: sink, notice: notice, state: entry?.state ?? .pending, error: entry?.lastError ?? trouble,
      ms: Int(start.duration(to: .now).wholeMilliseconds))
    let console = session.console
    let shown = visible(ShownIDs(notices: [notice])[notice])
    if console.isJSON { try console.document("sink-test", result) }
    guard result.state == .sent else {
      throw CommandFailure(
        name: "not-delivered",
        message:
          "the test notice \(shown) has not arrived at '\(sink)': \(result.error ?? "it still waits"); the daemon "
          + "tries again; to give it up: `pfctl outbox discard \(shown) --yes`",
        exitCode: ExitCode.tryAgain)
    }
    if !console.isJSON { console.line("'\(visible(sink))' accepted the test notice \(shown) within \(result.ms) ms") }
  }
}
