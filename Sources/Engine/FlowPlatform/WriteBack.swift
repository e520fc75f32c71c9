import CLinux
import Glibc

/// Writes a large file to disk in small steps while it grows.
///
/// Otherwise the kernel collects hundreds of megabytes and writes them at once, at the latest during fsync; a commit to
/// the store would then wait behind them for half a second. This does not replace the final fsync: only that makes the
/// bytes durable.
package struct WriteBack {
  private let descriptor: Int32
  private var startedBytes = 0
  private var finishedBytes = 0

  /// The bytes written in one step.
  private static let stepBytes = 1 << 20
  /// The maximum of bytes in flight: about 20 ms at 200 MB/s, which bounds the delay of a commit.
  private static let maxBytesInFlight = 4 << 20

  /// Creates a writer.
  ///
  /// - Parameter descriptor: stays open while this is used; the caller closes it.
  package init(of descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Call this when the file has grown to `size` bytes.
  ///
  /// - Throws: write errors of the disk. ENOSYS and similar errors of file systems without this feature are ignored.
  package mutating func reached(_ size: Int) throws(SystemFailure) {
    let whole = size / Self.stepBytes * Self.stepBytes
    guard whole > startedBytes else { return }
    try check(poolflow_begin_write_back(descriptor, Int64(startedBytes), Int64(whole - startedBytes)))
    startedBytes = whole
    let due = startedBytes - Self.maxBytesInFlight
    guard due > finishedBytes else { return }
    try check(poolflow_await_write_back(descriptor, Int64(finishedBytes), Int64(due - finishedBytes)))
    finishedBytes = due
  }

  private func check(_ outcome: Int32) throws(SystemFailure) {
    // The kernel reports a failed write only once: the final fsync would not report it again.
    if outcome != 0, [EIO, ENOSPC, EDQUOT].contains(errno) { throw SystemFailure("cannot write a file back") }
  }
}
