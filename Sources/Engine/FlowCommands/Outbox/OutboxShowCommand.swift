internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl outbox show`: one notice with its text and its delivery to every sink.
enum OutboxShowCommand: Command {
  static let description = CommandDescription(
    "outbox show", "one notice with its text and its delivery to every sink", operands: [.init("NOTICE")],
    details: TextFormat.recordNames,
    examples: ["pfctl outbox show latest", "pfctl outbox show 20260302T140000Z-morning-summary-17-f3a91c02"])

  static let documents: [JSONDocument] = [.init("notice", OutboxCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(OutboxCall.Show(noticeId: arguments.operand(0) ?? ""))
    let console = session.console
    if console.isJSON { return try console.document("notice", reply) }
    let notice = reply.notice
    console.line(console.paint(visible(notice.title), .bold))
    for text in [notice.body] + notice.lines {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) { console.line(visible(String(line))) }
    }
    console.line()
    DetailList.show(
      [("notice", notice.id), ("identifier", notice.identifier), ("team", notice.team)]
        + (notice.recipient.map { [("for", $0)] } ?? []) + [("job", notice.job), ("slot", notice.slotLocal)],
      on: console)
    console.line()
    OutboxListCommand.show(reply.entries, on: console)
    let deliveries = reply.entries.flatMap { $0.deliveries ?? [] }
    guard !deliveries.isEmpty else { return }
    console.line()
    DeliveryText.show(deliveries, on: console)
  }
}
