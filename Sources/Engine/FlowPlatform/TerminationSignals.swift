import CLinux
import Glibc
import Synchronization

/// Delivers SIGTERM, SIGINT and SIGHUP as values of a stream. Created once, before all other start-up work, so that no
/// signal is missed.
///
/// A signal handler writes the signal's number into a pipe, which a dedicated thread reads. libdispatch's signal
/// sources occasionally lose a signal on a busy machine, between its main thread's `sigsuspend` and its own descriptor.
package final class TerminationSignals: Sendable {
  /// A request to stop, or to reload the settings.
  package enum Signal: Sendable { case terminate, reload }

  package let events: AsyncStream<Signal>
  private let writing: Int32
  /// The reading end of the pipe on which the thread confirms that it has handled all earlier signals.
  private let confirmations: Int32
  private let stopRequested = Atomic<Bool>(false)
  private let reloads = Atomic<Int>(0)

  /// The byte that `stopWasRequested` writes into the pipe; no signal has this number.
  private static let confirmationRequest: UInt8 = 0

  /// Installs the handlers.
  ///
  /// - Throws: `SystemFailure` if the process has too few descriptors or threads left.
  package init() throws(SystemFailure) {
    let (stream, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(4))
    events = stream
    // Writing to a closed connection then fails with EPIPE instead of ending the daemon.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemFailure("cannot make a pipe for signals") }
    let (reading, writing) = (ends[0], ends[1])
    guard pipe(&ends) == 0 else { throw SystemFailure("cannot make a pipe for signals") }
    let confirming = ends[1]
    self.writing = writing
    confirmations = ends[0]
    // The handler must never block, and the pipe must not be inherited by the program that runs after a restore.
    guard fcntl(writing, F_SETFL, O_NONBLOCK) == 0, fcntl(reading, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(writing, F_SETFD, FD_CLOEXEC) == 0, fcntl(confirmations, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(confirming, F_SETFD, FD_CLOEXEC) == 0
    else { throw SystemFailure("cannot set up the pipe for signals") }
    try SystemThread.start { [self] in
      var number: UInt8 = 0
      while true {
        switch read(reading, &number, 1) {
        case 1 where number == Self.confirmationRequest: write(confirming, &number, 1)
        case 1 where Int32(number) == SIGHUP:
          reloads.add(1, ordering: .sequentiallyConsistent)
          continuation.yield(.reload)
        case 1:
          stopRequested.store(true, ordering: .sequentiallyConsistent)
          continuation.yield(.terminate)
        case -1 where errno == EINTR: continue
        default: return continuation.finish()
        }
      }
    }
    for number in [SIGTERM, SIGINT, SIGHUP] {
      guard poolflow_forward_signal(number, writing) == 0 else {
        throw SystemFailure("cannot take signal \(number)")
      }
    }
  }

  /// True after SIGTERM or SIGINT. For code that polls instead of waiting for `events`.
  package var isStopRequested: Bool { stopRequested.load(ordering: .sequentiallyConsistent) }
  /// The number of SIGHUPs received.
  package var reloadCount: Int { reloads.load(ordering: .sequentiallyConsistent) }

  /// Checks, just before the process executes itself again, whether a stop was requested instead.
  ///
  /// From this call on, a signal ends the process immediately, so that none is lost before the next program installs
  /// its handlers.
  package func stopWasRequested() -> Bool {
    // A reload may be ignored: the next program reads the settings anyway.
    for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
    signal(SIGHUP, SIG_IGN)
    var word = Self.confirmationRequest
    // The thread answers after all earlier signals. If the pipe is full, assume that one of them is a request to stop.
    guard write(writing, &word, 1) == 1 else { return true }
    while read(confirmations, &word, 1) < 0, errno == EINTR {}
    return stopRequested.load(ordering: .sequentiallyConsistent)
  }
}
