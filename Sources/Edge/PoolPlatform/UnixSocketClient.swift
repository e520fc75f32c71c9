internal import Glibc

/// A blocking client connection; no call takes longer than its deadline.
package final class UnixSocketClient {
  private let socket: UnixSocket
  private let path: String
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Connects to the socket at `path`.
  ///
  /// - Throws: `noDaemonAnswers`, `pathTooLong`, `timedOut` or `failed`.
  package init(path: String, deadline: Duration) throws(SocketError) {
    let address = try UnixSocketAddress(path: path)
    socket = try UnixSocket.make()
    self.path = path
    try socket.setDeadline(deadline)
    while address.connect(socket) != 0 {
      switch errno {
      case EINTR: continue
      case ENOENT, ECONNREFUSED, ENOTDIR: throw .noDaemonAnswers(path: path, errno: errno)
      case EAGAIN: throw .timedOut(path: path)
      default: throw .failed(operation: "connect to", path: path, errno: errno)
      }
    }
  }

  /// Sets the deadline of each later call.
  package func setDeadline(_ deadline: Duration) throws(SocketError) {
    try socket.setDeadline(deadline)
  }

  /// Sends all bytes; throws `timedOut` if the peer does not read them before the deadline.
  package func send(_ bytes: [UInt8]) throws(SocketError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try socket.send(rest)
      guard count > 0 else { throw .timedOut(path: path) }
      rest = rest.dropFirst(count)
    }
  }

  /// The bytes received so far, at least one; nil after the peer has closed the connection.
  package func receive() throws(SocketError) -> ArraySlice<UInt8>? {
    switch try socket.receive(into: &buffer) {
    case .bytes(let count): return buffer[..<count]
    case .end: return nil
    case .later: throw .timedOut(path: path)
    }
  }
}
