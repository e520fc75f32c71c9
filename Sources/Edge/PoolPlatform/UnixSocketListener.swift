internal import CLinux
internal import Glibc

/// A listening socket at a path. Replaces a stale socket, but never one in use or another kind of file.
package final class UnixSocketListener: Sendable {
  package let socket: UnixSocket
  /// Nil for a socket that systemd bound.
  package let path: String?
  private let identity: FileIdentity?

  /// The length of the accept queue; the kernel caps it at somaxconn (4,096).
  private static let backlog: Int32 = 512

  /// The device and inode of the socket file, which identify it after its path has been reused.
  private struct FileIdentity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// Binds `path` with `mode`, changes its group to `groupID` if permitted, and listens.
  ///
  /// No client can connect before the mode is set: it is set before the bind, and listening comes last.
  ///
  /// - Throws: `pathTooLong`, `notASocket`, `inUse` or `failed`.
  package init(path: String, mode: UInt32 = 0o660, groupID: UInt32? = nil) throws(SocketError) {
    let address = try UnixSocketAddress(path: path)
    try Self.clear(address)
    let socket = try UnixSocket.make()
    guard fchmod(socket.descriptor, mode) == 0 else {
      throw .failed(operation: "set the mode of", path: path, errno: errno)
    }
    guard address.bind(socket) == 0 else {
      throw errno == EADDRINUSE ? .inUse(path: path) : .failed(operation: "bind", path: path, errno: errno)
    }
    // Restores the mode bits that the umask removed.
    guard chmod(path, mode) == 0 else { throw .failed(operation: "set the mode of", path: path, errno: errno) }
    if let groupID {
      // Only root and members of the group may do this; on failure only the daemon's own user can connect.
      _ = chown(path, uid_t.max, groupID)
    }
    guard listen(socket.descriptor, Self.backlog) == 0 else {
      throw .failed(operation: "listen at", path: path, errno: errno)
    }
    try socket.setNonBlocking()
    self.socket = socket
    self.path = path
    identity = Self.identity(of: path)
  }

  /// Takes ownership of a listening socket, for example from systemd.
  package init(adopting descriptor: Int32) throws(SocketError) {
    socket = UnixSocket(owning: descriptor)
    path = nil
    identity = nil
    try socket.setNonBlocking()
  }

  /// The result of an attempt to accept a connection.
  package enum Accepted {
    case connection(UnixSocket)
    /// No connection is waiting.
    case noClient
    /// No descriptor or memory is left: retry later.
    case exhausted
  }

  /// Accepts a waiting connection without blocking. The connection is non-blocking.
  package func accept() throws(SocketError) -> Accepted {
    while true {
      let descriptor = poolflow_accept(socket.descriptor)
      if descriptor >= 0 {
        let connection = UnixSocket(owning: descriptor)
        try connection.setNonBlocking()
        return .connection(connection)
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return .noClient
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: throw .failed(operation: "accept a connection at", path: path, errno: errno)
      }
    }
  }

  /// Removes the socket's path, unless another socket has replaced it.
  package func removeName() {
    guard let path, let identity, Self.identity(of: path) == identity else { return }
    // If this fails, the next daemon detects the socket as stale.
    _ = unlink(path)
  }

  /// Creates the missing directories above `path`, with mode 0755.
  package static func makeDirectories(for path: String) throws(SocketError) {
    let parents = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    var directory = path.hasPrefix("/") ? "" : "."
    for parent in parents {
      directory += "/" + parent
      guard mkdir(directory, 0o755) == 0 || errno == EEXIST || access(directory, F_OK) == 0 else {
        throw .failed(operation: "make the directory", path: directory, errno: errno)
      }
    }
  }

  /// Removes a stale socket: one at which no process listens.
  private static func clear(_ address: UnixSocketAddress) throws(SocketError) {
    var status = stat()
    guard lstat(address.path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .failed(operation: "look at", path: address.path, errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: address.path) }
    let probe = try UnixSocket.make()
    // Non-blocking, so that a full accept queue returns EAGAIN instead of blocking: then a process owns that queue.
    try probe.setNonBlocking()
    guard address.connect(probe) != 0 else { throw .inUse(path: address.path) }
    switch errno {
    case ECONNREFUSED:
      guard unlink(address.path) == 0 || errno == ENOENT else {
        throw .failed(operation: "remove the stale socket", path: address.path, errno: errno)
      }
    case ENOENT: return
    case EAGAIN, EINPROGRESS: throw .inUse(path: address.path)
    default: throw .failed(operation: "look at", path: address.path, errno: errno)
    }
  }

  private static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
