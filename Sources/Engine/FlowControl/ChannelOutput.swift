internal import FlowModel

/// Answers of a connection that are not yet written to its socket, and how long the peer has left them unread. Times are
/// readings of a monotonic clock.
struct ChannelOutput: Sendable {
  private var bytes: [UInt8] = []
  private var written = 0
  /// Time of the last progress while output is pending; nil if none is.
  private(set) var since: Duration?
  /// Start of the current period in which the peer always had unread output; nil if it has read everything.
  private var unreadSince: Duration?
  /// True if the peer has read more after its socket buffer was full.
  private var hasReadAfterFull = false

  var pending: ArraySlice<UInt8> { bytes[written...] }

  /// Queues a frame with its zero byte at the end.
  mutating func append(_ frame: [UInt8], at now: Duration) {
    if bytes.isEmpty {
      since = now
      unreadSince = now
      hasReadAfterFull = false
    }
    bytes.append(contentsOf: frame)
    bytes.append(0)
  }

  /// Records that `count` bytes of `pending` were written to the socket.
  mutating func wrote(_ count: Int, at now: Duration) {
    written += count
    if let unreadSince, unreadSince < now { hasReadAfterFull = true }
    since = now
    if written == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
      written = 0
      since = nil
      unreadSince = nil
    } else if written > Limits.controlBacklogBytes {
      bytes.removeFirst(written)
      written = 0
    }
  }

  /// Drops all output, because the peer no longer reads it.
  mutating func drop() {
    bytes = []
    written = 0
    since = nil
    unreadSince = nil
  }

  /// Time at which the peer loses its unread answer if others wait for the memory: it read no more than its socket buffer
  /// holds, stopped reading, or is not done `deadline` after the first unread byte. Nil if it has read everything.
  func memoryDeadline(after deadline: Duration) -> Duration? {
    let readPatience = hasReadAfterFull ? Limits.nextReadPatience : Limits.firstReadPatience
    return [since.map { $0 + readPatience }, unreadSince.map { $0 + deadline }].compactMap { $0 }.min()
  }
}
