import FlowPlatform
import FlowTestKit
import Glibc
import Testing

@Suite struct ChildProgramTests {
  /// Worker threads block every signal, and a daemon ignores SIGPIPE: a child must inherit neither.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGALRM, SIGUSR1], [false, true])
  func `a child receives signals regardless of its parent's mask`(_ number: Int32, ownGroup: Bool) throws {
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

  @Test func `a missing program is reported and nothing is started`() {
    #expect(throws: SystemFailure.self) { try ChildProgram("/no/such/program", [], environment: [:], [:]) }
  }
}
