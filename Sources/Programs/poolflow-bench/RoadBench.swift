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
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let folder: URL
  private let state: String
  private let programs: URL

  init() throws {
    programs = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
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
    var daemon = try start().daemon
    try pfctl(["team", "add", "desert-blue", "--zone", "America/Phoenix"])
    try pfctl(["import", "config/demo/demo-backup.zip", "--team", "desert-blue"])
    stop(daemon)
    var readies: [Double] = []
    for round in 0..<11 {
      let (next, ready) = try start()
      readies.append(ready * 1_000)
      if round < 10 { stop(next) } else { daemon = next }
    }
    defer { stop(daemon) }
    line("start to READY, ms", readies, limit: 100)
    line("pfctl status, ms wall", try (0..<21).map { _ in try timed { try pfctl(["status"]) } }, limit: 20)
    line("beside it /bin/true, ms wall", try (0..<21).map { _ in try timed { try spawn("/bin/true", []) } })
    line("resident memory at rest, MB", [try kilobytes(of: daemon, field: "VmRSS") / 1_024], limit: 30)
    try wakeUps(of: daemon)
    for name in ["poolflowd", "pfctl"] {
      let size = try FileManager.default.attributesOfItem(atPath: programs.appendingPathComponent(name).path)[.size]
      line("\(name), MB as built (strip it for the shipped size)", [Double(size as? Int ?? 0) / 1e6])
    }
  }

  /// Counts how often the daemon's threads gave up the processor by themselves while nothing was asked of it.
  ///
  /// One look of the scheduler passes from the timer's thread to its own and to the store's and back: a handful of
  /// switches is one wake-up, and there is one a minute.
  private func wakeUps(of daemon: Process) throws {
    func switches() throws -> [String: Int] {
      let tasks = "/proc/\(daemon.processIdentifier)/task"
      var counts: [String: Int] = [:]
      for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
        // A worker thread may end while it is counted.
        guard let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8) else { continue }
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") } ?? ""
        counts[task] = Int(line.split(separator: "\t").last ?? "") ?? 0
      }
      return counts
    }
    sleep(3)
    var before = try switches()
    var sum = 0
    // Worker threads come and go, so each second's share is taken while its thread lives.
    for _ in 0..<180 {
      sleep(1)
      let after = try switches()
      for (task, count) in after { sum += count - (before[task] ?? 0) }
      before = after
    }
    line("context switches a minute, idle for three", [Double(sum) / 3])
  }

  // MARK: Programs

  private func start() throws -> (daemon: Process, ready: Double) {
    let notify = folder.appendingPathComponent("notify").path
    unlink(notify)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(description: "no socket for the service manager's part") }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(notify.utf8) + [0]) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw Failure(description: "cannot bind '\(notify)'") }
    let daemon = Process()
    daemon.executableURL = programs.appendingPathComponent("poolflowd")
    daemon.arguments = ["--state-dir", state]
    daemon.environment = ["NOTIFY_SOCKET": notify, "PATH": "/usr/bin:/bin"]
    daemon.standardOutput = FileHandle.nullDevice
    daemon.standardError = FileHandle.nullDevice
    let begin = now()
    try daemon.run()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 10_000) == 1, recv(descriptor, &buffer, buffer.count, 0) > 0,
      String(decoding: buffer, as: UTF8.self).contains("READY=1")
    else { throw Failure(description: "the daemon did not become ready within ten seconds") }
    return (daemon, now() - begin)
  }

  private func stop(_ daemon: Process) {
    daemon.terminate()
    daemon.waitUntilExit()
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
      throw Failure(description: "cannot run '\(path)'")
    }
    var status: Int32 = 0
    guard waitpid(pid, &status, 0) == pid, status == 0 else {
      throw Failure(description: "'\(path) \(arguments.joined(separator: " "))' failed")
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

  private func kilobytes(of daemon: Process, field: String) throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(daemon.processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
    return Double(line.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "") ?? .nan
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
