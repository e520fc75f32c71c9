import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing
import TradeStores

extension Programs {
  /// Several daemons (nodes) with one database; each node owns a part of the teams.
  @Suite(.requires(.postgresql)) struct NodesTests {
    @Test func `nodes share teams equally, forward changes and take over from lost nodes`()
      throws
    {
      let nodes = try NodesCase(["north", "south"])
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      try nodes.areSpread(over: ["north", "south"])
      let teams = try south.ask("team", "list")
      #expect(teams.code == 0 && teams.output.contains("desert-blue"), "\(teams)")
      let pools = try south.ask("pool", "list", "--team", "desert-blue", "--json")
      #expect(try pools.output == north.ask("pool", "list", "--team", "desert-blue", "--json").output)
      try eventually(
        "both have seen each other",
        {
          try [north, south].allSatisfy {
            try $0.query(DaemonCall.Nodes.Reply.self, "nodes").nodes.map(\.shares) == [32, 32]
          }
        })
      let seen = try south.query(DaemonCall.Nodes.Reply.self, "nodes")
      #expect(seen.own == "south" && seen.nodes.map(\.name) == ["north", "south"])
      #expect(seen.nodes.allSatisfy { $0.part == .serves && abs($0.clockAheadS) <= 2 && $0.silentS < 60 }, "\(seen)")
      let table = try south.ask("nodes", "--plain")
      #expect(table.output.contains(/south \*.*serves.*32/) && table.output.contains(/north.*serves.*32/), "\(table)")
      #expect(
        try north.ask("status").output.contains(
          "north (this one) serves 32 of 64 partitions, south serves 32 of 64 partitions"))
      #expect(
        try north.ask("doctor", "--all").output.contains("nodes: north (this one) serves 32 of 64 partitions, south"))

      // Each node accepts the change and forwards it to the node that owns the team's partition.
      for node in [south, north, south] {
        let asked = ContinuousClock.now
        try node.change("pause", "weekly-digest", "--team", "desert-blue")
        try node.change("resume", "weekly-digest", "--team", "desert-blue")
        print("a change at any node took \(ContinuousClock.now - asked)")
      }
      for number in 0..<4 {
        let node = nodes.nodes[number % 2]
        try node.change("team", "add", "team-\(number)", "--zone", "America/Boise")
        try node.change("import", Checkout.backup, "--team", "team-\(number)")
      }
      // A slot that falls due between the two calls is in the first list only.
      try eventually("both list the same coming runs") {
        try north.ask("next", "--json").output == south.ask("next", "--json").output
      }

      let killed = ContinuousClock.now
      try north.kill()
      try nodes.have(["south": 64])
      print("a killed node was followed within \(ContinuousClock.now - killed)")
      try eventually(
        "the operator hears of it",
        { Files.names(in: nodes.drop).contains { $0.contains("-node-followed-store-") && $0.hasSuffix(".json") } })
      try south.change("team", "add", "second", "--zone", "America/Boise")
      try north.start()
      try nodes.areSpread(over: ["north", "south"])
      #expect(try north.ask("team", "list").output.contains("second"))
      #expect(try south.ask("why", "backup").code == 0)

