import FlowCalendar
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import PoolStore
import StableModel  // Stables

extension World {
  /// The trades of the teams, in turn.
  private static let trades: [Trade] = [
    .poolService, .poolService, .poolService,
    .stable,  // Stables
  ]

  func populate(teams count: Int) async throws {
    for number in 1...count {
      let zone = random.pick(Self.zoneNames)
      var settings = TeamSettings()
      settings.morningNotice = !random.chance(3)
      settings.morningTime = anyTime()
      let plan: Plan = random.chance(3) ? .trial(expires: now.advanced(by: .hours(24 * 7))) : .paid
      var draft = Samples.team("team-\(number)", zone: zone, plan: plan, settings: settings)
      draft.trade = Self.trades[(number - 1) % Self.trades.count]
      let team = try await store.addTeam(draft, defaultTechnician: "anna", now: now, plan: self.plan)
      teams.append(team)
      // The default technician gets the team's notices personally.
      if random.chance(2), let anna = try await store.technicians(of: team.id).first {
        _ = try await store.changePerson(.technician(anna.id), of: team.id) {
          $0.addresses[.mail] = "anna@example.com"
          $0.person.language = .german
        }
      }
      if team.trade == .stable { try await fillBarn(team, number: number) }  // Stables
      guard team.trade == .poolService else { continue }
      let pools = (1...3).map { Samples.pool(number * 10 + $0, day: random.pick(Weekday.allCases), order: $0) }
      _ = try await store.replaceRecords(
        team: team.name, technician: nil,
        records: RecordSet(pools: pools, inventory: [Samples.item(5_000 + number, stock: 1, threshold: 2)]),
        photos: [:], now: now, dryRun: false)
    }
    try await planServer()
    note("\(count) teams")
  }

  private func planServer() async throws {
    let backup = random.chance(5) ? nil : anyTime()
    try await store.planServerJobs(
      JobPlan.server(.pools, backup: backup),
      zone: random.pick(Self.zoneNames),
      now: now)
  }

  /// Often a time that some clock change skips or repeats.
  private func anyTime() -> TimeOfDay {
    let hour = random.chance(2) ? Int.random(in: 0...3, using: &random) : Int.random(in: 0...23, using: &random)
    return TimeOfDay(hour: hour, minute: random.pick([0, 15, 30, 45])) ?? .sevenInTheMorning
  }

  /// Causes one random event.
  func mischief() async throws {
    let trouble = random.pick(Self.troubles)
    if trouble == .powerCut {
      breakDisk()
      return
    }
    meetings.add(trouble)
    switch trouble {
    case .restart:
      note("orderly restart")
      try await flushBeat()
      try await store.endEpoch(at: now)
      advance(.seconds(aWhile()))
      try await start()
    case .crash: fuse = Int.random(in: 0..<12, using: &random)
    case .smallStep: step(by: random.pick([1, -1, 30, -30, 3_600, -3_600]))
    case .largeStep: step(by: random.pick([90_000, -90_000, 86_400, -86_400, 7 * 86_400]))
    case .glitch: try await glitch()
    case .suspension:
      let nap = aWhile()
      note("suspended for \(nap) s")
      advance(.seconds(nap))
    case .wrongClock: try await wrongLife()
    // Shorter and longer than the catch-up window of a morning.
    case .fullDisk: fillDisk(for: .seconds(random.pick([61, 3_600, 21_000])))
    case .sinkFails:
      sinkFails.toggle()
      note("sink \(sinkFails ? "fails" : "is well")")
    case .settings: try await changeSettings()
    case .choice: try await choose()
    case .hold: try await hold()
    case .barn: try await keepBarn(random.pick(teams.filter { $0.trade == .stable }))  // Stables
    case .byHand: try await runByHand()
    case .powerCut, .writeFails, .shortWrite, .noRoom, .deadDisk, .sinkDies: break
    }
  }

  /// The frequency of each event. One disk event stands for all of them.
  private static let troubles: [Trouble] =
    [.restart, .smallStep, .largeStep, .glitch, .suspension, .hold, .sinkFails, .byHand]
    + [
      .crash, .settings, .wrongClock, .fullDisk, .choice, .choice,
      .barn, .barn,  // Stables
    ].flatMap { [$0, $0] }
    + Array(repeating: .powerCut, count: 5)

  /// Mostly minutes or hours, sometimes days.
  private func aWhile() -> Int { Int.random(in: 1...(random.chance(5) ? 300_000 : 9_000), using: &random) }

  private func step(by seconds: Int) {
    note("clock set by \(seconds) s")
    now = now.advanced(by: .seconds(seconds))
  }

