import FlowBackup
import FlowModel

/// State of the inbox between two scans, and the wake-up of its scanner.
package actor InboxState {
  /// Requests for a scan; ends when its reader's task is cancelled.
  package nonisolated let wakeUps: AsyncStream<Void>
  private nonisolated let continuation: AsyncStream<Void>.Continuation
  private var watch = InboxWatch()
  private var isScanning = false
  /// Failures of the last scan, so that each is logged once.
  private var failures: Set<String> = []

  package init() {
    (wakeUps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package nonisolated func wake() { continuation.yield() }

  /// Begins a scan.
  ///
  /// - Returns: false if another scan is running.
  func beginScan() -> Bool {
    guard !isScanning else { return false }
    isScanning = true
    return true
  }

  func endScan() { isScanning = false }

  /// The waiting entries that have not changed since an earlier scan.
  func ready(_ waiting: [InboxFolder.Entry], at now: Timestamp) -> [InboxFolder.Entry] {
    watch.ready(waiting, at: now)
  }

  /// Remembers the failures of this scan.
  ///
  /// - Returns: the failures that the last scan did not find.
  func newFailures(of found: [String]) -> [String] {
    defer { failures = Set(found) }
    return found.filter { !failures.contains($0) }
  }
}
