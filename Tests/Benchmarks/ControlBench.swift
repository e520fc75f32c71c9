import FlowControl
import FlowModel
import FlowPlatform
import Foundation
import Glibc
import Synchronization

/// Measures `pfctl` with a thousand jobs, and the control socket under load.
///
/// Needs the release build of both programs in the same folder. With systemd, `systemctl list-timers` is measured for
/// comparison.
func benchControl() {
  do {
    try ControlBench().run()
  } catch {
    benchFailed("control", error)
  }
}

private struct ControlBench {
  private static let teams = 250
  private static let slowClients = 200
  private static let clients = 100
  private static let requests = 100

  private let folder: URL
  private let socketPath: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    socketPath = folder.appendingPathComponent("state/control.sock").path
  }

  func run() throws {
    print("control: pfctl with \(Self.teams * 4) jobs, and the socket under load")
    defer {
      // A leftover temporary folder does no harm.
      try? FileManager.default.removeItem(at: folder)
    }
    let daemon = try BenchDaemon(folder: folder)
    defer { daemon.stop() }
    let session = try BenchCaller(socketPath)
    for team in 1...Self.teams {
      _ = try session.ask(TeamsCall.Add(name: "team-\(team)", zone: "America/Phoenix"))
    }
    try walls()
    try load()
  }

  private func pfctl(_ words: [String]) throws {
    try spawn(BenchDaemon.programs.appendingPathComponent("pfctl").path, ["--socket", socketPath] + words)
  }

  private func walls() throws {
    var (empty, help, list): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<21 {
      empty.append(try milliseconds { try spawn("/bin/true", []) })
      help.append(try milliseconds { try pfctl(["--help"]) })
      list.append(try milliseconds { try pfctl(["list"]) })
    }
    figureLine("beside all of them /bin/true, ms wall", empty, .baseline)
    figureLine("pfctl --help, ms wall", help, .reference(10))
    // The bounds are those of the reference machine, where /bin/true takes 0.5 ms.
    figureLine("pfctl --help, times /bin/true", ratios(help, to: empty), .atMost(10 / 0.5))
    figureLine("pfctl list of \(Self.teams * 4) jobs, ms wall", list, .reference(50))
    // Half as much again, because the daemon takes part: 105 times under load on 2026-11-28, on an idle machine 50.
    figureLine("pfctl list of \(Self.teams * 4) jobs, times /bin/true", ratios(list, to: empty), .atMost(150))
    guard FileManager.default.fileExists(atPath: "/run/systemd/system") else {
      return notMeasured("beside it systemctl list-timers --all, ms wall", "no systemd runs here")
    }
    let systemctl = try (0..<21).map { _ in
      try milliseconds { try spawn("/usr/bin/systemctl", ["list-timers", "--all", "--no-pager"]) }
    }
    figureLine("beside it systemctl list-timers --all, ms wall", systemctl, .baseline)
  }

  /// Uses a client for each request, like pfctl; a busy reply is retried after a millisecond, which counts in the figure.
  private func load() throws {
    let slow = try (0..<Self.slowClients).map { _ in try HangingClient(socketPath) }
    // Let them hang before the others start.
    sleep(1)
    let path = socketPath
    let figures = Mutex<[Double]>([])
    let failures = Mutex(0)
    let waiting = DispatchGroup()
    let begin = ContinuousClock.now
    for client in 0..<Self.clients {
      waiting.enter()
      // One thread for each client: libdispatch would run fewer at once.
      Thread.detachNewThread {
        var own: [Double] = []
        for _ in 0..<Self.requests {
          let start = ContinuousClock.now
          if Self.isAnswered(TeamsCall.Show(name: "team-\(client + 1)"), path) {
            own.append((ContinuousClock.now - start) / .milliseconds(1))
          } else {
            failures.withLock { $0 += 1 }
          }
        }
        figures.withLock { $0 += own }
        waiting.leave()
      }
    }
    waiting.wait()
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let sorted = figures.withLock { $0.sorted() }
    withExtendedLifetime(slow) {}
    guard sorted.count > 100 else { throw BenchFailure(description: "only \(sorted.count) requests were answered") }
    let work = "\(Self.clients) clients x \(Self.requests) requests beside \(Self.slowClients) that hang"
    figureLine("\(work), a second", [Double(sorted.count) / seconds])
    figureLine("\(work), unanswered", [Double(failures.withLock { $0 })], .atMost(0))
    figureLine("a request, median, ms", [sorted[sorted.count / 2]])
    figureLine("a request, p99, ms", [sorted[sorted.count * 99 / 100]], .reference(50))
    figureLine("a request, worst, ms", [sorted[sorted.count - 1]])
  }

  private static func isAnswered(_ call: TeamsCall.Show, _ path: String) -> Bool {
    let patience = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < patience {
      do {
        _ = try BenchCaller(path).ask(call)
        return true
      } catch {
        // Busy, or disconnected during the request.
        usleep(1_000)
      }
    }
    return false
  }
}

/// Starts a call and never completes it.
private final class HangingClient {
  private let client: UnixSocketClient

  init(_ path: String) throws {
    client = try UnixSocketClient(path: path, deadline: .seconds(10))
    // A client that is refused at once also counts as slow.
    try? client.send(Array(#"{"method":"org.poolflow.Teams.Li"#.utf8))
  }
}
