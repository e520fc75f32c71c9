import CLinux
internal import Glibc

/// Ctrl-C as a question instead of an end, for as long as it is asked.
package final class Interrupt {
  private let reading: Int32
  private let writing: Int32

  package init() throws(SystemFailure) {
    (reading, writing) = try ChildProgram.pipe()
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    // Whoever started us may have had it blocked, and a mask is inherited.
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