      // On a machine whose daemon is stopped, `nodes` lists the other nodes.
      let left = ContinuousClock.now
      #expect(try north.stop() == .exit(0))
      try nodes.have(["south": 64])
      print("a node that left was followed within \(ContinuousClock.now - left)")
      let offline = try Pfctl.run(
        ["nodes", "--json", "--socket", north.socket], in: north.scratch,
        environment: ["CONFIGURATION_DIRECTORY": north.scratch.path])
      let others = try JSONDecoder().decode(DaemonCall.Nodes.Reply.self, from: Data(offline.output.utf8))
      #expect(others.own == "north" && others.nodes.map(\.name) == ["south"] && others.nodes[0].part == .serves)
      #expect(try south.ask("doctor").output.contains("there is no other node"))
      // A node that left by itself causes no notice.
      #expect(
        Files.names(in: nodes.drop).count { $0.contains("-node-followed-store-") && $0.hasSuffix(".json") } == 1)
      #expect(try south.stop() == .exit(0))
    }

    @Test func `events of one node are heard at every node, exactly once`() throws {
      let nodes = try NodesCase(["north", "south"])
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      try nodes.areSpread(over: ["north", "south"])
      let file = "\(north.scratch.path)/followed"
      let follower = try RunningProgram(
        Checkout.pfctl, ["events", "-f", "--json", "--socket", north.socket],
        environment: ["PATH": "/usr/bin:/bin"], output: .writing(file), errors: file + ".err")
      func heard() throws -> [EventView] {
        try Files.wholeLines(file).map { try JSONDecoder().decode(EventView.self, from: Data($0.utf8)) }
      }
      // The follower may still be connecting and south may not know north yet, so the change is repeated until its event
      // arrives.
      try eventually("a change at south is heard at north") {
        try south.change("team", "set", "desert-blue", "units=metric")
        return try heard().contains { $0.kind == .team && $0.team == "desert-blue" }
      }
      let id = try south.query(
        SchedulerCall.Run.Reply.self, "run", "morning-summary", "--team", "desert-blue", "--at", "2026-03-02"
      ).run.id
      // By its id, because the team's slot of today may fall due during the test, too.
      func ofRun() throws -> EventView? { try heard().first { $0.kind == .run && $0.id == id } }
      try eventually("the run and a delivery there are heard at north") {
        try ofRun() != nil && heard().contains { $0.kind == .delivery && $0.state == .sent }
      }
      let run = try #require(try ofRun())
      #expect(run.state == .notified && run.team == "desert-blue" && run.local.hasSuffix("MST"), "\(run)")
      // North's own events reach south, too, and none arrives twice.
      try north.change("team", "set", "desert-blue", "units=imperial")
      try eventually("a change at north is heard at south") {
        try south.ask("events").output.contains("units=imperial")
      }
      let (here, there) = (try south.ask("events", "--json").output, try north.ask("events", "--json").output)
      for text in [here, there] { #expect(text.components(separatedBy: run.id ?? "?").count == 3, "\(text)") }
      #expect(try [south, north].map { try $0.stop() } == [.exit(0), .exit(0)])
      #expect(try follower.end() == .exit(0))
    }

    @Test
    func `a node with many teams is ready before all of them are planned`()
      throws
    {
      let nodes = try NodesCase(["north", "south"])
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      #expect(try [south, north].map { try $0.stop() } == [.exit(0), .exit(0)])
      // Of 10,701 teams, 59 partitions hold 9,864; their jobs are almost never due.
      _ = try nodes.query(
        """
        INSERT INTO poolflow.teams SELECT (jsonb_populate_record(t, jsonb_build_object(
            'team_id', 1000 + g, 'name', 'herd-' || g))).*
          FROM poolflow.teams t, generate_series(1, 10700) g WHERE name = 'desert-blue';
        INSERT INTO poolflow.jobs SELECT (jsonb_populate_record(j, jsonb_build_object(
            'job_id', 1000 * g + job_id, 'team_id', 1000 + g, 'rule', '*-02-29 04:00:00'))).*
          FROM poolflow.jobs j, generate_series(1, 10700) g WHERE team_id = 1;
        """)
      north.manager.forget()
      try north.start()
      #expect(north.log.contains("node 'north' owns 59 of 64 partitions, 0-58 are new"), "\(north.log.suffix(2_000))")
      // Team 1000 + 31 is in partition 7, 1000 + 83 in partition 59, which north may not own yet.
      for name in ["herd-31", "herd-83"] {
        // A debug build plans a batch in seconds, longer than a client waits for an answer.
        try eventually("\(name) has its time") {
          try north.ask("team", "set", name, "morning-time=06:15").code == 0
        }
      }
      try nodes.have(["north": 64])
      for name in ["herd-31", "herd-83"] {
        let jobs = try north.ask("list", "--team", name)
        #expect(jobs.output.contains("06:15"), "\(jobs)")
      }
      try south.start()
      try nodes.areSpread(over: ["north", "south"])
      #expect(try [north, south].map { try $0.stop() } == [.exit(0), .exit(0)])
    }

    @Test func `a drained node hands off everything and gets its part back on resume`() throws {
      let nodes = try NodesCase(["north", "south"])
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      try nodes.areSpread(over: ["north", "south"])
      let unknown = try north.ask("nodes", "drain", "west")
      #expect(
        unknown.code == 64 && unknown.errors.contains("this node does not exist; the nodes are north, south"),
        "\(unknown)")
      let drained = ContinuousClock.now
      try north.change("nodes", "drain", "south")
      try nodes.have(["north": 64])
      print("a drain took \(ContinuousClock.now - drained)")
      try eventually("it is on standby", { south.log.contains("on standby: it is drained") })
      let last = try north.ask("nodes", "drain", "north")
      #expect(last.code == 64 && last.errors.contains("no other node could acquire its partitions"), "\(last)")
      let refused = try south.ask("team", "add", "second", "--zone", "America/Boise")
      #expect(refused.code == 75 && refused.errors.contains("node 'north' serves, ask there"), "\(refused)")
      #expect(try south.ask("nodes", "--plain").output.contains(/south \*.*drained/))
      // The drained state survives a reload and a restart.
      south.manager.forget()
      south.program?.send(SIGHUP)
      try south.manager.wait(for: "READY=1", from: #require(south.program))
      #expect(south.log.contains("the settings are read again"))
      #expect(try south.stop() == .exit(0))
      try south.start()
      #expect(try nodes.partitionCounts() == ["north": 64])
      try north.change("nodes", "resume", "south")
      try nodes.areSpread(over: ["north", "south"])
      #expect(try [north, south].map { try $0.stop() } == [.exit(0), .exit(0)])
    }

    @Test func `a frozen node is declared dead and gets its part back later`() throws {
      let nodes = try NodesCase(["north", "south"])
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      try nodes.areSpread(over: ["north", "south"])
      let stopped = ContinuousClock.now
      north.program?.send(SIGSTOP)
      try nodes.have(["south": 64])
      print("a stopped node was followed within \(ContinuousClock.now - stopped)")
      #expect(south.log.contains("node 'north' has sent no heartbeat for 6 s and is declared dead"), "\(south.log)")
      try south.change("pause", "weekly-digest", "--team", "desert-blue")
      north.program?.send(SIGCONT)
      try eventually(
        "it restarts: \(north.log.suffix(2_000))",
        { north.log.contains("another node has acquired partitions of this node: it restarts") })
      try nodes.areSpread(over: ["north", "south"])
      #expect(try [north, south].map { try $0.stop() } == [.exit(0), .exit(0)])
    }

    @Test func `a node with a wrong clock releases its partitions and acquires none`()
      throws
    {
      let nodes = try NodesCase(["north", "south"])
      let (north, south) = (nodes.nodes[0], nodes.nodes[1])
      try nodes.areSpread(over: ["north", "south"])
      south.clock.step(by: .seconds(40))
      try nodes.have(["north": 64])
      #expect(
        south.log.contains(/this clock is (39|40|41) s ahead of the server's: this node hands off all/), "\(south.log)"
      )
      try eventually("it says why", { south.log.contains("gets no work") })
      try north.kill()
      try eventually("no node serves", { try nodes.partitionCounts() == [:] })
      south.clock.step(by: .seconds(-40))
      try nodes.have(["south": 64])
      try north.start()
      try nodes.areSpread(over: ["north", "south"])
    }

    @Test func `a daemon without node name keeps its store; nodes are on standby`() throws {
      let nodes = try NodesCase(["north"])
      let north = nodes.nodes[0]
      #expect(try north.stop() == .exit(0))
      let alone = try Daemon.atMachineTime(empty: true)
      try alone.scratch.write(
        "poolflow.conf",
        "[Store]\nEngine = postgresql\nConnection = \(nodes.server.connection(to: nodes.database))\n".utf8)
      try alone.start()
      try north.start()
      let refused = try north.ask("team", "add", "second", "--zone", "America/Boise")
      #expect(refused.code == 75 && refused.errors.contains("is on standby: "), "\(refused)")
      try eventually("it says why", { north.log.contains("a daemon without a name (poolflowd)") })
      #expect(try alone.ask("team", "list").code == 0)
      #expect(try alone.stop() == .exit(0))
      try nodes.have(["north": 64])
      // The other way round: a daemon without a name is refused on a store that has nodes.
      try alone.launch()
      try eventually(
        "it is refused", { alone.log.contains("is in use by another daemon: poolflowd north") })
    }

    // MARK: Injected faults

    /// The injected faults of a node, its network or the server.
    private enum Fault: CaseIterable {
      case kill, pause, blink, leave, drain, fast, immediate, sessions, network, clock
    }

    /// The poolflowd of an earlier version, from `POOLFLOW_NODE_BEFORE`: a stopped node then restarts as the other version.
    private static let before = ProcessInfo.processInfo.environment["POOLFLOW_NODE_BEFORE"]

    /// `POOLFLOW_NODE_FAULTS` faults, from `POOLFLOW_SEED` on, with `POOLFLOW_NODE_TEAMS` teams.
    private static let (faults, seed, teams): (Int, UInt64, Int) = {
      let environment = ProcessInfo.processInfo.environment
      return (
        environment["POOLFLOW_NODE_FAULTS"].flatMap { Int($0) } ?? Fault.allCases.count,
        environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? 1,
        environment["POOLFLOW_NODE_TEAMS"].flatMap { Int($0) } ?? 45
      )
    }()

    /// The faults in turn: all, or those named in `POOLFLOW_NODE_KINDS`.
    private static let kinds: [Fault] = {
      guard let names = ProcessInfo.processInfo.environment["POOLFLOW_NODE_KINDS"]?.split(separator: " ") else {
        return Fault.allCases
      }
      return names.map { name in
        guard let kind = Fault.allCases.first(where: { "\($0)" == name }) else {
          fatalError("POOLFLOW_NODE_KINDS: there is no fault '\(name)', but \(Fault.allCases)")
        }
        return kind
      }
    }()

    /// The longest freeze of a node in seconds, from `POOLFLOW_NODE_PAUSE`; after six seconds other nodes take over.
    private static let longestPause =
      ProcessInfo.processInfo.environment["POOLFLOW_NODE_PAUSE"].flatMap { Int($0) }.map { max(5, $0) } ?? 8

    private static let newestRuns = "SELECT * FROM poolflow.runs ORDER BY slot_ms DESC LIMIT 9"

    /// Teams whose partitions belong to different nodes.
    private static let told = ["desert-blue", "team-25", "team-45"]

    /// A job runs once a minute at most; twelve jobs of each team give a slot every five seconds.
    private static func prepare(_ node: Daemon) throws {
      for number in 2...max(45, teams) { try node.change("team", "add", "team-\(number)", "--zone", "America/Boise") }
      for team in told {
        try node.change("team", "plan", team, "paid")
        for number in 0..<12 {
          try node.change(
            "reminder", "add", "r\(number)", "--team", team, "--rule", "*:*:\(number * 5)", "--text", "Rinse")
          try node.change("job", "set", "reminder-r\(number)", "--team", team, "catch-up=all 50")
        }
      }
    }

    /// Checks that `why` names the node that took over for a slot during a takeover; only the newest few are checked.
    private static func areExplained(_ nodes: NodesCase) throws {
      let rows = try nodes.query(
        """
        SELECT share, coalesce(ended_ms, seen_ms), max(at_ms), max(lives.name) FROM poolflow.node_takeovers AS taken
          JOIN poolflow.epochs USING (epoch) JOIN poolflow.node_lives AS lives ON lives.epoch = taken.by_epoch
        WHERE share IN (1, 25, 45) GROUP BY share, taken.epoch, ended_ms, seen_ms ORDER BY 3 DESC LIMIT 12
        """)
      for row in rows.split(separator: "\n") {
        let fields = row.split(separator: "|").map(String.init)
        let (last, at) = (try #require(Int64(fields[1])), try #require(Int64(fields[2])))
        let slot = Timestamp(milliseconds: (max(last, at - 20_000) / 5_000 + 1) * 5_000)
        guard slot.milliseconds <= at, let team = told.first(where: { $0.hasSuffix("-\(fields[0])") }) ?? told.first
        else {
          continue
        }
        let job = "reminder-r\(slot.seconds % 60 / 5)"
        // Any node can answer, except one that is restarting.
        var told: String?
        try eventually(
          "a node tells why, \(row)",
          {
            for node in nodes.nodes where told == nil {
              let answer = try node.ask("why", job, "--team", team, "--at", slot.description)
              if answer.code == 0 { told = answer.output }
            }
            return told != nil
          })
        // An earlier version recorded no name.
        let words = "by node '\(fields[3])' from \(Self.before == nil ? "'" : "")"
        #expect(told?.contains(words) == true, "\(row): \(told ?? "")")
      }
    }

    @Test func `whatever fault hits a node, each slot runs once as one file`() throws {
      let nodes = try NodesCase(
        ["north", "south", "west"], executable: Self.before ?? Checkout.daemon, prepare: Self.prepare)
      guard try nodes.query("SELECT version FROM poolflow.engine") == "\(Schema.currentVersion)" else {
        try Test.cancel(
          "only where POOLFLOW_NODE_BEFORE has the same schema: else the two versions serve no store together")
      }
      try nodes.areSpread(over: nodes.names)
      #expect(try Set([1, 25, 45].map { try nodes.holder(of: $0) }).count >= 2)
      let begin = nodes.nodes[0].clock.now
      let watch = try DropWatch(nodes.drop, takesAway: true)
      let before = Files.names(in: nodes.drop).filter { $0.hasSuffix(".json") }
      var random = SeededNumbers(seed: Self.seed)
      var (tally, takeovers, changes, refused): ([Fault: Int], Int, Int, Int) = ([:], 0, 0, 0)
      for round in 0..<Self.faults {
        let fault = Self.kinds[round % Self.kinds.count]
        tally[fault, default: 0] += 1
        let number = Int.random(in: 0..<nodes.nodes.count, using: &random)
        let (node, name) = (nodes.nodes[number], nodes.names[number])
        do {
          var had: Int?
          try eventually(
            "it owns a partition",
            {
              had = try nodes.partitionCounts()[name]
              return had != nil
            })
          // A moment close to a slot.
          let now = node.clock.now
          let next = Timestamp(seconds: (now.seconds / 5 + 1) * 5)
          let moment = next.advanced(by: .milliseconds(Int.random(in: -60...200, using: &random)))
          // A change at any node, of a team that another node may own.
          let (asked, team) = (nodes.nodes[(round + 1) % 3], Self.told[round % 3])
          let answer = try asked.ask("import", Checkout.backup, "--team", team)
          changes += 1
          if answer.code != 0 { refused += 1 }
          #expect([0, 69, 75].contains(answer.code), "\(answer)")
          while node.clock.now < moment { poll(nil, 0, 1) }
          switch fault {
          case .kill:
            try node.kill()
            try node.start()
          case .leave:
            #expect(try node.stop() == .exit(0))
            if let before = Self.before { node.executable = node.executable == before ? Checkout.daemon : before }
            try node.start()
          case .drain:
            try eventually("it is drained", { try asked.ask("nodes", "drain", name).code == 0 })
            try eventually("it has nothing", { try nodes.partitionCounts()[name] == nil })
            try eventually(
              "it is resumed", { try nodes.nodes.contains { try $0.ask("nodes", "resume", name).code == 0 } })
          case .pause:
            let stopped = ContinuousClock.now
            let long = Duration.milliseconds(Int.random(in: 5_000...Self.longestPause * 1_000, using: &random))
            node.program?.send(SIGSTOP)
            try eventually("it has nothing", { try nodes.partitionCounts()[name] == nil })
            while ContinuousClock.now < stopped + long { poll(nil, 0, 10) }
            node.program?.send(SIGCONT)
          case .blink:
            node.program?.send(SIGSTOP)
            poll(nil, 0, Int32.random(in: 100...2_000, using: &random))
            node.program?.send(SIGCONT)
          case .fast, .immediate:
            try nodes.server.stop(fault == .fast ? .fast : .immediate)
            try nodes.server.start()
          case .sessions: try nodes.server.terminateBackends(of: nodes.database)
          case .clock:
            let far: Duration = .seconds(round.isMultiple(of: 2) ? 40 : -40)
            node.clock.step(by: far)
            try eventually("it has nothing", { try nodes.partitionCounts()[name] == nil })
            node.clock.step(by: .zero - far)
          case .network:
            nodes.proxies[number].goAway()
            try eventually("it has nothing", { try nodes.partitionCounts()[name] == nil })
            nodes.proxies[number].comeBack()
          }
          try eventually(
            "slot \(next) is told",
            {
              watch.look()
              return Set(watch.arrivals.filter { $0.hasPrefix("\(next.compact)-reminder-r") && $0.hasSuffix(".json") })
                .count == 3
            })
          if try nodes.partitionCounts()[name] != had { takeovers += 1 }
        } catch {
          let runs = (try? nodes.query(Self.newestRuns)) ?? ""
          Issue.record("round \(round), \(fault) of \(name): \(error)\n\(runs)\n\(nodes.logs)")
          break
        }
      }
      // Complete the upgrade: an earlier version may not explain takeovers.
      for node in nodes.nodes where node.executable != Checkout.daemon {
        node.executable = Checkout.daemon
        #expect(try node.stop() == .exit(0))
        try node.start()
      }
      try Self.areExplained(nodes)
      let told = try Self.told(by: nodes, since: begin, before: before, watch)
      let kinds = tally.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
      print(
        "\(Self.faults) injected faults (\(kinds)), \(takeovers) takeovers, \(changes) changes (\(refused) refused): "
          + told)
      #expect(try nodes.nodes.map { try $0.stop() } == nodes.nodes.map { _ in .exit(0) })
    }

    /// Checks that each slot ran once and each notice is one file.
    ///
    /// - Parameter before: the files in the folder when the watch began.
    /// - Returns: a summary of slots, notices and files.
    private static func told(
      by nodes: NodesCase, since begin: Timestamp, before: [String], _ watch: DropWatch
    ) throws -> String {
      // Pause the teams, so that no slots are added; the owners still deliver the earlier ones.
      for team in Self.told {
        try eventually(
          "a node accepts the change",
          { try nodes.nodes.contains { try $0.ask("pause", "--team", team).code == 0 } })
      }
      try eventually(
        "every sink has it", { try nodes.query("SELECT count(*) FROM poolflow.outbox WHERE state <> 'sent'") == "0" })
      watch.look()
      let outcomes = try nodes.query(
        """
        SELECT runs.team_id, outcome, (max(slot_ms) - min(slot_ms)) / 5000 + 1 - count(*)
        FROM poolflow.runs JOIN poolflow.jobs USING (job_id)
        WHERE kind LIKE 'reminder-r%' AND slot_ms > \(begin.milliseconds) AND outcome <> 'paused'
        GROUP BY runs.team_id, outcome ORDER BY runs.team_id
        """)
      let notices = try nodes.query("SELECT notice_id FROM poolflow.notices").split(separator: "\n").map {
        "\($0).json"
      }
      let files = (Set(before).subtracting(watch.arrivals) + watch.arrivals).filter { $0.hasSuffix(".json") }
      #expect(outcomes == "1|notified|0\n25|notified|0\n45|notified|0")
      let twice = Dictionary(grouping: files) { $0 }.filter { $1.count > 1 }.keys.sorted()
      #expect(twice == [] && Set(files) == Set(notices))
      return "\(outcomes), \(notices.count) notices, \(files.count) files"
    }

    @Test(.enabled(if: before != nil, "only with POOLFLOW_NODE_BEFORE, the path of an earlier poolflowd"))
    func `a rolling upgrade with a schema change misses no slot`() throws {
      let earlier = try #require(Self.before)
      let nodes = try NodesCase(["north", "south", "west"], executable: earlier, prepare: Self.prepare)
      try nodes.areSpread(over: nodes.names)
      let begin = nodes.nodes[0].clock.now
      let watch = try DropWatch(nodes.drop, takesAway: true)
      let before = Files.names(in: nodes.drop).filter { $0.hasSuffix(".json") }
      let schema = try nodes.query("SELECT version FROM poolflow.engine")
      for (number, node) in nodes.nodes.enumerated() {
        #expect(try node.stop() == .exit(0))
        node.executable = Checkout.daemon
        try node.start()
        let next = Timestamp(seconds: (node.clock.now.seconds / 5 + 2) * 5)
        do {
          try eventually(
            "slot \(next) is told after \(number + 1) upgrades",
            {
              watch.look()
              return watch.arrivals.count { $0.hasPrefix("\(next.compact)-reminder-r") && $0.hasSuffix(".json") } == 3
            })
        } catch {
          Issue.record("\(error)\n\(nodes.logs)")
          return
        }
        let now = try nodes.query("SELECT version FROM poolflow.engine")
        #expect(now == (number == 2 ? "\(Schema.currentVersion)" : schema))
      }
      try nodes.areSpread(over: nodes.names)
      print("an upgrade from schema \(schema): \(try Self.told(by: nodes, since: begin, before: before, watch))")
      #expect(try nodes.nodes.map { try $0.stop() } == nodes.nodes.map { _ in .exit(0) })
    }
  }
}
