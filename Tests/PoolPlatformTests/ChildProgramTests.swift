import Glibc
import PoolPlatform
import PoolTestKit
import Testing

@Suite struct ChildProgramTests {
  /// A thread of the pool blocks every signal, and a daemon ignores a reader that leaves: neither is the child's affair.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGALRM, SIGUSR1], [false, true])
  func `a child takes signals whoever starts it`(_ number: Int32, ownGroup: Bool) throws {
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let ignored = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, ignored) }
    let child = try ChildProgram(
      "/bin/sh", ["-c", "kill -\(number) $$; exit 3"], environment: ["PATH": "/usr/bin:/bin"], ownGroup: ownGroup,
      [0: .reading("/dev/null"), 1: .writing("/dev/null"), 2: .writing("/dev/null")])
    #expect(child.end() == .signal(number))
  }

  @Test func `what is not there is said, and nothing is started`() {
    #expect(throws: SystemFailure.self) { try ChildProgram("/no/such/program", [], environment: [:], [:]) }
  }
}
