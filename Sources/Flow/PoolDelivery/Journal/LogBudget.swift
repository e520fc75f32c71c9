internal import PoolModel
internal import Synchronization

/// Bounds how much of a log is written in a window of time: a fault that repeats a thousand times a second must not
/// push out of the journal what explains it.
package final class LogBudget: Sendable {
  private struct Window {
    var start: ContinuousClock.Instant?
    var written = 0
    var omitted = 0
  }

  private let lines: Int
  private let length: Duration
  private let window = Mutex(Window())

  package init(lines: Int = Limits.logLines, each length: Duration = Limits.logWindow) {
    self.lines = lines
    self.length = length
  }

  /// Whether one line more may be written, and how many were left out that nobody was told of yet.
  ///
  /// What was left out is told once, with the first line that may be written again.
  package func permit(at now: ContinuousClock.Instant) -> (isGranted: Bool, omitted: Int) {
    window.withLock { window in
      if window.start.map({ now - $0 >= length }) ?? true {
        window = Window(start: now, omitted: window.omitted)
      }
      guard window.written < lines else {
        window.omitted += 1
        return (false, 0)
      }
      window.written += 1
      defer { window.omitted = 0 }
      return (true, window.omitted)
    }
  }
}
