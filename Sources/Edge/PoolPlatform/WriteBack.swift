import CLinux
import Glibc

/// Has a large file written to disk while it is made, a little at a time.
///
/// Left to itself the kernel collects the hundreds of megabytes of a copy and writes them in one go, at the latest when the
/// file is flushed; whoever commits to the store meanwhile waits behind them, half a second. This takes nothing from the
/// flush at the end: until then no byte is promised to be there.
package struct WriteBack {
  private let descriptor: Int32
  private var begun = 0
  private var awaited = 0

  /// Bytes between two calls of the kernel.
  private static let step = 1 << 20
  /// Bytes that may be on their way: what a disk of 200 MB/s writes in 20 ms, the most that a commit finds before it.
  private static let underWay = 4 << 20

  /// - Parameter descriptor: open as long as this is used; it stays the caller's.
  package init(of descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The file has grown to `size` bytes, in order.
  ///
  /// - Throws: what the disk says of the bytes that were written. A file system that knows nothing of the kind is no fault.
  package mutating func reached(_ size: Int) throws(SystemFailure) {
    let whole = size / Self.step * Self.step
    guard whole > begun else { return }
    try check(poolflow_begin_write_back(descriptor, Int64(begun), Int64(whole - begun)))
    begun = whole
    let due = begun - Self.underWay
    guard due > awaited else { return }
    try check(poolflow_await_write_back(descriptor, Int64(awaited), Int64(due - awaited)))
    awaited = due
  }

  private func check(_ outcome: Int32) throws(SystemFailure) {
    // The kernel tells of a failed write once: a flush later on would not know of it.
    if outcome != 0, [EIO, ENOSPC, EDQUOT].contains(errno) { throw SystemFailure("cannot write a file back") }
  }
}
