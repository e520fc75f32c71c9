package import FlowModel

/// A period in which the scheduler did not read the clock, or in which the clock itself was moved.
package struct Downtime: Hashable, Sendable {
  /// The cause of the absence; the raw value is stored.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The daemon was stopped on purpose.
    case stopped
    /// The daemon ended without recording a stop; `from` is its last heartbeat.
    case crashed
    /// The daemon was running, but the machine slept or the process was suspended.
    case asleep
    /// The clock was set forwards past this period.
    case clockSetForwards = "clock-set-forwards"
    /// The clock was set back: this period occurred twice.
    case clockSetBack = "clock-set-back"
    /// The clock ran ahead at some moment in this period and was corrected at `to`.
    case clockWasAhead = "clock-was-ahead"
  }

  package let kind: Kind
  package let from: Timestamp
  package let to: Timestamp

  package init(kind: Kind, from: Timestamp, to: Timestamp) {
    self.kind = kind
    self.from = from
    self.to = to
  }

  /// Whether the instant is within the absence, ends included.
  package func covers(_ instant: Timestamp) -> Bool { from <= instant && instant <= to }

  /// `the daemon was down from X to Y, …`, for `pfctl why` and the log.
  /// - Parameter text: formats the two instants.
  package func sentence(_ text: (Timestamp) -> String) -> String {
    let period = "from \(text(from)) to \(text(to))"
    return switch kind {
    case .stopped: "the daemon was stopped \(period)"
    case .crashed: "the daemon was down \(period), after a crash or power failure"
    case .asleep: "the machine slept or the daemon was suspended \(period)"
    case .clockSetForwards: "the clock was set forwards \(period)"
    case .clockSetBack: "the clock was set back \(period)"
    case .clockWasAhead: "the clock was ahead at some time \(period)"
    }
  }
}
