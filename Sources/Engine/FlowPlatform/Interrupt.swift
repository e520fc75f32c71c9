import CLinux
internal import Glibc

/// Makes Ctrl-C (SIGINT) set a flag, `hasCome`, instead of ending the process, as long as this object exists.
package final class Interrupt {
  private let reading: Int32
  private let writing: Int32

  /// Takes over SIGINT.
  package init() throws(SystemFailure) {
    (reading, writing) = try ChildProgram.pipe()
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    // The parent process may have blocked SIGINT, and the signal mask is inherited.
    var own = sigset_t()
    sigemptyset(&own)
    sigaddset(&own, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &own, nil)
    guard poolflow_forward_signal(SIGINT, writing) == 0 else { throw SystemFailure("cannot take SIGINT") }
  }

  deinit {
    signal(SIGINT, SIG_DFL)
    close(reading)
    close(writing)
  }

  package var hasCome: Bool {
    var number: UInt8 = 0
    return read(reading, &number, 1) == 1
  }
}
