import PoolControl
import FlowControl
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Synchronization
import Testing

extension Programs {
  /// Clients that request large answers without reading them, and clients that hang up, must not delay other clients.
  @Suite struct ControlLoadTests {
    private static let rows = 5_000
    /// A request whose answer is 3 MB long.
    private static let largeList =
      #"{"method":"org.poolflow.Pools.List","parameters":{"team":"desert-blue"},"more":true}"#

    /// A daemon with `rows` additional pools whose addresses have the maximum length.
    private func crowded(rows: Int = Self.rows) throws -> Daemon {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      var file = "customer_name,address,service_day,monthly_fee,pool_volume\n"
      for row in 1...rows {
        file += "Customer \(row),\(row) \(String(repeating: "Long Lane ", count: 19)),Monday,145,15000\n"
      }
      let path = try daemon.scratch.write("many.csv", file.utf8)
      try daemon.change("import", path, "--team", "desert-blue")
      return daemon
    }

    /// A value of `/proc/PID/status` in bytes, such as `VmRSS`, or `VmHWM` for the peak.
    private func memory(_ name: String, of daemon: Daemon) throws -> Int {
      let pid = try #require(daemon.program?.pid)
      let line = try #require(try Files.text("/proc/\(pid)/status").split(separator: "\n").first { $0.hasPrefix(name) })
      let number = try #require(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first)
      return try #require(Int(number)) * 1_024
    }

    @Test func `62 clients that never read their large lists delay no other client`()
      throws
    {
      let daemon = try crowded()
      let atRest = try memory("VmRSS", of: daemon)
      let deaf = try (1...62).map { _ in try ControlCaller(daemon.socket) }
      for caller in deaf { try caller.send(Self.largeList + "\0" + Self.largeList + "\0") }
      for _ in 1...12 {
        let status = try daemon.ask("status")
        #expect(status.code == 0, "\(status)")
      }
      // Another list waits for its turn among theirs; on a slow machine longer than the time limit of one call.
      try eventually("the list is answered", within: .seconds(60)) {
        let answer = try daemon.ask("pool", "list", "--team", "desert-blue", "--json")
        guard answer.code == 0 else { return false }
        let list = try JSONDecoder().decode(PoolsCall.List.Reply.self, from: Data(answer.output.utf8))
        return list.pools.count > Self.rows
      }
      let most = try memory("VmHWM", of: daemon)
      print("deaf clients: \(atRest >> 20) MB at rest, \(most >> 20) MB at most")
      #expect(most < atRest + 96 << 20)
      withExtendedLifetime(deaf) {}
    }

    @Test func `a list that clients never read is abandoned and its memory freed`() throws {
      let daemon = try crowded()
      let atRest = try memory("VmRSS", of: daemon)
      let deaf = try (1...62).map { _ in try ControlCaller(daemon.socket) }
      for caller in deaf { try caller.send(Self.largeList + "\0") }
      try eventually("they are given up", within: .seconds(60)) {
        deaf.allSatisfy { $0.hasBeenClosed || $0.firstBytes.contains("Control.Busy") }
      }
      try eventually("the memory is given back") { try memory("VmRSS", of: daemon) < atRest + 32 << 20 }
      print("after deaf clients: \(try memory("VmRSS", of: daemon) >> 20) MB, \(atRest >> 20) MB before")
    }

    @Test func `a list in one reply has a size limit; the error names the alternative`() throws {
      let daemon = try crowded()
      let caller = try ControlCaller(daemon.socket)
      let one = #"{"method":"org.poolflow.Pools.List","parameters":{"team":"desert-blue"}}"#
      try caller.send(one + "\0")
      let answer = try caller.frame()
      #expect(answer.contains("org.poolflow.Control.TooLarge") && answer.contains("`more`"), "\(answer.prefix(300))")
      // The connection stays usable, and with `more` the whole list arrives in pages.
      try caller.send(Self.largeList + "\0")
      var pools = 0
      var pages = 0
      while true {
        let data = Data(try caller.frame().utf8)
        let page = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let parameters = try #require(page["parameters"] as? [String: Any])
        pools += try #require(parameters["pools"] as? [Any]).count
        pages += 1
        #expect(data.count < Limits.controlBacklogBytes)
        guard page["continues"] as? Bool == true else { break }
      }
      #expect(pools > Self.rows && pages > 20)
    }

    /// Clients on a thread of their own that repeatedly connect, send twenty requests and hang up.
    private final class HastyClients: Sendable {
      private let state = Mutex((isOver: false, rounds: 0, ended: false))

      init(_ socket: String, asking frame: String) {
        Thread.detachNewThread { [self] in
          let frames = String(repeating: frame + "\0", count: 20)
          while !state.withLock({ $0.isOver }) {
            // A refused connection counts as a round, too.
            _ = try? ControlCaller(socket).send(frames)
            state.withLock { $0.rounds += 1 }
          }
          state.withLock { $0.ended = true }
        }
      }

      var rounds: Int { state.withLock { $0.rounds } }

      /// Returns once the thread makes no more connections.
      func stop() throws {
        state.withLock { $0.isOver = true }
        try eventually("the hasty clients end", within: .seconds(30)) { state.withLock { $0.ended } }
      }
    }