  /// A bad time server: ten years ahead or behind, corrected before the clock is trusted.
  private func glitch() async throws {
    let years = random.pick([10, -10, 1])
    note("clock glitch of \(years) years")
    now = now.advanced(by: .hours(years * 8_766))
    try await look()
    advance(.seconds(20))
    try await look()
    now = now.advanced(by: .hours(-years * 8_766))
  }

  /// The clock is wrong before a start, perhaps changes during that process, and is corrected before the next start or while
  /// the daemon runs.
  private func wrongLife() async throws {
    // A clock years ahead skips more slots than the rest of the simulation has; once is enough.
    let ahead =
      random.chance(8)
      ? random.pick([30 * 86_400, 400 * 86_400, 5 * 366 * 86_400])
      : random.pick([3, 40, 3_600, 72_000, 86_400, 90_000, 200_000])
    let distance = random.chance(4) ? -min(ahead, 400 * 86_400) : ahead
    note("a life by a clock that is wrong by \(distance) s")
    let right = now
    let before = uptime
    try await flushBeat()
    if random.chance(2) { try await store.endEpoch(at: now) }
    advance(.seconds(Int.random(in: 1...20_000, using: &random)))
    now = now.advanced(by: .seconds(distance))
    do {
      // However that process ends, the clock is right after it.
      defer {
        now = right.advanced(by: uptime - before)
        note("the clock is right again")
      }
      try await liveWrongly()
    }
    guard !random.chance(2) else { return wake = now }
    try await flushBeat()
    try await start()
  }

  /// A clock before 2024 was never set: nothing is scheduled.
  private func liveWrongly() async throws {
    try await start()
    for _ in 0...Int.random(in: 0...3, using: &random) {
      try await look()
      if random.chance(3) { step(by: random.pick([3_600, -3_600, 72_000])) }
      if random.chance(3) { try await changeSettings() }
      if random.chance(3) { try await choose() }
      if random.chance(3) { try await hold() }
      advance(.seconds(random.pick([1, 3, 61, 7_000])))
    }
    try await look()
  }

  private func changeSettings() async throws {
    if random.chance(4) {
      note("re-planned the server's jobs")
      if !random.chance(4) { try await look() }
      try await planServer()
      try point()
      return try await replan(nil)
    }
    let team = random.pick(teams)
    let time = anyTime()
    let zone = random.chance(3) ? random.pick(Self.zoneNames) : nil
    let morning = !random.chance(4)
    let preview = random.chance(4)
    note("\(team.name) set to \(time) \(zone ?? "") \(morning)")
    // A daemon settles due slots before it changes a rule; sometimes the change comes first.
    if !random.chance(4) { try await look() }
    _ = try await store.changeTeam(
      named: team.name, now: now,
      change: { team in
        team.settings.morningTime = time
        team.settings.morningNotice = morning
        team.settings.eveningPreview = preview
        if let zone { team.zone = zone }
      },
      plan: plan)
    try point()
    try await replan(team.id)
  }

  func replan(_ team: TeamID?) async throws {
    let jobs = planned(try await store.jobs(of: team), holds: try await store.holds(of: team))
    _ = state.handle(.replanned(team, jobs))
    wake = now
  }

  private func hold() async throws {
    let team = random.chance(5) ? nil : random.pick(teams)
    let jobs = try await store.jobs(of: team?.id)
    let job = random.pick(jobs)
    try await look()
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      note("skip \(job.id.number)")
      _ = try await store.hold(
        HoldRequest(
          teamID: team?.id, jobID: job.id, kind: .skip(left: Int.random(in: 1...3, using: &random)), note: "",
          setBy: "anna"), now: now)
    case 1:
      let until = random.chance(2) ? nil : now.advanced(by: .hours(Int.random(in: 1...100, using: &random)))
      let whole = random.chance(2)
      note("pause \(whole ? team?.name ?? "the server" : "\(job.id.number)")")
      _ = try await store.hold(
        HoldRequest(
          teamID: team?.id, jobID: whole ? nil : job.id, kind: .pause(until: until), note: "n", setBy: "anna"), now: now
      )
    default:
      note("resume \(team?.name ?? "the server")")
      for job in jobs { _ = try await store.release(team: team?.id, job: job.id, now: now, by: "ben") }
      _ = try await store.release(team: team?.id, job: nil, now: now, by: "ben")
    }
    try point()
    try await replan(team?.id)
  }

  private func runByHand() async throws {
    let team = random.chance(5) ? nil : random.pick(teams)
    let job = random.pick(try await store.jobs(of: team?.id))
    guard now >= Limits.earliestPlausibleNow else { return }
    let slot = now.millisecondOfSecond == 0 ? now.advanced(by: .milliseconds(1)) : now
    note("run \(job.id.number) by hand")
    let runs = try await store.claim([ClaimRequest(job: job, slot: slot, cause: .manual, asOf: now)], now: now)
    try point()
    try await settle(runs)
  }
}
