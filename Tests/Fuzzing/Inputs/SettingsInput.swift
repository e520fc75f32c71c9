import FlowSettings
import FlowWork
import Glibc
import PoolJobs

/// Bytes as the settings file, read through a path as in the daemon.
enum SettingsInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    // The file is unlinked at once, so that a million of them leave no trace.
    var template = Array("/tmp/poolflow-settings-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw BrokenLaw("there is no file to write to: errno \(errno)") }
    defer { close(descriptor) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    try require(written == bytes.count, "the file cannot be written: errno \(errno)")
    let path = "/proc/self/fd/\(descriptor)"
    let promise: Duration = .milliseconds(5) + .microseconds(5 * bytes.count)
    let loaded: Result<Settings, SettingsError> = try limit.call("loading", promise) {
      do throws(SettingsError) {
        return .success(try Settings.load(configPath: path, environment: [:], terminal: false, catalogue: .pools))
      } catch {
        return .failure(error)
      }
    }
    switch loaded {
    case .success(let settings):
      try require(settings.path == path && !settings.sinks.isEmpty, "no sink is left")
      try require(Set(settings.sinks.map(\.name)).count == settings.sinks.count, "two sinks have one name")
    case .failure(.unreadable(_, let why)): throw BrokenLaw("the file is called unreadable: \(why)")
    case .failure(.mistakes(let problems)):
      try require(!problems.isEmpty, "the settings are refused without a mistake")
      for problem in problems {
        try require(problem.line >= 1 && problem.column >= 1, "a mistake has no place")
        try require(problem.column <= problem.text.count + 1, "a caret stands behind its line")
      }
      _ = try limit.call("explaining", promise) { SettingsError.mistakes(problems).description }
    }
  }
}
