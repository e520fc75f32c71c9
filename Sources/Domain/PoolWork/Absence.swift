package import PoolModel

/// A time in which nobody looked at the clock, or in which the clock itself was moved.
package struct Absence: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The daemon had been stopped.
    case stopped
    /// The daemon ended without a word; `from` is its last heartbeat.
    case crashed
    /// The daemon was there, but the machine slept or the process was suspended.
    case asleep
    /// Somebody set the clock forwards over this time.
    case clockSetForwards = "clock-set-forwards"
    /// Somebody set the clock back: this time came twice.
    case clockSetBack = "clock-set-back"
    /// The clock stood ahead at some time between, and came back at `to`.
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

  package func covers(_ instant: Timestamp) -> Bool { from <= instant && instant <= to }

  /// `the daemon was down from X to Y`, with the instants as `text` writes them.
  package func sentence(_ text: (Timestamp) -> String) -> String {
    let stretch = "from \(text(from)) to \(text(to))"
    return switch kind {
    case .stopped: "the daemon was stopped \(stretch)"
    case .crashed: "the daemon was down \(stretch), after a crash or a loss of power"
    case .asleep: "the machine slept or the daemon was suspended \(stretch)"
    case .clockSetForwards: "the clock was set forwards \(stretch)"
    case .clockSetBack: "the clock was set back \(stretch)"
    case .clockWasAhead: "the clock was wrong, ahead, at some time \(stretch)"
    }
  }
}
