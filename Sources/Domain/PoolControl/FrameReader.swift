/// Cuts a stream of bytes into frames: JSON texts ended by a NUL byte.
///
/// Never holds more than one frame of `limit` bytes and what arrived in the same piece.
package struct FrameReader: Sendable {
  /// The frame under way is longer than the bound.
  package struct Oversize: Error, Hashable {
    package let limit: Int
    package init(limit: Int) { self.limit = limit }
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  /// Where the first frame that was not handed out begins.
  private var start = 0
  /// Bytes from here on have not been searched for a NUL.
  private var searched = 0

  /// - Parameter limit: Bytes of one frame without its NUL.
  package init(limit: Int) {
    self.limit = limit
  }

  /// True while there are bytes of a frame that was not handed out, whole or not.
  package var hasBytes: Bool { start < bytes.count }

  package mutating func append(_ more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// The next whole frame without its NUL; nil while none has arrived.
  ///
  /// - Throws: `Oversize` as soon as the frame under way passes the bound, its end seen or not.
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
      // A connection that only waits keeps no room for the longest frame it ever sent.
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
