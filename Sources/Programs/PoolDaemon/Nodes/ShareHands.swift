import PoolControl
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolSettings
import PoolStore
import PoolWork

/// Takes shares and hands them over, one change at a time: what is taken is worked from then on, and what is given is settled and
/// delivered first as far as it is begun.
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
  /// Who serves a share, as was seen last.
  private let server: @Sendable (Int) -> String?
  private let bell: NodeBell
  /// How many calls need a share just now.
  private var pins: [Int: Int] = [:]
  /// When shares were taken for a call.
  private var borrowed: [Int: Duration] = [:]
  /// The rules of the server's jobs are still to be set by these settings.
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

  /// What is not to be given: a call needs it, or has needed it a moment ago.
  var kept: ShareSet {
    let now = MachineUptime.now()
    borrowed = borrowed.filter { now - $0.value < Limits.shareBorrowed }
    return pinned + ShareSet(borrowed.keys)
  }

  private var pinned: ShareSet { ShareSet(pins.keys) }

  // MARK: Taking and giving

  /// Takes those of these shares that nobody has, before anything is planned: at the start. Many come in portions, the first here.
  func begin(with wanted: ShareSet) async throws {
    try await inTurn {
      let (taken, lost) = try await store.take(store.first(of: wanted, teams: Limits.teamsBegunWith))
      if taken.contains(0) { await planServer() }
      await tell(taken, lost)
    }
  }

  /// Takes those of these shares that nobody has.
  ///
  /// - Returns: whether only a first portion of them was asked for, and the next is to be at once: the others may be somebody else's
  ///   by the next look, and a call that waits comes first.
  func take(_ wanted: ShareSet) async throws -> Bool {
    try await inTurn {
      let portion = try await store.first(of: wanted, teams: Limits.teamsTakenAtOnce)
      try await taken(portion)
      return portion != wanted && waiting.isEmpty && pins.isEmpty
    }
  }

  private func taken(_ wanted: ShareSet) async throws {
    let (taken, lost) = try await store.take(wanted)
    guard !taken.isEmpty else { return }
    changes.note(nil)
    if taken.contains(0) { await planServer() }
    try await scheduler.takeUp(taken)
    // The rules of any team may be others by these settings.
    if taken.contains(0), taken != store.shares { try await scheduler.planAll() }
    dispatcher.nudge()
    await tell(taken, lost)
  }

  /// What one alone does for all: the rules of the server's own jobs, and of the teams' where the settings say others.
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

  /// Whether something may be left that failed: `mend` makes up for it.
  ///
  /// - Parameter locked: what this node's session had when it was looked at.
  func isOwing(_ locked: ShareSet) -> Bool { owesPlan && store.servesServer || !(locked - store.shares).isEmpty }

  func mend() async throws {
    try await inTurn {
      let stranded = try await store.laidDownHere()
      if !stranded.isEmpty {
        try await store.takeUp(stranded)
        try await scheduler.takeUp(stranded)
      }
      guard owesPlan, store.servesServer else { return }
      await planServer()
      // The rules of any team may be others by these settings.
      try await scheduler.planAll()
    }
  }

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

  /// Hands over what nobody needs here and what can be settled within `Limits.shareGiving`.
  func give(_ wanted: ShareSet) async throws {
    try await inTurn {
      let given = (wanted & store.shares) - pinned
      guard !given.isEmpty else { return }
      try await store.layDown(given)
      try await scheduler.replan(given)
      let end = ContinuousClock.now + Limits.shareGiving
      while try await store.claimed(of: given) > 0 {
        guard ContinuousClock.now < end else {
          // Heavy work that takes its time: it goes with the shares at another time.
          try await store.takeUp(given)
          return try await scheduler.takeUp(given)
        }
        // Cancelled, this life ends: what is laid down is the next one's.
        try await Task.sleep(for: .milliseconds(10))
      }
      await dispatcher.finishBatches()
      try await store.give(given)
      for share in given.shares { borrowed[share] = nil }
      log.notice("node '\(identity.name)' hands shares \(given) over and works \(store.shares.count)")
    }
  }

  /// Others have changed something of teams that may be this node's.
  ///
  /// - Parameter planned: whose jobs are others by it.
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

  /// Has these shares here until `release`: whoever has them is asked for them.
  ///
  /// - Throws: `ControlError.busy` where he does not hand them over in time.
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
      // Said again, for a wish is soon forgotten.
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

  /// - Returns: whether all are here.
  private func pin(_ wanted: ShareSet) async throws -> Bool {
    try await inTurn {
      if !store.shares.isSuperset(of: wanted) { try await taken(wanted - store.shares) }
      guard store.shares.isSuperset(of: wanted) else { return false }
      for share in wanted.shares { pins[share, default: 0] += 1 }
      return true
    }
  }

  /// Keeps shares here until `release`, where they are.
  func pinIfHere(_ wanted: ShareSet) async -> Bool {
    await inTurn {
      guard store.shares.isSuperset(of: wanted) else { return false }
      for share in wanted.shares { pins[share, default: 0] += 1 }
      return true
    }
  }

  func release(_ held: ShareSet) {
    for share in held.shares {
      let left = (pins[share] ?? 1) - 1
      pins[share] = left > 0 ? left : nil
    }
  }
}
