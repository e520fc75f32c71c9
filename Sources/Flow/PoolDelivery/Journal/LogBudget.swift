internal import PoolModel
internal import Synchronization

/// Bounds how much of a log is written in a stretch of time: a fault that repeats a thousand times a second must not
/// push out of the journal what explains it.
package final class LogBudget: Sendable {
  private struct Stretch {
    var start: ContinuousClock.Instant?
    var written = 0
    var omitted = 0
  }

  private let lines: Int
  private let length: Duration
  private let stretch = Mutex(Stretch())

  package init(lines: Int = Limits.logLines, each length: Duration = Limits.logStretch) {
    self.lines = lines
    self.length = length
  }

  /// Whether one line more may be written, and how many were left out that nobody was told of yet.
  ///
  /// What was left out is told once, with the first line that may be written again.
  package func permit(at now: ContinuousClock.Instant) -> (isGranted: Bool, omitted: Int) {
    stretch.withLock { stretch in
      if stretch.start.map({ now - $0 >= length }) ?? true {
        stretch = Stretch(start: now, omitted: stretch.omitted)
      }
      guard stretch.written < lines else {
        stretch.omitted += 1
        return (false, 0)
      }
      stretch.written += 1
      defer { stretch.omitted = 0 }
      return (true, stretch.omitted)
    }
  }
}
