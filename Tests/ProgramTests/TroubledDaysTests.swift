import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// A disturbance around 07:00 on each of many days: every morning must have one run, one file and an explanation.
  ///
  /// `POOLFLOW_TROUBLES` is the number of days of each kind (200 in a full run), `POOLFLOW_TROUBLES_SEED` repeats a run.
  @Suite struct TroubledDaysTests {
    enum Trouble: String, CaseIterable {
      case clockSteps, kills, suspensions
    }

    private static func setting(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    private static let days = Int(setting("POOLFLOW_TROUBLES") ?? 4)

    @Test(arguments: Trouble.allCases)
    func `every disturbed morning has one run, one file and an explanation`(_ trouble: Trouble) throws {
      let seed = Self.setting("POOLFLOW_TROUBLES_SEED") ?? UInt64.random(in: 1...UInt64(UInt32.max))
      print("\(Self.days) \(trouble.rawValue) from seed \(seed)")
      var random = SeededNumbers(seed: seed)
      let daemon = try Daemon(at: "2026-03-02T13:00:00Z").start()
      let watch = try DropWatch(daemon.drop)
      let slots = try (0..<Self.days).map { day in
        try #require(Timestamp(rfc3339: "2026-03-02T14:00:00Z")).advanced(by: .hours(24 * day))
      }
      for slot in slots {
        daemon.clock.set(to: slot.advanced(by: .milliseconds(-300)))
        switch trouble {
        case .clockSteps: try step(daemon, around: slot, &random)
        case .kills: try kill(daemon, around: slot, &random)
        case .suspensions: try suspend(daemon, around: slot, &random)
        }
        try eventually("seed \(seed): \(slot) is settled") {
          try daemon.recent().contains { $0.slot == slot.description && $0.outcome != .running }
        }
        // The next day follows at once, and undelivered notices of this morning would then expire.
        try eventually("seed \(seed): every sink has all of \(slot)") { try daemon.unsent() == 0 }
      }
      #expect(
        try daemon.query(OutboxCall.List.Reply.self, "outbox", "list", "--state", "dead").entries.isEmpty,
        "seed \(seed)")
      watch.look()
      try check(daemon, slots, files: watch.arrivals.filter { $0.contains("morning-summary") }, seed: seed)
    }

    /// Checks that each slot has one run, each notice one file, and that `why` explains each slot.
    private func check(_ daemon: Daemon, _ slots: [Timestamp], files: [String], seed: UInt64) throws {
      let runs = try daemon.query(
        SchedulerCall.History.Reply.self, "history", "morning-summary", "--limit", "10000"
      ).runs.filter { $0.trigger == .schedule }
      var notified = 0
      for slot in slots {
        let own = runs.filter { $0.slot == slot.description }
        #expect(own.count == 1, "seed \(seed): \(slot)")
        #expect(own.allSatisfy { [.notified, .skipped].contains($0.outcome) }, "seed \(seed): \(own)")
        notified += own.count { $0.outcome == .notified }
        let why = try daemon.query(
          SchedulerCall.Why.Reply.self, "why", "morning-summary", "--team", "desert-blue", "--at", slot.description)
        #expect(why.slot == slot.description && why.run?.id == own.first?.id, "seed \(seed): \(why)")
        #expect(why.facts.contains { $0.word == "due" } && why.facts.contains { $0.word == "started" }, "\(why)")
      }
      #expect(files.count == notified && Set(files).count == notified, "seed \(seed)")
      print(
        "\(slots.count) mornings: \(notified) told, \(slots.count - notified) silent, \(files.count) files, all explained"
      )
    }

    // MARK: Troubles

    /// Steps the clock forwards over the slot, back over it, or back before it, by a second to four hours.
    private func step(_ daemon: Daemon, around slot: Timestamp, _ random: inout SeededNumbers) throws {
      let distance = Duration.milliseconds(Int.random(in: 1_000...(4 * 3_600_000), using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        // A tick sees the change of day first; both steps together could exceed a day.
        try daemon.looks()
        daemon.clock.step(by: distance)
      case 1:
        try wait(until: slot.advanced(by: .milliseconds(Int.random(in: 0...30, using: &random))), daemon)
        daemon.clock.step(by: .zero - distance)
        try daemon.looks()
        daemon.clock.step(by: distance)
        // A tick sees this step before the next day comes; together they could exceed a day and wait for a second reading.
        try daemon.looks()
      default:
        daemon.clock.step(by: .zero - distance)
        try daemon.looks()
        daemon.clock.set(to: slot.advanced(by: .milliseconds(-Int.random(in: 0...200, using: &random))))
      }
    }

    private func kill(_ daemon: Daemon, around slot: Timestamp, _ random: inout SeededNumbers) throws {
      var moment = slot.advanced(by: .milliseconds(Int.random(in: -30...60, using: &random)))
      for _ in 1...Int.random(in: 1...2, using: &random) {
        try wait(until: moment, daemon)
        try daemon.kill()
        try daemon.launch()
        moment = daemon.clock.now.advanced(by: .milliseconds(Int.random(in: 1...80, using: &random)))
      }
      try daemon.ready()
    }

    /// Stops the process (SIGSTOP) over the slot, and moves the clock by up to four hours in half of the cases.
    private func suspend(_ daemon: Daemon, around slot: Timestamp, _ random: inout SeededNumbers) throws {
      try wait(until: slot.advanced(by: .milliseconds(Int.random(in: -250...40, using: &random))), daemon)
      daemon.program?.send(SIGSTOP)
      try wait(until: slot.advanced(by: .milliseconds(Int.random(in: 50...150, using: &random))), daemon)
      if Bool.random(using: &random) {
        daemon.clock.step(by: .milliseconds(Int.random(in: 1_000...(4 * 3_600_000), using: &random)))
      }
      daemon.program?.send(SIGCONT)
    }

    /// Polls the simulated clock, so that `moment` is met within a millisecond.
    private func wait(until moment: Timestamp, _ daemon: Daemon) throws {
      let deadline = Deadline(.patience)
      while daemon.clock.now < moment {
        guard !deadline.hasPassed else { throw TooLate(description: "\(moment) never came") }
        poll(nil, 0, 1)
      }
    }
  }
}

extension Daemon {
  /// The newest runs of `morning-summary`.
  fileprivate func recent() throws -> [RunView] {
    try query(SchedulerCall.History.Reply.self, "history", "morning-summary", "--limit", "5").runs
  }
}
