/// Splits a byte stream into frames: JSON texts terminated by a NUL byte.
///
/// Buffers at most one frame of `limit` bytes plus the last chunk received.
package struct FrameReader: Sendable {
  /// The current frame exceeds the limit.
  package struct Oversize: Error, Hashable {
    package let limit: Int
    package init(limit: Int) { self.limit = limit }
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  /// Index at which the first frame not yet returned begins.
  private var start = 0
  /// Index from which the bytes have not been searched for a NUL.
  private var searched = 0

  /// - Parameter limit: the maximum size of a frame in bytes, without its NUL.
  package init(limit: Int) {
    self.limit = limit
  }

  /// True if the buffer contains bytes of a frame not yet returned, complete or not.
  package var hasBytes: Bool { start < bytes.count }

  package mutating func append(_ more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// The next complete frame without its NUL; nil until it has arrived.
  ///
  /// - Throws: `Oversize` as soon as the current frame exceeds the limit, even if its end has not arrived.
  package mutating func next() throws(Oversize) -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: 0) else {
      searched = bytes.count
      if bytes.count - start > limit { throw Oversize(limit: limit) }
      return nil
    }
    guard end - start <= limit else { throw Oversize(limit: limit) }
    let frame = Array(bytes[start..<end])
    start = end + 1
    searched = start
    if start == bytes.count {
      // An idle connection must not keep the buffer of its longest frame.
      bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
      searched = 0
      start = 0
    } else if start > 64 << 10 {
      bytes.removeFirst(start)
      searched = 0
      start = 0
    }
    return frame
  }
}
