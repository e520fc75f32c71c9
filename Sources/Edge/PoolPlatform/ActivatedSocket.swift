/// The socket that the service manager holds for us (sd_listen_fds(3)): whoever calls while we start waits in it.
package enum ActivatedSocket {
  /// Why the sockets that were handed over cannot be used.
  package enum Failure: Error, CustomStringConvertible {
    case tooMany(Int)
    case wrongKind

    package var description: String {
      switch self {
      case .tooMany(let count):
        "the service manager handed over \(count) sockets and there is one to listen at; "
          + "keep one ListenStream= in the socket unit"
      case .wrongKind:
        "the service manager handed over something that is no listening AF_UNIX stream socket; "
          + "the socket unit takes ListenStream=/run/poolflow/control.sock"
      }
    }
  }

  /// The socket meant for this process; nil where nobody handed one over.
  ///
  /// - Throws: `Failure` or `SocketError`.
  package static func listener() throws -> UnixSocketListener? {
    let count = ServiceManager.handedOver()
    guard count > 0 else { return nil }
    guard count == 1 else { throw Failure.tooMany(count) }
    guard ServiceManager.isListeningUnixStream(ServiceManager.firstHandedOver) else { throw Failure.wrongKind }
    return try UnixSocketListener(adopting: ServiceManager.firstHandedOver)
  }
}
