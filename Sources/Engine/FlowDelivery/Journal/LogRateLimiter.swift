internal import FlowModel
internal import Synchronization

/// Limits how many log lines are written in a time window, so that a fault repeated a thousand times a second does not push its
/// own explanation out of the journal.
package final class LogRateLimiter: Sendable {
  /// The lines of the current window. `omitted` also counts earlier omissions that have not been reported yet.
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

  /// Decides whether one more line may be written.
  ///
  /// - Returns: `isGranted`, and `omitted`, the number of lines dropped since the last granted line. Each dropped line is
  ///   reported once.
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
