internal import CLinux
internal import Glibc
import Synchronization

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

  /// Whether the descriptor that the manager gave us is kept for the program that takes our place in this process.
  private static let isKept = Mutex(false)
  /// Above the place where the next program looks for the socket.
  private static let lowestCopy: Int32 = 10

  /// The most callers that the kernel lets wait (net.core.somaxconn).
  private static let longestQueue = 4_096

  /// Hands the socket over to the program that this process is about to become, as the service manager handed it to us.
  ///
  /// The manager gives its sockets to a process once, at its start, and goes on holding the name: a program that found
  /// nothing handed over would find the name taken.
  static func handOver() {
    guard isKept.withLock({ $0 }), fcntl(ServiceManager.firstHandedOver, F_SETFD, 0) == 0 else { return }
    setenv("LISTEN_FDS", "1", 1)
    setenv("LISTEN_PID", String(getpid()), 1)
  }

  /// The socket meant for this process; nil where nobody handed one over.
  ///
  /// We listen at a copy. The descriptor itself is nobody's until it is handed on: threads that still let go of theirs while
  /// the next program begins would otherwise close it, or take its number, in between.
  ///
  /// - Throws: `Failure`, `SystemFailure` or `SocketError`.
  package static func listener() throws -> UnixSocketListener? {
    let count = ServiceManager.handedOver()
    guard count > 0 else { return nil }
    guard count == 1 else { throw Failure.tooMany(count) }
    guard ServiceManager.isListeningUnixStream(ServiceManager.firstHandedOver) else { throw Failure.wrongKind }
    let copy = fcntl(ServiceManager.firstHandedOver, F_DUPFD_CLOEXEC, lowestCopy)
    guard copy >= 0, fcntl(ServiceManager.firstHandedOver, F_SETFD, FD_CLOEXEC) == 0 else {
      throw SystemFailure("cannot copy the socket that the service manager handed over")
    }
    isKept.withLock { $0 = true }
    return try UnixSocketListener(adopting: copy)
  }

  /// Hangs up on every caller that waits in the socket, for a start that failed.
  ///
  /// The manager starts the service again as long as a caller waits: at once, past its `RestartSec=`, and until the socket's
  /// trigger limit ends the socket itself.
  package static func hangUpOnWaiting() {
    guard isKept.withLock({ $0 }) || ServiceManager.handedOver() == 1,
      ServiceManager.isListeningUnixStream(ServiceManager.firstHandedOver)
    else { return }
    // This is the only thread that accepts, so a connection that poll reports is still there; a connection stays in the queue when its caller goes.
    for _ in 0..<longestQueue {
      var waiting = pollfd(fd: ServiceManager.firstHandedOver, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) > 0 else { return }
      let caller = poolflow_accept(ServiceManager.firstHandedOver)
      guard caller >= 0 else { return }
      close(caller)
    }
  }
}
