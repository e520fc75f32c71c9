internal import CLinux
internal import Glibc
import Synchronization

/// The listening socket that systemd passes to the daemon (sd_listen_fds(3)). Clients that connect during start-up wait
/// in its queue.
package enum ActivatedSocket {
  /// The reason why the passed sockets cannot be used.
  package enum Failure: Error, CustomStringConvertible {
    case tooMany(Int)
    case wrongKind

    package var description: String {
      switch self {
      case .tooMany(let count):
        "the service manager passed \(count) sockets, but the daemon uses one; "
          + "keep one ListenStream= in the socket unit"
      case .wrongKind:
        "the service manager passed a descriptor that is not a listening AF_UNIX stream socket; "
          + "the socket unit takes ListenStream=/run/poolflow/control.sock"
      }
    }
  }

  /// True after `listener` has copied the socket: descriptor 3 then stays open for the next program in this process.
  private static let isCopied = Mutex(false)
  /// Copies of the socket get a descriptor of at least this number, above the standard and the passed descriptors.
  private static let lowestCopy: Int32 = 10

  /// The most connections that the kernel keeps waiting (net.core.somaxconn).
  private static let longestQueue = 4_096

  /// Passes the socket on to the program that this process is about to exec, in the way systemd passed it to this one.
  ///
  /// systemd passes its sockets only once, when it starts the process, and keeps the path bound: a program without the
  /// passed socket could not bind the path again.
  static func passToNextProgram() {
    guard isCopied.withLock({ $0 }), fcntl(ServiceManager.firstPassedDescriptor, F_SETFD, 0) == 0 else { return }
    setenv("LISTEN_FDS", "1", 1)
    setenv("LISTEN_PID", String(getpid()), 1)
  }

  /// The socket passed to this process; nil if there is none.
  ///
  /// The daemon listens on a copy. Descriptor 3 itself stays reserved for the next program: otherwise a thread that
  /// closes its descriptors late, while the next program starts, could close it or reuse its number.
  ///
  /// - Throws: `Failure`, `SystemFailure` or `SocketError`.
  package static func listener() throws -> UnixSocketListener? {
    let count = ServiceManager.passedSocketCount()
    guard count > 0 else { return nil }
    guard count == 1 else { throw Failure.tooMany(count) }
    guard ServiceManager.isListeningUnixStream(ServiceManager.firstPassedDescriptor) else { throw Failure.wrongKind }
    let copy = fcntl(ServiceManager.firstPassedDescriptor, F_DUPFD_CLOEXEC, lowestCopy)
    guard copy >= 0, fcntl(ServiceManager.firstPassedDescriptor, F_SETFD, FD_CLOEXEC) == 0 else {
      throw SystemFailure("cannot copy the socket that the service manager passed")
    }
    isCopied.withLock { $0 = true }
    return try UnixSocketListener(adopting: copy)
  }

  /// Accepts and closes every waiting connection, after a failed start.
  ///
  /// While a client waits, systemd restarts the service immediately, ignoring `RestartSec=`, until the trigger limit of
  /// the socket unit stops the socket as well.
  package static func closeWaitingConnections() {
    guard isCopied.withLock({ $0 }) || ServiceManager.passedSocketCount() == 1,
      ServiceManager.isListeningUnixStream(ServiceManager.firstPassedDescriptor)
    else { return }
    // Accepting cannot block: no other thread accepts here, and a connection stays queued even if its client
    // disconnects.
    for _ in 0..<longestQueue {
      var waiting = pollfd(fd: ServiceManager.firstPassedDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) > 0 else { return }
      let caller = poolflow_accept(ServiceManager.firstPassedDescriptor)
      guard caller >= 0 else { return }
      close(caller)
    }
  }
}
