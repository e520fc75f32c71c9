internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// The outcomes of deliveries as text.
enum DeliveryText {
  /// `handed to the mail server`, `refused: no such mailbox (550)`, `waits: quiet hours`.
  static func outcome(_ delivery: DeliveryView) -> String {
    let words = delivery.words
    switch delivery.outcome {
    case .delivered, .refused: return words
    case .expired: return words.isEmpty ? "expired" : "expired: \(words)"
    case .unknown: return words.isEmpty ? "may have arrived" : "may have arrived: \(words)"
    case .replaced: return words.isEmpty ? "replaced" : "replaced: \(words)"
    case .waiting: return words.isEmpty ? "waits" : "waits: \(words)"
    }
  }

  /// The most severe outcome, with counts: `2 delivered; waits: quiet hours`. Empty if there are no deliveries.
  static func summary(_ deliveries: [DeliveryView]?) -> String {
    let known = deliveries ?? []
    // Skip a replaced address if another address of the same person was reached.
    let reached = Set(known.filter { $0.outcome == .delivered }.map(\.recipient))
    let deliveries = known.filter { $0.outcome != .replaced || !reached.contains($0.recipient) }
    guard let worst = deliveries.first else { return "" }
    if deliveries.count == 1 { return outcome(worst) }
    let counts = DeliveryOutcomeView.allCases.compactMap { outcome in
      let count = deliveries.count { $0.outcome == outcome }
      return count > 0 ? "\(count) \(outcome.rawValue)" : nil
    }
    return counts.joined(separator: ", ")
      + (worst.outcome == .delivered || worst.outcome == .replaced ? "" : "; \(Self.outcome(worst))")
  }

  static func cell(_ deliveries: [DeliveryView]?) -> Table.Cell {
    let text = summary(deliveries)
    return .init(text.isEmpty ? "-" : text, deliveries?.first.flatMap { style($0.outcome) })
  }

  static func show(_ deliveries: [DeliveryView], on console: Console) {
    var table = Table([
      .init("AT"), .init("FOR", minWidth: 4), .init("CHANNEL", minWidth: 6), .init("OUTCOME", minWidth: 16, rank: 1),
      .init("TRIES", isNumber: true, rank: 2),
    ])
    for delivery in deliveries {
      let channel = delivery.channel == delivery.kind ? delivery.kind : "\(delivery.channel) (\(delivery.kind))"
      table.add([
        .init(delivery.local), .init(delivery.recipient ?? "all"), .init(channel),
        .init(outcome(delivery), style(delivery.outcome)), .init("\(delivery.tries)"),
      ])
    }
    console.table(table)
  }

  private static func style(_ outcome: DeliveryOutcomeView) -> Console.Style? {
    switch outcome {
    case .delivered, .replaced: .green
    case .waiting: .yellow
    case .refused, .expired, .unknown: .red
    }
  }
}
