internal import CLinux
internal import Glibc

/// A listening socket at a path: takes the place of a dead one, never that of a living one or of any other file.
package final class UnixSocketListener: Sendable {
  package let socket: UnixSocket
  /// Nil for a socket that another program bound for us.
  package let path: String?
  private let identity: FileIdentity?

  /// Who waits for a place waits here, in order; the kernel's own bound (somaxconn) is 4,096.
  private static let backlog: Int32 = 512

  private struct FileIdentity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// Binds `path` with `mode`, for `groupID` where we may give it away, and listens.
  ///
  /// Nobody can connect before the mode is right: the socket has it before it has a name, and listens last.
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
    // The umask may have taken bits away; this gives them back.
    guard chmod(path, mode) == 0 else { throw .failed(operation: "set the mode of", path: path, errno: errno) }
    if let groupID {
      // Only root and members of the group can: without it the socket serves its own user, as before.
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

  /// Takes over a socket that listens already, from systemd for example.
  package init(adopting descriptor: Int32) throws(SocketError) {
    socket = UnixSocket(owning: descriptor)
    path = nil
    identity = nil
    try socket.setNonBlocking()
  }

  /// What a try to accept brought.
  package enum Accepted {
    case connection(UnixSocket)
    /// Nobody waits.
    case nobody
    /// No descriptor or memory is left: try again in a while.
    case exhausted
  }

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
      case EAGAIN: return .nobody
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: throw .failed(operation: "accept a connection at", path: path, errno: errno)
      }
    }
  }

  /// Removes the name, if it still names our socket.
  package func removeName() {
    guard let path, let identity, Self.identity(of: path) == identity else { return }
    // A name that stays is found stale by the next daemon.
    _ = unlink(path)
  }

  /// Makes the missing directories above `path`, open to their owner and readable by all.
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

  /// Removes the name of a socket that nobody listens at.
  private static func clear(_ address: UnixSocketAddress) throws(SocketError) {
    var status = stat()
    guard lstat(address.path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .failed(operation: "look at", path: address.path, errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: address.path) }
    let probe = try UnixSocket.make()
    // A full backlog must not hold us: not waiting, it answers EAGAIN, and somebody owns that backlog.
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
