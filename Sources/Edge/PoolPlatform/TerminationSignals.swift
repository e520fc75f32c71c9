import CLinux
import Glibc
import Synchronization

/// SIGTERM, SIGINT and SIGHUP as values. Made once, before anything else starts, so that none is missed.
///
/// A handler writes the signal's number into a pipe, and a thread of its own reads there: libdispatch's signal sources
/// lose one now and then on a busy machine, between its main thread's `sigsuspend` and its own descriptor.
package final class TerminationSignals: Sendable {
  package enum Signal: Sendable { case terminate, reload }

  package let events: AsyncStream<Signal>
  private let writing: Int32
  /// Read by whoever waits until the thread has seen all that came before.
  private let answers: Int32
  private let wasToldToEnd = Atomic<Bool>(false)
  private let reloads = Atomic<Int>(0)

  /// What `lastWord` writes; no signal has this number.
  private static let question: UInt8 = 0

  /// - Throws: `SystemFailure` when the process has too few descriptors or threads left.
  package init() throws(SystemFailure) {
    let (stream, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(4))
    events = stream
    // A reader that went away is an error of that write, not the end of the daemon.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemFailure("cannot make a pipe for signals") }
    let (reading, writing) = (ends[0], ends[1])
    guard pipe(&ends) == 0 else { throw SystemFailure("cannot make a pipe for signals") }
    let answering = ends[1]
    self.writing = writing
    answers = ends[0]
    // A handler must never wait, and the image after a restore has a pipe of its own.
    guard fcntl(writing, F_SETFL, O_NONBLOCK) == 0, fcntl(reading, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(writing, F_SETFD, FD_CLOEXEC) == 0, fcntl(answers, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(answering, F_SETFD, FD_CLOEXEC) == 0
    else { throw SystemFailure("cannot set up the pipe for signals") }
    try SystemThread.start { [self] in
      var number: UInt8 = 0
      while true {
        switch read(reading, &number, 1) {
        case 1 where number == Self.question: write(answering, &number, 1)
        case 1 where Int32(number) == SIGHUP:
          reloads.add(1, ordering: .sequentiallyConsistent)
          continuation.yield(.reload)
        case 1:
          wasToldToEnd.store(true, ordering: .sequentiallyConsistent)
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

  /// Whether it was told to end, and how often to reload, for who looks now and then instead of waiting for `events`.
  package var isToldToEnd: Bool { wasToldToEnd.load(ordering: .sequentiallyConsistent) }
  package var reloadCount: Int { reloads.load(ordering: .sequentiallyConsistent) }

  /// For a process that is about to begin anew: whether it was told to end instead, ever.
  ///
  /// From here on a signal ends it at once, so that none is lost between this question and the next program's own handlers.
  package func lastWord() -> Bool {
    // A reload comes by itself: the next program reads the settings anew.
    for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
    signal(SIGHUP, SIG_IGN)
    var word = Self.question
    // The answer comes after everything that was forwarded before; where the pipe is full, a signal is among it.
    guard write(writing, &word, 1) == 1 else { return true }
    while read(answers, &word, 1) < 0, errno == EINTR {}
    return wasToldToEnd.load(ordering: .sequentiallyConsistent)
  }
}