    @Test(arguments: [
      #"{"method":"org.poolflow.Pools.List","parameters":{"team":"desert-blue"},"more":true}"#,
      #"{"method":"org.poolflow.Pools.List","parameters":{"team":"desert-blue"}}"#,
      #"{"method":"org.poolflow.Scheduler.Status"}"#,
      #"{"method":"org.poolflow.Scheduler.Simulate","parameters":{"days":60}}"#,
      #"{"method":"org.poolflow.Scheduler.Status","oneway":true}"#,
      #"{"method":"org.poolflow.Teams.Set","parameters":{"name":"desert-blue","changes":[{"key":"units","value":"metric"}]},"oneway":true}"#,
    ])
    func `clients that ask and hang up lock out no other client`(frame: String) throws {
      let daemon = try crowded()
      let hasty = HastyClients(daemon.socket, asking: frame)
      try eventually("they are at it") { hasty.rounds > 100 }
      var codes: [Int32] = []
      for _ in 1...12 { codes.append(try daemon.ask("status").code) }
      print("hasty clients: \(hasty.rounds) rounds, pfctl status ended \(codes)")
      #expect(codes == Array(repeating: 0, count: 12))
      try hasty.stop()
      #expect(try daemon.ask("status").code == 0)
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `a one-way call is executed even if its client hangs up`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      func set(_ units: String, _ more: String) -> String {
        #"{"method":"org.poolflow.Teams.Set","parameters":{"name":"desert-blue","changes":[{"key":"units","value":"\#(units)"}]}\#(more)}"#
          + "\0"
      }
      for _ in 1...20 {
        _ = try ControlCaller(daemon.socket).send(set("metric", #","oneway":true"#))
        try eventually("a call that wants no answer is done") {
          try daemon.query(TeamsCall.Show.Reply.self, "team", "show", "desert-blue").team.units == .metric
        }
        try daemon.change("team", "set", "desert-blue", "units=imperial")
      }
    }

    @Test(.requires(.root)) func `users without permission take no connection slots, however many there are`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      // The file system lets them connect, so that the daemon refuses them by the kernel's peer credentials.
      for path in [daemon.scratch.path, daemon.state, daemon.socket] { #expect(chmod(path, 0o777) == 0) }
      let loop = "while :; do \(Checkout.pfctl) status --socket \(daemon.socket); done"
      let words = ["--reuid=65534", "--regid=65534", "--clear-groups", "/bin/sh", "-c", loop]
      let told = daemon.scratch.path + "/others"
      let others = try (1...3).map { _ in
        try RunningProgram("/usr/bin/setpriv", words, output: .writing(told), errors: told)
      }
      try eventually("they are turned away") {
        try Files.exists(told) && Files.text(told).contains("only root, the daemon's own user and members")
      }
      for _ in 1...12 { #expect(try daemon.ask("status").code == 0) }
      for other in others { other.send(SIGKILL) }
    }

    @Test func `a call with a duplicate key is refused, and nothing is done`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let caller = try ControlCaller(daemon.socket)
      for frame in [
        #"{"method":"org.poolflow.Teams.Set","parameters":{"name":"desert-blue","changes":[{"key":"units","value":"metric","value":"imperial"}]}}"#,
        #"{"method":"org.poolflow.Teams.List","method":"org.poolflow.Teams.Clear"}"#,
        #"{"method":"org.poolflow.Teams.Show","parameters":{"name":"desert-blue","\u006eame":"other"}}"#,
      ] {
        try caller.send(frame + "\0")
        let answer = try caller.frame()
        #expect(answer.contains("org.poolflow.Control.BadValue") && answer.contains("twice"), "\(answer)")
      }
      let team = try daemon.query(TeamsCall.Show.Reply.self, "team", "show", "desert-blue").team
      #expect(team.units == .imperial)
    }

    /// `POOLFLOW_ROUNDS` sets the number of rounds; leaks were visible after ten.
    @Test func `after many rounds of lists, exports and imports no memory is leaked`() throws {
      let rounds = ProcessInfo.processInfo.environment["POOLFLOW_ROUNDS"].flatMap { Int($0) } ?? 30
      let daemon = try crowded(rows: 1_000)
      func round() throws {
        _ = try daemon.query(PoolsCall.List.Reply.self, "pool", "list", "--team", "desert-blue")
        #expect(try daemon.ask("export", "pools", "--team", "desert-blue").code == 0)
        try daemon.change("import", daemon.scratch.path + "/many.csv", "--team", "desert-blue")
      }
      // The first rounds fill permanent caches: statements, pages of the store, travel times.
      for _ in 1...5 { try round() }
      let before = try memory("VmRSS", of: daemon)
      let descriptors = Files.names(in: "/proc/\(try #require(daemon.program).pid)/fd").count
      for _ in 1...rounds { try round() }
      // The once-a-minute work returns free memory to the system.
      daemon.clock.step(by: .seconds(61))
      try eventually("the memory is given back", within: .seconds(70)) {
        try memory("VmRSS", of: daemon) < before + 8 << 20
      }
      let pid = try #require(daemon.program).pid
      let after = Files.names(in: "/proc/\(pid)/fd").count
      #expect(after <= descriptors + 2, "\(after) descriptors, \(descriptors) before")
      let end = try memory("VmRSS", of: daemon) >> 20
      print("\(rounds) rounds: \(before >> 20) MB before, \(end) MB after; \(after) descriptors, \(descriptors) before")
    }
  }
}
