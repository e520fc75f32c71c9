import Foundation
import Glibc
import PoolModel
import PoolPlatform

/// Runs a program to its end without its output; it must succeed.
func spawn(_ path: String, _ arguments: [String]) throws {
  var pid: pid_t = 0
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  guard posix_spawn(&pid, path, &actions, nil, &words, environ) == 0 else {
    throw BenchFailure(description: "cannot run '\(path)'")
  }
  var status: Int32 = 0
  guard waitpid(pid, &status, 0) == pid, status == 0 else {
    throw BenchFailure(description: "'\(path) \(arguments.joined(separator: " "))' failed")
  }
}

/// How long `body` takes by the wall.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let begin = ContinuousClock.now
  try body()
  return (ContinuousClock.now - begin) / .milliseconds(1)
}

/// The median with its spread, and what was promised of it.
func figureLine(_ name: String, _ figures: [Double], limit: Double? = nil, atLeast floor: Double? = nil) {
  let sorted = figures.sorted()
  let median = sorted[sorted.count / 2]
  func short(_ figure: Double) -> String { String(format: "%.1f", figure) }
  let spread = sorted.count > 1 ? "  (\(short(sorted[0])) to \(short(sorted[sorted.count - 1])))" : ""
  let most = limit.map { "  promised at most \(short($0)): \(median <= $0 ? "kept" : "BROKEN")" } ?? ""
  let least = floor.map { "  promised at least \(short($0)): \(median >= $0 ? "kept" : "BROKEN")" } ?? ""
  print("  \(name): \(short(median))\(spread)\(most)\(least)")
}

/// A figure of this process, such as `VmHWM`, the most it ever had in memory.
func megabytes(_ key: String) throws -> Double {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
  return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0) / 1_024
}

/// A clock that stands still.
struct FixedWallClock: WallClock {
  let instant: Timestamp
  func now() -> Timestamp { instant }
}
