import PoolControl
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolSettings
import PoolStore
import PoolWork

/// Acquires partitions and hands them off, one change at a time. Jobs of an acquired partition run here at once; before a
/// hand-off, claimed runs are settled and batches of notices are delivered.
actor ShareHands {
  private let identity: NodeIdentity
  private let store: any ClockLog & NodeShares
  private let scheduler: Scheduler
  private let dispatcher: Dispatcher
  private let work: ServerWork
  private let changes: SiteChanges
  private let settings: SettingsInForce
  private let clock: any WallClock
  private let log: DaemonLog
  /// Name of the node that owned a partition at the last scan; nil for none.
  private let server: @Sendable (Int) -> String?
  private let bell: NodeBell
  /// Number of running calls that need a partition, by partition.
  private var pins: [Int: Int] = [:]
  /// Uptime at which partitions were acquired for a call.
  private var borrowed: [Int: Duration] = [:]
  /// True while the rules of the server's jobs are still to be written from the current settings.
  private var owesPlan = false
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(
    _ identity: NodeIdentity, store: any ClockLog & NodeShares, scheduler: Scheduler, dispatcher: Dispatcher,
    work: ServerWork, changes: SiteChanges, settings: SettingsInForce, clock: any WallClock, log: DaemonLog,
    bell: NodeBell, server: @escaping @Sendable (Int) -> String?
  ) {
    self.identity = identity
    self.store = store
    self.scheduler = scheduler
    self.dispatcher = dispatcher
    self.work = work
    self.changes = changes
    self.settings = settings
    self.clock = clock
    self.log = log
    self.bell = bell
    self.server = server
  }

  /// Runs `body` after every other change of partitions has ended: an `await` inside would let another one in halfway.
  private func inTurn<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    while isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    defer {
      isBusy = false
      let next = waiting
      waiting = []
      for waiter in next { waiter.resume() }
    }
    return try await body()
  }

  /// Partitions to keep: a running call needs them, or a call needed them within the last `Limits.shareBorrowed`.
  var kept: ShareSet {
    let now = MachineUptime.now()
    borrowed = borrowed.filter { now - $0.value < Limits.shareBorrowed }
    return pinned + ShareSet(borrowed.keys)
  }

  private var pinned: ShareSet { ShareSet(pins.keys) }

  // MARK: Taking and giving

  /// Acquires those of `wanted` that are free, before any job is planned at start-up. Of many teams only the first
  /// `Limits.teamsBegunWith`; `serve` acquires the rest.
  func begin(with wanted: ShareSet) async throws {
    try await inTurn {
      let (taken, lost) = try await store.take(store.first(of: wanted, teams: Limits.teamsBegunWith))
      if taken.contains(0) { await planServer() }
      await tell(taken, lost)
    }
  }

  /// Acquires those of `wanted` that are free, `Limits.teamsTakenAtOnce` teams at a time.
  ///
  /// - Returns: true if partitions are left to acquire and no call is waiting: the caller then runs the next tick at once,
  ///   before another node acquires them.
  func take(_ wanted: ShareSet) async throws -> Bool {
    try await inTurn {
      let portion = try await store.first(of: wanted, teams: Limits.teamsTakenAtOnce)
      try await taken(portion)
      return portion != wanted && waiting.isEmpty && pins.isEmpty
    }
  }

  /// Acquires free partitions and plans their jobs.
  private func taken(_ wanted: ShareSet) async throws {
    let (taken, lost) = try await store.take(wanted)
    guard !taken.isEmpty else { return }
    changes.note(nil)
    if taken.contains(0) { await planServer() }
    try await scheduler.takeUp(taken)
    // The teams' rules, too, may have been planned by older settings.
    if taken.contains(0), taken != store.shares { try await scheduler.planAll() }
    dispatcher.nudge()
    await tell(taken, lost)
  }

  /// Writes the rules of the server's jobs, and of the teams' jobs where the settings differ from those last planned. Only the
  /// owner of partition 0 does this.
  private func planServer() async {
    owesPlan = true
    do {
      let settings = await settings.reading.settings
      try await work.plan(by: settings)
      try await work.planTeams(by: settings)
      owesPlan = false
    } catch {
      log.error("\(error); the rules of the server's own jobs are set within a moment")
    }
  }

  /// True if an earlier failure left work that `mend` repeats.
  ///
  /// - Parameter locked: the partitions whose locks this node's session held at the last scan.
  func isOwing(_ locked: ShareSet) -> Bool { owesPlan && store.servesServer || !(locked - store.shares).isEmpty }

  /// Repeats failed work: resumes partitions that were released but not handed off, and writes missing rules.
  func mend() async throws {
    try await inTurn {
      let stranded = try await store.laidDownHere()
      if !stranded.isEmpty {
        try await store.takeUp(stranded)
        try await scheduler.takeUp(stranded)
      }
      guard owesPlan, store.servesServer else { return }
      await planServer()
      // The teams' rules, too, may have been planned by older settings.
      try await scheduler.planAll()
    }
  }

  /// Logs the acquired partitions, and notifies the operator of each crashed node whose partitions were acquired.
  private func tell(_ taken: ShareSet, _ lost: [(epoch: Int64, last: Timestamp)]) async {
    guard !taken.isEmpty else { return }
    log.notice("node '\(identity.name)' works \(store.shares.count) of \(ShareSet.count) shares, \(taken) are new")
    for life in lost {
      do {
        try await work.notices.tell(.nodeFollowed(node: identity.name, last: life.last), now: clock.now())
      } catch {
        log.error("the operator could not be told that this node has taken over: \(error)")
      }
    }
  }

  /// Hands off those of `wanted` that no call needs. Claimed runs get `Limits.shareGiving` to end; if one takes longer, the
  /// node keeps the partitions.
  func give(_ wanted: ShareSet) async throws {
    try await inTurn {
      let given = (wanted & store.shares) - pinned
      guard !given.isEmpty else { return }
      try await store.layDown(given)
      try await scheduler.replan(given)
      let end = ContinuousClock.now + Limits.shareGiving
      while try await store.claimed(of: given) > 0 {
        guard ContinuousClock.now < end else {
          // A long task is still running: the partitions are handed off at a later tick.
          try await store.takeUp(given)
          return try await scheduler.takeUp(given)
        }
        // If cancelled, the process ends here and its successor recovers the released partitions.
        try await Task.sleep(for: .milliseconds(10))
      }
      await dispatcher.finishBatches()
      try await store.give(given)
      for share in given.shares { borrowed[share] = nil }
      log.notice("node '\(identity.name)' hands shares \(given) over and works \(store.shares.count)")
    }
  }

  /// Refreshes caches and plans after another node changed teams that this node may own.
  ///
  /// - Parameter planned: the partitions whose jobs have changed rules.
  func hearNews(planning planned: ShareSet) async throws {
    try await inTurn {
      try await store.noteOthersChanges()
      changes.note(nil)
      let own = planned & store.shares
      if !own.isEmpty { try await scheduler.replan(own) }
      dispatcher.nudge()
    }
  }

  // MARK: Changes that people ask for

  /// Makes this node own `wanted` until `release`; asks the present owners to hand them off.
  ///
  /// - Throws: `ControlError.busy` if an owner does not hand off within `Limits.shareWait`.
  func hold(_ wanted: ShareSet) async throws {
    let end = ContinuousClock.now + Limits.shareWait
    var hasWished = false
    var rung = bell.count
    while !(try await pin(wanted)) {
      try Task.checkCancellation()
      let missing = wanted - store.shares
      guard ContinuousClock.now < end else {
        try await store.wish(for: .none)
        let name = missing.shares.first.flatMap(server)
        throw ControlError(
          .busy,
          "this changes something that node '\(name ?? "nobody")' works and has not handed over within "
            + "\(Limits.shareWait.inWords): ask there, or try again in a moment")
      }
      // Repeated each time, because a hand-off request expires soon.
      try await store.wish(for: missing)
      hasWished = true
      await bell.wait(past: rung, atMost: Limits.freeSettled)
      rung = bell.count
    }
    if hasWished {
      let now = MachineUptime.now()
      for share in wanted.shares { borrowed[share] = now }
      try await store.wish(for: .none)
    }
  }

  /// Acquires and pins all of `wanted`.
  ///
  /// - Returns: false if another node owns one of them; then none is pinned.
  private func pin(_ wanted: ShareSet) async throws -> Bool {
    try await inTurn {
      if !store.shares.isSuperset(of: wanted) { try await taken(wanted - store.shares) }
      guard store.shares.isSuperset(of: wanted) else { return false }
      for share in wanted.shares { pins[share, default: 0] += 1 }
      return true
    }
  }

  /// Pins `wanted` until `release` if this node owns all of them.
  ///
  /// - Returns: false if another node owns one of them; then none is pinned.
  func pinIfHere(_ wanted: ShareSet) async -> Bool {
    await inTurn {
      guard store.shares.isSuperset(of: wanted) else { return false }
      for share in wanted.shares { pins[share, default: 0] += 1 }
      return true
    }
  }

  /// Ends one `hold` or `pinIfHere` of these partitions.
  func release(_ held: ShareSet) {
    for share in held.shares {
      let left = (pins[share] ?? 1) - 1
      pins[share] = left > 0 ? left : nil
    }
  }
}
