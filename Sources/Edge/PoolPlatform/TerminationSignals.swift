import CLinux
import Glibc

/// SIGTERM, SIGINT and SIGHUP as values. Made once, before anything else starts, so that none is missed.
///
/// A handler writes the signal's number into a pipe, and a thread of its own reads there: libdispatch's signal sources
/// lose one now and then on a busy machine, between its main thread's `sigsuspend` and its own descriptor.
package final class TerminationSignals: Sendable {
  package enum Signal: Sendable { case terminate, reload }

  package let events: AsyncStream<Signal>

  /// - Throws: `SystemFailure` when the process has too few descriptors or threads left.
  package init() throws(SystemFailure) {
    let (stream, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(4))
    events = stream
    // A reader that went away is an error of that write, not the end of the daemon.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemFailure("cannot make a pipe for signals") }
    let (reading, writing) = (ends[0], ends[1])
    // A handler must never wait, and the image after a restore has a pipe of its own.
    guard fcntl(writing, F_SETFL, O_NONBLOCK) == 0, fcntl(reading, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(writing, F_SETFD, FD_CLOEXEC) == 0
    else { throw SystemFailure("cannot set up the pipe for signals") }
    try SystemThread.start {
      var number: UInt8 = 0
      while true {
        switch read(reading, &number, 1) {
        case 1: continuation.yield(Int32(number) == SIGHUP ? .reload : .terminate)
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
}
