import Foundation
import Glibc
import PoolControl
import PoolModel
import PoolPlatform
import PoolTestKit
import Testing

extension Programs {
  /// Several daemons of one database: one serves, the others stand by.
  @Suite struct NodesTests {
    @Test func `a node that stands by answers questions, names who serves, and follows who leaves or is killed`() throws
    {
      guard let nodes = try NodesCase(["north", "south"]) else { return }
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      try nodes.serves("north")
      #expect(south.log.contains("node 'south': standing by: north serves"), "\(south.log)")
      let teams = try south.ask("team", "list")
      #expect(teams.code == 0 && teams.output.contains("desert-blue"), "\(teams)")
      let pools = try south.ask("pool", "list", "--team", "desert-blue", "--json")
      #expect(try pools.output == north.ask("pool", "list", "--team", "desert-blue", "--json").output)
      let refused = try south.ask("team", "add", "second", "--zone", "America/Boise")
      #expect(refused.code == 75 && refused.errors.contains("node 'north' serves, ask there"), "\(refused)")
      let beside = try north.ask("team", "list").output
      #expect(!beside.contains("second"))
      try eventually(
        "both have seen each other",
        {
          try [north, south].allSatisfy {
            try $0.query(DaemonCall.Nodes.Reply.self, "nodes").nodes.map(\.part) == [.serves, .standby]
          }
        })
      let seen = try south.query(DaemonCall.Nodes.Reply.self, "nodes")
      #expect(seen.own == "south" && seen.nodes.map(\.name) == ["north", "south"])
      #expect(seen.nodes.allSatisfy { abs($0.clockAheadS) <= 2 && $0.silentS < 60 }, "\(seen)")
      let table = try south.ask("nodes", "--plain")
      #expect(table.output.contains(/south \*.*stands by/) && table.output.contains(/north.*serves/), "\(table)")
      #expect(try north.ask("status").output.contains("north (this one) serves, south stands by"))
      #expect(try south.ask("status").output.contains("north serves, south (this one) stands by"))
      #expect(try north.ask("doctor", "--all").output.contains("nodes: north (this one) serves, south stands by"))

      let killed = ContinuousClock.now
      try north.kill()
      try nodes.serves("south")
      print("a killed node was followed within \(ContinuousClock.now - killed)")
      try eventually(
        "the operator hears of it",
        { Files.names(in: nodes.drop).contains { $0.contains("-node-followed-store-") && $0.hasSuffix(".json") } })
      try south.change("team", "add", "second", "--zone", "America/Boise")
      try north.start()
      #expect(try nodes.holder() == "south")
      #expect(try north.ask("team", "list").output.contains("second"))
      // What it was away for is told as an absence, on the node that follows as on its own.
      #expect(try south.ask("why", "backup").code == 0)

      // Who asks on a machine whose daemon does not run sees the others.
      try north.stop()
      let offline = try Pfctl.run(
        ["nodes", "--json", "--socket", north.socket], in: north.scratch,
        environment: ["CONFIGURATION_DIRECTORY": north.scratch.path])
      let others = try JSONDecoder().decode(DaemonCall.Nodes.Reply.self, from: Data(offline.output.utf8))
      #expect(others.own == "north" && others.nodes.map(\.name) == ["south"] && others.nodes[0].part == .serves)
      try north.start()

      let left = ContinuousClock.now
      #expect(try south.stop() == .exit(0))
      try nodes.serves("north")
      #expect(try north.ask("doctor").output.contains("no other node stands by"))
      // One that left by itself is no news.
      #expect(
        Files.names(in: nodes.drop).count { $0.contains("-node-followed-store-") && $0.hasSuffix(".json") } == 1)
      print("a node that left was followed within \(ContinuousClock.now - left)")
      #expect(try north.stop() == .exit(0))
    }

