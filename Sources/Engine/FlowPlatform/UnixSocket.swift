internal import CLinux
internal import Glibc

/// A connected or listening stream socket, closed when the last reference is released.
package final class UnixSocket: Sendable {
  package let descriptor: Int32

  /// Takes ownership of the descriptor.
  package init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// SOCK_STREAM, for files that import libsystemd's headers, in which the C library's constant is not visible.
  static let streamKind = Int32(SOCK_STREAM.rawValue)

  /// A new AF_UNIX stream socket, closed on exec.
  static func make() throws(SocketError) -> UnixSocket {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .failed(operation: "make a socket", path: nil, errno: errno) }
    return UnixSocket(owning: descriptor)
  }

  package func setNonBlocking() throws(SocketError) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw .failed(operation: "set up a socket", path: nil, errno: errno)
    }
  }

  /// Limits each later blocking call to the duration.
  package func setDeadline(_ deadline: Duration) throws(SocketError) {
    let (seconds, attoseconds) = deadline.components
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      guard setsockopt(descriptor, SOL_SOCKET, option, &time, size) == 0 else {
        throw .failed(operation: "set a deadline", path: nil, errno: errno)
      }
    }
  }

  /// The result of a read.
  package enum Received: Equatable, Sendable {
    case bytes(Int)
    /// The peer has closed its sending side.
    case end
    /// No data yet; only on a non-blocking socket.
    case later
  }

  /// Reads into `buffer` from its beginning. File descriptors sent by the peer are closed.
  package func receive(into buffer: inout [UInt8]) throws(SocketError) -> Received {
    while true {
      let count = buffer.withUnsafeMutableBytes {
        poolflow_receive_without_descriptors(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .later
      case ECONNRESET, EPIPE: throw .closed
      default: throw .failed(operation: "read from a socket", path: nil, errno: errno)
      }
    }
  }

  /// Writes as much of `bytes` as the kernel accepts.
  ///
  /// - Returns: the number of bytes written; 0 if the socket buffer is full or the deadline has passed.
  package func send(_ bytes: ArraySlice<UInt8>) throws(SocketError) -> Int {
    while true {
      let count = bytes.withUnsafeBytes { poolflow_send_no_signal(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      case ECONNRESET, EPIPE: throw .closed
      default: throw .failed(operation: "write to a socket", path: nil, errno: errno)
      }
    }
  }
}

/// The kernel's form of a socket path.
struct UnixSocketAddress {
  /// `sun_path` has 108 bytes, one of them for the NUL.
  static let longestPath = 107

  let path: String
  private let address: sockaddr_un

  init(path: String) throws(SocketError) {
    let bytes = Array(path.utf8)
    guard bytes.count <= Self.longestPath else { throw .pathTooLong(path: path, bytes: bytes.count) }
    guard !bytes.isEmpty, !bytes.contains(0) else {
      throw .failed(operation: "use the path", path: path, errno: EINVAL)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    self.path = path
    self.address = address
  }

  /// Binds the socket; returns 0, or -1 with errno set.
  func bind(_ socket: UnixSocket) -> Int32 {
    withPointer { Glibc.bind(socket.descriptor, $0, $1) }
  }

  /// Connects the socket; returns 0, or -1 with errno set.
  func connect(_ socket: UnixSocket) -> Int32 {
    withPointer { Glibc.connect(socket.descriptor, $0, $1) }
  }

  private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
