internal import CLinux
internal import Glibc

/// A child process. It inherits the parent's descriptors 0, 1 and 2, unless `openings` replaces them, and no others
/// except those in `openings`.
///
/// Its signals are set up as a shell does it: none is blocked, although threads of dispatch queues block them, and
/// SIGPIPE ends it.
package struct ChildProgram: Sendable {
  /// The file behind a descriptor of the child.
  package enum Opening: Sendable {
    /// A duplicate of the parent's descriptor.
    case descriptor(Int32)
    case reading(String)
    /// Opened for appending; created with mode 0600 if missing.
    case writing(String)
    case closed
  }

  /// The exit status of a child.
  package enum Ending: Hashable, Sendable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    package var description: String {
      switch self {
      case .exit(let code): "exit code \(code)"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  package let pid: Int32

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: the path of the executable.
  ///   - ownGroup: true makes it the leader of a new process group, so that it can be ended with its own children.
  ///   - openings: set up in this order. Duplicates come first, because opening a file could reuse the number of one.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String], ownGroup: Bool = false,
    _ openings: KeyValuePairs<Int32, Opening>
  ) throws(SystemFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, opening) in openings {
      switch opening {
      case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
      case .reading(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDONLY, 0)
      case .writing(let path):
        posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      case .closed: posix_spawn_file_actions_addclose(&actions, number)
      }
    }
    let argumentPointers = ([program] + arguments).map { strdup($0) } + [nil]
    let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in argumentPointers + settings { free(word) } }
    var started = pid_t()
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, defaults) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (ownGroup ? POSIX_SPAWN_SETPGROUP : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let code = posix_spawn(&started, program, &actions, &attributes, argumentPointers, settings)
    guard code == 0 else { throw SystemFailure("cannot start '\(program)'", code: code) }
    pid = started
  }

  /// True if `end` would return at once. False again after `end` has returned.
  package var hasEnded: Bool {
    var about = siginfo_t()
    return waitid(P_PID, id_t(pid), &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_signo != 0
  }

  /// A pidfd that becomes readable when the child ends; the caller closes it. -1 if the kernel has no pidfds.
  package func openProcessDescriptor() -> Int32 { poolflow_pidfd_open(pid) }

  /// Waits for the child to end and reaps it. Call it only once: afterwards the pid may belong to another process.
  @discardableResult
  package func end() -> Ending {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }

  /// Makes a pipe that children do not inherit unless it is in their `openings`.
  package static func pipe() throws(SystemFailure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw SystemFailure("cannot make a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
