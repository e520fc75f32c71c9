import FlowBackup
import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import FoundationEssentials
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore

// Rules, runs and their notices.
extension RandomLife {
  private static let routes = [SinkRoute(sink: "drop", takesPersonal: true), SinkRoute(sink: "stdout")]

  static let schedule: [Verb] =
    [
      { life in
        let team = life.pick(try await life.store.teams())
        let time = TimeOfDay(hour: Int.random(in: 0...23, using: &life.random), minute: 30) ?? .sevenInTheMorning
        _ = try await life.store.changeTeam(
          named: team.name, now: life.now,
          changeWithRecords: { team, _ in
            team.settings.morningTime = time
            team.settings.eveningPreview.toggle()
          }, plan: life.plan)
      },
      { life in
        let team = try await life.team(.poolService)
        var timing = JobTiming()
        timing.rule = try CalendarExpression(life.pick(["Fri 16:00", "Mon..Fri 06:30"])).description
        timing.catchUp = .all(limit: 3)
        _ = try await life.store.chooseTiming(
          of: .weeklyDigest, team: team.name, now: life.now, change: { [timing] _, _ in timing }, plan: life.plan)
      },
      { life in
        guard let name = ReminderName(life.pick(["filters", "salt"])) else { return }
        let team = life.pick(try await life.store.teams())
        let reminder = Reminder(
          name: name, title: try ReminderText("{weekday}"), text: try ReminderText("Order on {date}"),
          technicianID: nil,
          severity: .warning, condition: life.pick(Reminder.Condition.allCases), timesLeft: 3)
        let rule: JobRule = .once(life.now.advanced(by: .hours(3)))
        let isGone = life.chance(3)
        _ = try await life.store.changeReminder(
          name, of: team.name, now: life.now,
          change: { _, _, _ in isGone ? nil : TeamReminder(reminder, rule: rule, setBy: "anna") }, plan: life.plan)
      },
      { life in
        let team = try await life.team(.poolService)
        let first = try life.stand.zones.zone(named: team.zone).local(at: life.now).date
        let technician = life.chance(2) ? life.any(try await life.store.technicians(of: team.id))?.id : nil
        let off = DayOff(
          id: 0, technicianID: technician, span: try DaySpan(first: first, last: first.adding(days: 3)), note: "away",
          setBy: "anna")
        _ = try await life.store.addDaysOff([off], to: team.name, now: life.now, check: { _ in }, plan: life.plan)
        guard life.chance(2), let id = try await life.store.daysOff(of: team.id).all.first?.id else { return }
        _ = try await life.store.removeDaysOff([id], of: team.name, now: life.now, plan: life.plan)
      },
      { life in
        let team = life.pick(try await life.store.teams())
        let kind: Hold.Kind = life.chance(2) ? .pause(until: nil) : .skip(left: 2)
        let job = life.any(try await life.store.jobs(of: team.id))?.id
        _ = try await life.store.hold(
          HoldRequest(teamID: team.id, jobID: job, kind: kind, note: "recount", setBy: "anna (uid 1000)"),
          now: life.now)
        if life.chance(2) { _ = try await life.store.release(team: team.id, job: job, now: life.now, by: "anna") }
      },
      { life in
        guard let job = life.any(try await life.store.jobs()) else { return }
        let (first, last) = (job.cursor.advanced(by: .hours(1)), job.cursor.advanced(by: .hours(2)))
        _ = try await life.store.take(
          [
            JobTick(
              job: job, cursor: last, claims: [],
              passed: [
                SkippedSlot(jobID: job.id, generation: job.generation, slot: last, reason: "too-late", detail: "late")
              ],
              skippedRange: SkippedSlotRange(
                jobID: job.id, generation: job.generation, first: first, last: first, reason: "too-late", detail: "many"
              ))
          ], now: life.now)
      },
    ] + Array(repeating: runAll, count: 2)

