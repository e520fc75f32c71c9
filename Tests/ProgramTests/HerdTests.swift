import FlowControl
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing
import TradeStores

extension Programs {
  /// The morning of many teams at the same instant, through the built daemon.
  @Suite struct HerdTests {
    /// The system call at which the daemon is killed.
    struct Kill: Sendable, CustomTestStringConvertible {
      let call: String
      let part: String
      let number: Int
      let isAfter: Bool

      var testDescription: String { "\(isAfter ? "after" : "before") \(call) \(number) of \(part)" }

      /// The store's fsyncs are its commits: a batch of claims, then its notices together with the next batch's claims, then
      /// staged, then sent entries. Between them facts are read and notices decided.
      static let all: [Kill] =
        [
          (1...12, "fsync", "poolflow.db-wal"), (1...1, "syncfs", "/outbox/staging"),
          (1...1, "syncfs", "/other/staging"),
        ]
        .flatMap { numbers, call, part in numbers.map { (call, part, $0) } }
        .appending([1, 5, 24].map { ("write", "/outbox/staging/", $0) })
        .appending([1, 2, 7, 20].map { ("rename", "/outbox/new/", $0) })
        .flatMap { call, part, number in
          [false, true].map { Kill(call: call, part: part, number: number, isAfter: $0) }
        }
    }

    /// The files of both sinks by folder and name, without fields about lateness.
    private typealias Found = [String: Data]

    private static let teams = 12
    /// 07:00 on Monday in Phoenix.
    private static let slot = Timestamp(seconds: 1_772_460_000)

    /// A daemon with two sinks on two file systems: a sensitive one, which also gets a personal notice for one technician of
    /// each team, and a plain one with the teams' digests only.
    private final class Herd {
      let daemon: Daemon
      private let teams: Int
      private let faults: FaultPoints
      private let other: TemporaryFolder
      private let watches: [DropWatch]
      private var folders: [String] { [daemon.drop, other.path + "/other/new"] }