    @Test func `a node that is told to end or to reload while it stands by does so`() throws {
      guard let nodes = try NodesCase(["north", "south"]) else { return }
      let south = nodes.nodes[1]
      south.manager.forget()
      south.program?.send(SIGHUP)
      try south.manager.wait(for: "READY=1", from: #require(south.program))
      #expect(south.manager.lines.contains("STATUS=Standing by: north serves"), "\(south.manager.lines)")
      #expect(south.log.contains("the settings are read again"))
      #expect(try south.stop() == .exit(0))
      #expect(try nodes.holder() == "north")
    }

    @Test func `a node that is stopped is taken for dead, and stands by when it wakes`() throws {
      guard let nodes = try NodesCase(["north", "south"]) else { return }
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      try nodes.serves("north")
      let stopped = ContinuousClock.now
      north.program?.send(SIGSTOP)
      try nodes.serves("south")
      print("a stopped node was followed within \(ContinuousClock.now - stopped)")
      #expect(south.log.contains("node 'north' has said nothing for 6 s and is taken for dead"), "\(south.log)")
      north.program?.send(SIGCONT)
      try eventually(
        "it stands by: \(north.log.suffix(2_000))", { north.log.contains("node 'north': standing by: south serves") })
      #expect(north.log.contains("node 'south' has taken the store over"))
      #expect(try nodes.holder() == "south")
      let refused = try north.ask("team", "add", "second", "--zone", "America/Boise")
      #expect(refused.code == 75 && refused.errors.contains("node 'south' serves"), "\(refused)")
      #expect(try [north, south].map { try $0.stop() } == [.exit(0), .exit(0)])
    }

    @Test func `a node whose clock is far from the server's takes nothing, and hands over to one whose clock is right`()
      throws
    {
      guard let nodes = try NodesCase(["north", "south"]) else { return }
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      try nodes.serves("north")
      south.clock.step(by: .seconds(40))
      try north.kill()
      try eventually("it says why", { south.log.contains("takes nothing") })
      #expect(south.log.contains(/this clock is (39|40|41) s ahead of the server's/), "\(south.log)")
      #expect(try nodes.holder() == nil)
      south.clock.step(by: .seconds(-40))
      try nodes.serves("south")
      try north.start()
      south.clock.step(by: .seconds(-40))
      try nodes.serves("north")
      #expect(south.log.contains("another node takes over, and this one stands by"), "\(south.log)")
    }

    @Test func `a daemon without a name is not ended by a node, and is named`() throws {
      guard let nodes = try NodesCase(["north"]) else { return }
      let north = nodes.nodes[0]
      #expect(try north.stop() == .exit(0))
      let alone = try Daemon(at: Date.now.formatted(.iso8601), empty: true)
      try alone.scratch.write(
        "poolflow.conf",
        "[Store]\nEngine = postgresql\nConnection = \(nodes.server.connection(to: nodes.database))\n".utf8)
      try alone.start()
      try north.start()
      let refused = try north.ask("team", "add", "second", "--zone", "America/Boise")
      #expect(refused.code == 75 && refused.errors.contains("a daemon without a name (poolflowd)"), "\(refused)")
      #expect(try alone.ask("team", "list").code == 0)
      #expect(try alone.stop() == .exit(0))
      try nodes.serves("north")
    }

    // MARK: Blows

    private enum Blow: CaseIterable {
      case kill, pause, blink, leave, fast, immediate, sessions, network, clock
    }

    /// As many as `POOLFLOW_NODE_BLOWS` says, from `POOLFLOW_SEED` on.
    private static let (blows, seed): (Int, UInt64) = {
      let environment = ProcessInfo.processInfo.environment
      return (
        environment["POOLFLOW_NODE_BLOWS"].flatMap { Int($0) } ?? Blow.allCases.count,
        environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? 1
      )
    }()

    @Test func `whatever becomes of whoever serves, each slot runs once and is one file`() throws {
      guard let nodes = try NodesCase(["north", "south", "west"]) else { return }
      try nodes.serves("north")
      // A job falls once a minute at most: twelve of them give a slot every five seconds.
      for number in 0..<12 {
        try nodes.nodes[0].change(
          "reminder", "add", "r\(number)", "--team", "desert-blue", "--rule", "*:*:\(number * 5)", "--text", "Rinse")
        try nodes.nodes[0].change(
          "job", "set", "reminder-r\(number)", "--team", "desert-blue", "catch-up=all 50")
      }
      let begin = nodes.nodes[0].clock.now
      let watch = try DropWatch(nodes.drop, takesAway: true)
      let before = Files.names(in: nodes.drop).filter { $0.hasSuffix(".json") }
      var random = SeededNumbers(seed: Self.seed)
      var (tally, takeovers): ([Blow: Int], Int) = ([:], 0)
      for round in 0..<Self.blows {
        let blow = Blow.allCases[round % Blow.allCases.count]
        tally[blow, default: 0] += 1
        var name: String?
        try eventually(
          "somebody serves",
          {
            name = try nodes.holder()
            return name != nil
          })
        let number = try #require(nodes.names.firstIndex { $0 == name })
        let node = nodes.nodes[number]
        // Somewhere around a slot.
        let now = node.clock.now
        let next = Timestamp(seconds: (now.seconds / 5 + 1) * 5)
        let moment = next.advanced(by: .milliseconds(Int.random(in: -60...200, using: &random)))
        while node.clock.now < moment { poll(nil, 0, 1) }
        switch blow {
        case .kill:
          try node.kill()
          try node.start()
        case .leave:
          #expect(try node.stop() == .exit(0))
          try node.start()
        case .pause:
          node.program?.send(SIGSTOP)
          try eventually("another serves", { try nodes.holder().map { $0 != name } ?? false })
          poll(nil, 0, Int32.random(in: 0...1_500, using: &random))
          node.program?.send(SIGCONT)
        case .blink:
          node.program?.send(SIGSTOP)
          poll(nil, 0, Int32.random(in: 100...2_000, using: &random))
          node.program?.send(SIGCONT)
        case .fast, .immediate:
          try nodes.server.stop(blow == .fast ? .fast : .immediate)
          try nodes.server.start()
        case .sessions: try nodes.server.terminateBackends(of: nodes.database)
        case .clock:
          let far: Duration = .seconds(round.isMultiple(of: 2) ? 40 : -40)
          node.clock.step(by: far)
          try eventually("another serves", { try nodes.holder().map { $0 != name } ?? false })
          node.clock.step(by: .zero - far)
        case .network:
          nodes.proxies[number].goAway()
          try eventually("another serves", { try nodes.holder().map { $0 != name } ?? false })
          nodes.proxies[number].comeBack()
        }
        do {
          try eventually(
            "round \(round), \(blow): slot \(next) is told",
            {
              watch.look()
              return watch.arrivals.contains { $0.hasPrefix("\(next.compact)-reminder-r") }
            })
          if try nodes.holder() != name { takeovers += 1 }
        } catch {
          let logs = zip(nodes.names, nodes.nodes).map { "\($0): \($1.log.suffix(2_000))" }.joined(separator: "\n")
          Issue.record(
            "\(error)\n\(try nodes.query("SELECT * FROM poolflow.runs ORDER BY slot_ms DESC LIMIT 5"))\n\(logs)")
          break
        }
      }
      // No more slots from here on, and whoever serves tells those that there were.
      try eventually(
        "somebody takes the change",
        {
          try nodes.nodes.contains {
            try $0.ask("pause", "--team", "desert-blue").code == 0
          }
        })
      try eventually(
        "every sink has it", { try nodes.query("SELECT count(*) FROM poolflow.outbox WHERE state <> 'sent'") == "0" })
      watch.look()
      let outcomes = try nodes.query(
        """
        SELECT outcome, (max(slot_ms) - min(slot_ms)) / 5000 + 1 - count(*)
        FROM poolflow.runs JOIN poolflow.jobs USING (job_id)
        WHERE kind LIKE 'reminder-r%' AND slot_ms > \(begin.milliseconds) AND outcome <> 'paused' GROUP BY outcome
        """)
      let notices = try nodes.query("SELECT notice_id FROM poolflow.notices").split(separator: "\n").map {
        "\($0).json"
      }
      let files = Set(before).subtracting(watch.arrivals) + watch.arrivals
      let blows = tally.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
      print(
        "\(Self.blows) blows (\(blows)), \(takeovers) takeovers: \(outcomes), \(notices.count) notices, \(files.count) files"
      )
      #expect(outcomes == "notified|0")
      let twice = Dictionary(grouping: files) { $0 }.filter { $1.count > 1 }.keys.sorted()
      #expect(twice == [] && Set(files) == Set(notices))
      #expect(try nodes.nodes.map { try $0.stop() } == nodes.nodes.map { _ in .exit(0) })
    }
  }
}
