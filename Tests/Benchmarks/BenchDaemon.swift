import FlowPlatform
import Foundation
import Glibc

/// The reason why a benchmark cannot continue.
struct BenchFailure: Error, CustomStringConvertible { let description: String }

/// The built daemon on a state folder, started as by a service manager.
struct BenchDaemon {
  /// The folder of the release build's programs: the one of this program.
  static var programs: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
  }

  private let child: ChildProgram
  /// Seconds from its start to READY=1.
  let secondsToReady: Double

  /// Starts the daemon on `folder/state`, with that folder's `poolflow.conf` if there is one, and waits until it is ready.
  init(folder: URL) throws {
    let notify = folder.appendingPathComponent("notify").path
    unlink(notify)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { throw BenchFailure(description: "no socket for the service manager's part") }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(notify.utf8) + [0]) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw BenchFailure(description: "cannot bind '\(notify)'") }
    let state = folder.appendingPathComponent("state").path
    let settings = state + "/poolflow.conf"
    let begin = ContinuousClock.now
    child = try ChildProgram(
      Self.programs.appendingPathComponent("poolflowd").path,
      ["--state-dir", state] + (FileManager.default.fileExists(atPath: settings) ? ["--config", settings] : []),
      environment: ["NOTIFY_SOCKET": notify, "PATH": "/usr/bin:/bin"],
      [1: .writing("/dev/null"), 2: .writing("/dev/null")])
    var buffer = [UInt8](repeating: 0, count: 4_096)
    // Before READY=1 it may send EXTEND_TIMEOUT_USEC while it migrates its store.
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 30_000) == 1, case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0
      else {
        kill(child.pid, SIGTERM)
        child.end()
        throw BenchFailure(description: "the daemon said nothing for thirty seconds and is not ready")
      }
      if String(decoding: buffer.prefix(count), as: UTF8.self).contains("READY=1") { break }
    }
    secondsToReady = (ContinuousClock.now - begin) / .seconds(1)
  }

  func stop() {
    kill(child.pid, SIGTERM)
    child.end()
  }

  /// A figure from /proc/PID/status, such as `VmRSS`.
  func megabytes(_ field: String) throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(child.pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
    return (Double(line.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "") ?? .nan) / 1_024
  }

  /// Its totals since the start: CPU seconds, and megabytes written to disk.
  func work() throws -> (processor: Double, written: Double) {
    let line = try String(contentsOfFile: "/proc/\(child.pid)/stat", encoding: .utf8)
    // After the name, which ends at the last bracket, the times are the twelfth and thirteenth fields.
    let words = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ").dropFirst()
    let ticks = words.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +)
    let written =
      try String(contentsOfFile: "/proc/\(child.pid)/io", encoding: .utf8).split(separator: "\n")
      .first { $0.hasPrefix("write_bytes") }.flatMap { Double($0.split(separator: " ").last ?? "") } ?? .nan
    return (ticks / Double(sysconf(Int32(_SC_CLK_TCK))), written / 1e6)
  }

  /// The activity of an idle daemon, as averages per minute.
  ///
  /// One look of the scheduler passes through several threads: a few context switches make one wake-up. So `wakeUps` counts the
  /// seconds in which any thread was switched.
  func idle(minutes: Int) throws -> (switches: Double, wakeUps: Double) {
    func switches() throws -> [String: Int] {
      let tasks = "/proc/\(child.pid)/task"
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
    var (sum, busy) = (0, 0)
    // Worker threads come and go, so each second is counted while its threads live.
    for _ in 0..<60 * minutes {
      sleep(1)
      let after = try switches()
      let made = after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
      sum += made
      busy += made > 0 ? 1 : 0
      before = after
    }
    return (Double(sum) / Double(minutes), Double(busy) / Double(minutes))
  }
}
