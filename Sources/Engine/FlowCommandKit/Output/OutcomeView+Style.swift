package import FlowControl

extension OutcomeView {
  /// How a table shows the outcome of a run; nil for plain text.
  package var style: Console.Style? {
    switch self {
    case .failed: .red
    case .missed, .waiting: .yellow
    case .notified, .running: .green
    case .skipped, .coalesced, .paused: .dim
    case .done: nil
    }
  }
}
