import Foundation
import Glibc

/// Measures the built daemon and its control program on the demo data: start, answer, memory, wake-ups, size.
///
/// Needs the release build of both programs beside this one and the demo backup below the current directory.
func benchRoad() {
  do {
    try RoadBench().run()
  } catch {
    print("road: \(error)")
  }
}

private struct RoadBench {
  private let folder: URL
  private let state: String
  private let programs = BenchDaemon.programs

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    state = folder.appendingPathComponent("state").path
  }

  func run() throws {
    defer {
      // What a bench leaves in the temporary folder is nobody's loss.
      try? FileManager.default.removeItem(at: folder)
    }
    print("road: the daemon and pfctl on the demo data")
    var daemon = try BenchDaemon(folder: folder)
    try pfctl(["team", "add", "desert-blue", "--zone", "America/Phoenix"])
    try pfctl(["import", "config/demo/demo-backup.zip", "--team", "desert-blue"])
    daemon.stop()
    var readies: [Double] = []
    for round in 0..<11 {
      daemon = try BenchDaemon(folder: folder)
      readies.append(daemon.secondsToReady * 1_000)
      if round < 10 { daemon.stop() }
    }
    defer { daemon.stop() }
    line("start to READY, ms", readies, limit: 100)
    line("pfctl status, ms wall", try (0..<21).map { _ in try timed { try pfctl(["status"]) } }, limit: 20)
    line("beside it /bin/true, ms wall", try (0..<21).map { _ in try timed { try spawn("/bin/true", []) } })
    line("resident memory at rest, MB", [try daemon.megabytes("VmRSS")], limit: 30)
    let idle = try daemon.idle(minutes: 3)
    line("context switches a minute, idle for three", [idle.switches])
    for name in ["poolflowd", "pfctl"] {
      let size = try FileManager.default.attributesOfItem(atPath: programs.appendingPathComponent(name).path)[.size]
      line("\(name), MB as built (strip it for the shipped size)", [Double(size as? Int ?? 0) / 1e6])
    }
  }

  private func pfctl(_ arguments: [String]) throws {
    try spawn(programs.appendingPathComponent("pfctl").path, ["--socket", state + "/control.sock"] + arguments)
  }

  private func spawn(_ path: String, _ arguments: [String]) throws {
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

  // MARK: Figures

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func timed(_ body: () throws -> Void) throws -> Double {
    let begin = now()
    try body()
    return (now() - begin) * 1_000
  }

  private func line(_ name: String, _ figures: [Double], limit: Double? = nil) {
    let sorted = figures.sorted()
    let median = sorted[sorted.count / 2]
    func short(_ figure: Double) -> String { String(format: "%.1f", figure) }
    let spread = sorted.count > 1 ? "  (\(short(sorted[0])) to \(short(sorted[sorted.count - 1])))" : ""
    let promise = limit.map { "  promised at most \(short($0)): \(median <= $0 ? "kept" : "BROKEN")" } ?? ""
    print("  \(name): \(short(median))\(spread)\(promise)")
  }
}
