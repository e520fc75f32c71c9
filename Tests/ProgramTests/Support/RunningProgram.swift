import Glibc

/// Why a program could not be started.
struct CannotStart: Error, CustomStringConvertible {
  let description: String
}

/// A child process of ours. Ends with the last reference to it, and is always reaped.
final class RunningProgram {
  enum Ending: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    var description: String {
      switch self {
      case .exit(let code): "exit code \(code)"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  enum Output {
    case file(String)
    case closed
    case descriptor(Int32)
  }

  let pid: pid_t
  private(set) var ending: Ending?
  /// A pipe that the child holds open as long as it lives, and nobody writes to.
  private let lifeline: Int32

  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], output: Output, errors: String
  ) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CannotStart(description: "no pipe: \(errno)") }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    lifeline = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    switch output {
    case .file(let path): posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    case .closed: posix_spawn_file_actions_addclose(&actions, 1)
    case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
    }
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3)

    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let settings = Self.underSanitizer(environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var started = pid_t()
    let code = posix_spawn(&started, program, &actions, nil, words, settings)
    guard code == 0 else {
      close(lifeline)
      throw CannotStart(description: "cannot start '\(program)': \(String(cString: strerror(code)))")
    }
    pid = started
  }

  /// Programs built under a sanitizer have its options, and what must be loaded before the standard library, from the
  /// tests' own environment (`config/sanitize.sh`).
  private static func underSanitizer(_ environment: [String: String]) -> [String: String] {
    var settings = environment
    for name in ["TSAN_OPTIONS", "ASAN_OPTIONS"] where settings[name] == nil {
      guard let options = getenv(name) else { continue }
      settings[name] = String(cString: options)
      let preloads = [getenv("LD_PRELOAD").map { String(cString: $0) }, environment["LD_PRELOAD"]]
      settings["LD_PRELOAD"] = preloads.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ":")
    }
    return settings
  }

  deinit {
    if ending == nil {
      kill(pid, SIGKILL)
      reap()
    }
    close(lifeline)
  }

  /// - Returns: How it ended; nil when it still runs.
  func wait(by deadline: Deadline) -> Ending? {
    if ending == nil, isReadable(lifeline, by: deadline) { reap() }
    return ending
  }

  /// - Throws: `TooLate` when it still runs after `limit`.
  @discardableResult
  func end(within limit: Duration = .patience) throws -> Ending {
    guard let ending = wait(by: Deadline(limit)) else {
      throw TooLate(description: "process \(pid) still runs after \(limit)")
    }
    return ending
  }

  func send(_ signal: Int32) {
    // A number that was reaped may be somebody else's by now.
    if ending == nil { kill(pid, signal) }
  }

  private func reap() {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    ending = status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }
}
