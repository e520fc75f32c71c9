import Foundation
import Glibc

/// Measures the built daemon and its control program on the demo data: start, replies, memory, wake-ups, size.
///
/// Needs the release build of both programs in the same folder and the demo backup below the current directory.
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
    figureLine("start to READY, ms", readies, limit: 100)
    figureLine("pfctl status, ms wall", try (0..<21).map { _ in try milliseconds { try pfctl(["status"]) } }, limit: 20)
    figureLine(
      "beside it /bin/true, ms wall", try (0..<21).map { _ in try milliseconds { try spawn("/bin/true", []) } })
    figureLine("resident memory at rest, MB", [try daemon.megabytes("VmRSS")], limit: 30)
    let idle = try daemon.idle(minutes: 3)
    figureLine("wake-ups a minute, idle for three", [idle.wakeUps], limit: 1)
    figureLine("  context switches of them a minute", [idle.switches])
    for name in ["poolflowd", "pfctl"] {
      let size = try FileManager.default.attributesOfItem(atPath: programs.appendingPathComponent(name).path)[.size]
      figureLine("\(name), MB as built (strip it for the shipped size)", [Double(size as? Int ?? 0) / 1e6])
    }
  }

  private func pfctl(_ arguments: [String]) throws {
    try spawn(programs.appendingPathComponent("pfctl").path, ["--socket", state + "/control.sock"] + arguments)
  }
}