  /// Claims, decides and settles the current jobs; a server run may wait for its next attempt.
  static let runAll: Verb = { life in
    let now = life.now
    let jobs = try await life.store.jobs()
    let requests = jobs.map { ClaimRequest(job: $0, slot: now, cause: .schedule, asOf: now) }
    let runs = try await life.store.claim(requests, now: now)
    // A claim followed by a crash leaves the runs to the next process.
    if life.chance(6) { return }
    let decisions = try await life.store.decisions(of: runs, zones: life.stand.zones)
    var settlements: [RunSettlement] = []
    for (run, decision) in zip(runs, decisions) {
      guard let decision = try decision.get() else {
        let waits = life.chance(4)
        settlements.append(
          RunSettlement(
            run: run,
            outcome: waits
              ? Outcome(result: .waiting, reason: "busy", detail: "again", notice: nil)
              : JobDecision.serverTask(of: run.kind), finishedAt: now,
            nextTryAt: waits ? now.advanced(by: .hours(1)) : nil)
        )
        continue
      }
      let context = RunContext(
        jobID: run.jobID, kind: run.kind, slot: run.slot, asOf: run.asOf, now: now, lateness: run.lateness,
        install: life.store.install, timing: run.timing)
      settlements.append(
        RunSettlement(run: run, outcome: decision(context, try life.stand.zones.zone(named: run.zone)), finishedAt: now)
      )
    }
    _ = try await life.store.settle(settlements, routes: Self.routes, evenIfChanged: true)
    _ = try await life.store.reclaimOrphans(now: now, crashed: life.chance(2))
  }
}

// Deliveries of notices, and notices of the server.
extension RandomLife {
  static let server: [Verb] = [
    { life in
      let now = life.now
      let due = try await life.store.dueEntries(sink: life.pick(["drop", "stdout"]), now: now, limit: 20)
      for entry in due {
        switch Int.random(in: 0..<5, using: &life.random) {
        case 0: try await life.store.markStaged([entry.sequence], at: now)
        case 1:
          try await life.store.markRefused(
            [EntryRefusal(sequence: entry.sequence, error: "gone", next: .dead)], at: now)
        case 2:
          try await life.store.markRefused(
            [EntryRefusal(sequence: entry.sequence, error: "busy", next: .tryAgain(at: now.advanced(by: .hours(1))))],
            at: now)
        default:
          try await life.store.markSent([entry.sequence], at: now)
          try await life.receive(entry)
        }
      }
    },
    { life in
      let notice = OperatorNotice.diskLow(path: "/var", freeBytes: 1 << 20).notice(
        at: life.now, install: life.store.install)
      _ = try await life.store.notify(notice, routes: [SinkRoute(sink: "drop", takesPersonal: true)], now: life.now)
    },
    { life in
      let entry = try await life.store.beginAudit(uid: 1_000, userName: "anna", command: "visit log", at: life.now)
      if life.chance(2) { try await life.store.endAudit(entry, result: "done", at: life.now) }
    },
    { life in
      let team = life.pick(try await life.store.teams())
      try await life.store.setTeamFailures(
        life.chance(2) ? [team.id: "a reason"] : [:], with: "schedule", of: .all, now: life.now)
    },
    { life in
      try await life.store.heartbeat(
        Downtime(
          kind: life.pick(Downtime.Kind.allCases), from: life.now.advanced(by: .hours(-2)),
          to: life.now.advanced(by: .hours(-1))), trust: ClockTrust(confirmed: life.now), now: life.now)
    },
    { life in
      var timing = JobTiming()
      timing.catchUp = CatchUp.none
      let defaults: [JobKind: JobTiming] = [.morningSummary: timing]
      try await life.store.planAllTeams(defaults: life.chance(3) ? [:] : defaults, now: life.now, plan: life.plan)
    },
    { life in
      if life.chance(3) { _ = try await life.stand.keeper.create(reason: "nightly") }
    },
    { life in
      guard life.chance(5) else { return }
      _ = try await life.store.rollBack(now: life.now.advanced(by: .hours(-40)), from: nil)
    },
    { life in
      guard life.chance(4) else { return }
      let name = life.pick(["short", "brief"])
      if try await life.store.teams().contains(where: { $0.name == name }) {
        for pool in try await life.store.allPools(of: try await life.store.team(named: name).id) {
          _ = try await life.store.removePool(pool.id, of: try await life.store.team(named: name).id, today: nil)
        }
        _ = try await life.store.removeTeam(named: name)
      } else {
        try await life.addTeam(name, .poolService)
      }
    },
  ]

  private mutating func receive(_ entry: OutboxEntry) async throws {
    let key = String(repeating: "0", count: 24) + String(10_000_000 + number)
    number += 1
    let receipt = Receipt(
      notice: entry.notice.id, delivery: key, recipient: "*", channel: "mail", kind: "smtp",
      outcome: pick([.delivered, .waiting, .refused, .expired]), words: "250 taken", code: 250, tries: 1, at: now)
    _ = try await store.keep([receipt], from: entry.sink, now: now)
  }
}
