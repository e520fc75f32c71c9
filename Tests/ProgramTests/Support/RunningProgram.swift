import FlowPlatform
import Glibc

/// The reason why a program could not be started or failed unexpectedly.
struct CannotStart: Error, CustomStringConvertible {
  let description: String
}

/// A child process. It is killed and reaped when the last reference is released.
final class RunningProgram {
  typealias Ending = ChildProgram.Ending

  private let child: ChildProgram
  var pid: pid_t { child.pid }
  private(set) var ending: Ending?
  /// A descriptor that is readable once the process has ended.
  private let endingWatch: Int32

  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], output: ChildProgram.Opening,
    errors: String
  ) throws {
    child = try ChildProgram(
      program, arguments, environment: Self.underSanitizer(environment),
      [0: .reading("/dev/null"), 1: output, 2: .writing(errors)])
    endingWatch = child.openProcessDescriptor()
  }

  /// Adds the sanitizer's options and libraries from the tests' own environment, for programs built with a sanitizer
  /// (`config/sanitize.sh`).
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
    close(endingWatch)
  }

  /// - Returns: how the process ended; nil while it runs.
  func wait(by deadline: Deadline) -> Ending? {
    if ending == nil, isReadable(endingWatch, by: deadline) { reap() }
    return ending
  }

  /// - Throws: `TooLate` if the process still runs after `limit`.
  @discardableResult
  func end(within limit: Duration = .patience) throws -> Ending {
    guard let ending = wait(by: Deadline(limit)) else {
      throw TooLate(description: "process \(pid) still runs after \(limit)")
    }
    return ending
  }

  func send(_ signal: Int32) {
    // The pid of a reaped process may belong to another process.
    if ending == nil { kill(pid, signal) }
  }

  private func reap() { ending = child.end() }
}