      init(_ state: String, teams: Int = HerdTests.teams) throws {
        self.teams = teams
        daemon = try Daemon(at: "2026-03-02T14:00:01Z", empty: true)
        faults = try FaultPoints(in: daemon.scratch)
        other = try TemporaryFolder(inMemory: true)
        try FileManager.default.copyItem(atPath: state, toPath: daemon.state)
        try daemon.settings(
          """
          [Sink drop]
          Type = file-drop
          Sensitive = yes

          [Sink other]
          Type = file-drop
          Directory = \(other.path)/other

          """)
        for folder in [daemon.state + "/outbox/new", other.path + "/other/new"] {
          try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        watches = try [daemon.state + "/outbox/new", other.path + "/other/new"].map { try DropWatch($0) }
      }

      private var isThere: Bool {
        watches.forEach { $0.look() }
        return watches[0].arrivals.count >= 2 * teams && watches[1].arrivals.count >= teams
      }

      /// Runs the daemon until it is killed, or until everything is delivered.
      ///
      /// - Parameter early: how long before the slot the daemon starts.
      func live(_ faults: [String: String], early: Duration = .seconds(-1)) throws -> RunningProgram.Ending? {
        daemon.clock.set(to: HerdTests.slot.advanced(by: .zero - early))
        let libraries = [faults["LD_PRELOAD"], daemon.clock.environment["LD_PRELOAD"]].compactMap(\.self)
        try daemon.launch(
          environment: faults.merging(["LD_PRELOAD": libraries.joined(separator: ":")]) { $1 })
        let program = try #require(daemon.program)
        let deadline = Deadline(.patience)
        while program.wait(by: Deadline(.milliseconds(5))) == nil {
          guard !deadline.hasPassed else { throw TooLate(description: "a life took 30 s: \(daemon.log)") }
          // The daemon may be killed while it answers.
          if isThere, (try? daemon.unsent()) == 0 { return try daemon.stop() }
        }
        return program.ending
      }

      func live(_ kill: Kill, early: Duration = .seconds(-1)) throws -> RunningProgram.Ending? {
        var environment = try faults.environment(killAt: kill.number)
        environment["POOLFLOW_KILL_CALL"] = "\(kill.call):\(kill.isAfter ? "after" : "before"):\(kill.part)"
        return try live(environment, early: early)
      }

      func live(
        failing call: String, _ code: Int32, part: String, early: Duration = .seconds(-1)
      ) throws -> RunningProgram.Ending? {
        try live(try faults.environment(failing: call, code, part: part), early: early)
      }

      /// The files of both sinks. Records an issue for a repeated notice and for files left in staging.
      func found() throws -> Found {
        watches.forEach { $0.look() }
        for watch in watches { #expect(Set(watch.arrivals).count == watch.arrivals.count, "a notice came twice") }
        var found: Found = [:]
        for (number, folder) in folders.enumerated() {
          #expect(Files.names(in: folder.replacing("/new", with: "/staging")) == [])
          for name in Files.names(in: folder) {
            found["\(number)/\(name)"] = try HerdTests.plain(name, Data(try Files.bytes("\(folder)/\(name)")))
          }
        }
        return found
      }
    }

    /// An event without the fields about lateness.
    private static func plain(_ name: String, _ bytes: Data) throws -> Data {
      guard name.hasSuffix(".json") else { return bytes }
      var event = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      var data = try #require(event["data"] as? [String: Any])
      for key in data.keys where key.contains("late") { data[key] = nil }
      event["data"] = data
      return try JSONSerialization.data(withJSONObject: event, options: .sortedKeys)
    }

    private static func herd(of count: Int, keepsVisits: Bool, _ more: String = "") throws -> Scratch {
      let scratch = try Scratch()
      let state = scratch.path + "/state"
      try FileManager.default.copyItem(atPath: try DemoStore.state.get(), toPath: state)
      let connection = try Connection(path: state + "/poolflow.db", mode: .readWrite)
      if !more.isEmpty { try connection.execute(more, operation: "prepare the test") }
      try connection.multiplyTeam(by: count, keepsVisits: keepsVisits)
      return scratch
    }

    @Test func `a kill between any two stages delivers each notice once and unchanged`() throws {
      let template = try Self.herd(
        of: Self.teams, keepsVisits: true,
        """
        INSERT INTO people (team_id, technician_id, quiet, wants, addresses)
        SELECT team_id, technician_id, '', 'route', 'mail maria@example.com' FROM technicians WHERE name_key = 'maria'
        """)
      let clean = try Herd(template.path + "/state")
      #expect(try clean.live([:]) == .exit(0))
      let right = try clean.found()
      #expect(right.count { $0.key.hasSuffix(".json") } == 3 * Self.teams)
      #expect(right.count { $0.key.hasSuffix(".html") } == 3 * Self.teams)
      var kills = 0
      for kill in Kill.all {
        let herd = try Herd(template.path + "/state")
        let ending = try herd.live(kill)
        if ending == .signal(SIGKILL) { kills += 1 } else { Issue.record("\(kill.testDescription): it lived") }
        #expect(try herd.live([:]) == .exit(0), "\(kill.testDescription)")
        let found = try herd.found()
        #expect(found.keys.sorted() == right.keys.sorted(), "\(kill.testDescription)")
        #expect(found == right, "\(kill.testDescription)")
      }
      print("\(kills) kills between the stages of a herd")
      for part in ["/outbox/staging", "/other/staging"] {
        let herd = try Herd(template.path + "/state")
        #expect(try herd.live(failing: "syncfs", EIO, part: part) == .exit(0), "\(part)")
        #expect(try herd.found() == right, "a sync of \(part) that failed")
      }
    }

    @Test func `a kill after prefetching or during that morning delivers each notice once`()
      throws
    {
      // More than the memory limit of prefetched runs: the remaining ones go to the prefetch file.
      let count = Limits.prefetchedRunsInMemory + 12
      let template = try Self.herd(
        of: count, keepsVisits: false,
        """
        INSERT INTO people (team_id, technician_id, quiet, wants, addresses)
        SELECT team_id, technician_id, '', 'route', 'mail maria@example.com' FROM technicians WHERE name_key = 'maria'
        """)
      let clean = try Herd(template.path + "/state", teams: count)
      #expect(try clean.live([:]) == .exit(0))
      let right = try clean.found()
      #expect(right.count { $0.key.hasSuffix(".json") } == 3 * count)
      let ahead = try Herd(template.path + "/state", teams: count)
      #expect(try ahead.live([:], early: .seconds(6)) == .exit(0))
      #expect(try ahead.found() == right, "decided ahead")
      let kills = [
        Kill(call: "write", part: "/ahead", number: 1, isAfter: false),
        Kill(call: "write", part: "/ahead", number: 25, isAfter: true),
        Kill(call: "rename", part: "/outbox/new/", number: 1, isAfter: false),
        Kill(call: "write", part: "/outbox/staging/", number: 400, isAfter: false),
        Kill(call: "rename", part: "/outbox/new/", number: 400, isAfter: true),
      ]
      for kill in kills {
        let herd = try Herd(template.path + "/state", teams: count)
        #expect(try herd.live(kill, early: .seconds(6)) == .signal(SIGKILL), "\(kill.testDescription): it lived")
        #expect(try herd.live([:]) == .exit(0), "\(kill.testDescription)")
        #expect(try herd.found() == right, "\(kill.testDescription)")
      }
      // Without the prefetch file these runs are decided when due.
      let full = try Herd(template.path + "/state", teams: count)
      #expect(try full.live(failing: "write", ENOSPC, part: "/ahead", early: .seconds(6)) == .exit(0))
      #expect(try full.found() == right, "no room for what is decided ahead")
    }

    @Test func `a stop during a morning of 2,000 teams ends within 5 s`()
      throws
    {
      let count = 2_000
      let template = try Self.herd(of: count, keepsVisits: false)
      let daemon = try Daemon(at: "2026-03-02T14:00:01Z", empty: true)
      try FileManager.default.copyItem(atPath: template.path + "/state", toPath: daemon.state)
      try FileManager.default.createDirectory(atPath: daemon.drop, withIntermediateDirectories: true)
      // The second sink accepts nothing and must delay nothing.
      try daemon.settings(
        "[Sink drop]\nType = file-drop\n[Sink gone]\nType = file-drop\nDirectory = \(daemon.scratch.path)/gone\n")
      let watch = try DropWatch(daemon.drop)
      // The drop also gets notices about the failing sink.
      func told() -> [String] {
        watch.look()
        return watch.arrivals.filter { $0.contains("-morning-summary-") }
      }
      for least in [1, 100] {
        try daemon.start()
        try watch.wait(for: least)
        let status = try daemon.query(SchedulerCall.Status.Reply.self, "status")
        #expect(status.teams == count)
        let began = ContinuousClock.now
        #expect(try daemon.stop() == .exit(0))
        let took = ContinuousClock.now - began
        #expect(took < .seconds(5))
        print("stopped with \(told().count) of \(count) delivered in \(took)")
      }
      try daemon.start()
      try eventually(
        "the sink has all",
        { try told().count >= count && daemon.depth("drop", .pending) + daemon.depth("drop", .staged) == 0 })
      #expect(try daemon.depth("gone", .sent) == 0)
      #expect(told().count == count && Set(watch.arrivals).count == watch.arrivals.count)
    }
  }
}

extension Array {
  fileprivate func appending(_ more: [Element]) -> [Element] { self + more }
}
