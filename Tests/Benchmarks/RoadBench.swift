import Foundation
import Glibc

/// Measures the built daemon and its control program on the demo data: start, replies, memory, wake-ups, size.
///
/// Needs the release build of both programs in the same folder and the demo backup below the current directory.
func benchRoad() {
  do {
    try RoadBench().run()
  } catch {
    benchFailed("road", error)
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
      // A leftover temporary folder does no harm.
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
    var (empty, status): ([Double], [Double]) = ([], [])
    for _ in 0..<21 {
      empty.append(try milliseconds { try spawn("/bin/true", []) })
      status.append(try milliseconds { try pfctl(["status"]) })
    }
    figureLine("beside it /bin/true, ms wall", empty, .baseline)
    figureLine("start to READY, ms", readies, .reference(100))
    // The bounds are those of the reference machine, where /bin/true takes 0.5 ms.
    figureLine("start to READY, times /bin/true", ratios(readies, to: empty), .atMost(100 / 0.5))
    figureLine("pfctl status, ms wall", status, .reference(20))
    figureLine("pfctl status, times /bin/true", ratios(status, to: empty), .atMost(20 / 0.5))
    figureLine("resident memory at rest, MB", [try daemon.megabytes("VmRSS")], .atMost(30))
    let idle = try daemon.idle(minutes: 3)
    figureLine("wake-ups a minute, idle for three", [idle.wakeUps], .atMost(1))
    figureLine("context switches of them a minute", [idle.switches])
    for name in ["poolflowd", "pfctl"] {
      let size = try FileManager.default.attributesOfItem(atPath: programs.appendingPathComponent(name).path)[.size]
      figureLine("\(name), MB as built (strip it for the shipped size)", [Double(size as? Int ?? 0) / 1e6])
    }
  }

  private func pfctl(_ arguments: [String]) throws {
    try spawn(programs.appendingPathComponent("pfctl").path, ["--socket", state + "/control.sock"] + arguments)
  }
}
