import FlowModel
import FlowPlatform

/// Runs work that needs one folder, and stops using the folder for a few seconds after an error. An error that lasts is logged
/// once.
final class ErrorBackoff {
  /// The time for which the folder is not used after an error.
  private static let retryInterval: Duration = .seconds(5)

  private let log: PostLog
  /// The uptime before which the folder is not used again.
  private var retryTime: Duration = .zero
  /// The last logged text, which is not logged again until the work has succeeded.
  private var lastText: String?

  init(_ log: PostLog) { self.log = log }

  /// True if the folder may be used now.
  var isUsable: Bool { MachineUptime.now() >= retryTime }

  /// Runs `body`, and applies its error if it throws one.
  ///
  /// - Parameter other: the back-off of another folder; an error that it has logged is not logged again.
  func perform(unlessLoggedBy other: ErrorBackoff? = nil, _ body: () throws -> Void) {
    do {
      try body()
      lastText = nil
    } catch {
      failed(error, unlessLoggedBy: other)
    }
  }

  /// Stops the use of the folder for `retryInterval`, and logs the error if it is new.
  func failed(_ error: any Error, unlessLoggedBy other: ErrorBackoff? = nil) {
    retryTime = MachineUptime.now() + Self.retryInterval
    guard lastText != "\(error)", other.map({ $0.lastText != "\(error)" }) ?? true else { return }
    lastText = "\(error)"
    log.error("\(error), trying again every \(Self.retryInterval.components.seconds) s")
  }

  /// Logs a warning, unless it was the last text logged.
  func warnOnce(_ text: String) {
    guard lastText != text else { return }
    lastText = text
    log.warning(text)
  }
}
