import FlowControl
import FlowDelivery
import FlowModel
import FlowNodes
import FlowNotices
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// The answer of `status`: the state of the daemon on one screen.
struct StatusReport: Sendable {
  let store: any LedgerReport & OutboxAdmin & Receipts & StoreUpkeep
  let dispatcher: Dispatcher?
  let settings: EffectiveSettings
  let clock: any WallClock
  let clockStatus: ClockStatus
  let slots: UpcomingSlots
  let troubles: TeamFailureReport
  let paths: DaemonPaths
  let choice: StoreChoice
  let node: ClusterMember?
  let senders: SenderViews
  let startedAt: Timestamp

  /// The status; while the database server is away, only the facts that need no store.
  func status() async throws -> SchedulerCall.Status.Reply {
    do {
      return try await fullStatus()
    } catch  where error.isCausedByServerOutage {
      return await statusWithoutStore(error)
    }
  }

  private var engine: StoreEngineView { choice.isOnServer ? .postgresql : .sqlite }

  /// The status while the database server does not answer: without any records.
  private func statusWithoutStore(_ error: any Error) async -> SchedulerCall.Status.Reply {
    SchedulerCall.Status.Reply(
      version: ProductVersion.text, pid: ProcessIdentity.own, startedAt: startedAt.description,
      now: clock.now().description, schemaVersion: choice.modules.trades.schemaVersion, clock: .ok, disk: .ok,
      stateDir: paths.state, configPath: await settings.path, teams: 0, pools: 0, jobs: 0, next: [],
      runsLastDay: RunCountsView(done: 0, notified: 0, skipped: 0, failed: 0, missed: 0),
      outbox: OutboxCountsView(pending: 0, staged: 0, sent: 0, dead: 0, held: 0), sinks: await sinkViews(),
      store: StoreView(engine: engine, place: choice.name, state: .away, detail: "\(error)"),
      node: node?.sentence, senders: await senders.views(teams: nil))
  }

  private func fullStatus() async throws -> SchedulerCall.Status.Reply {
    let now = clock.now()
    let counts = try await store.stateCounts()
    let depth = try await store.outboxDepth()
    let outcomes = try await store.outcomes(since: now.advanced(by: .hours(-24)), notAfter: now)
    let deliveries = try await store.receiptCounts(since: now.advanced(by: .hours(-24)))
    let oldest = try await store.oldestUndelivered()
    let (clockView, clockDetail) = try await clockStatus.summary(now: now)
    let (disk, diskDetail) = await diskState()
    return SchedulerCall.Status.Reply(
      version: ProductVersion.text, pid: ProcessIdentity.own, startedAt: startedAt.description, now: now.description,
      schemaVersion: choice.modules.trades.schemaVersion, clock: clockView, clockDetail: clockDetail,
      clockMended: try await clockStatus.recentCorrection(now: now)?.sentence, disk: disk, diskDetail: diskDetail,
      stateDir: paths.state, configPath: await settings.path, teams: counts.teams, pools: counts.records,
      jobs: counts.jobs,
      next: try await slots.first(3),
      runsLastDay: RunCountsView(
        done: outcomes[.done] ?? 0, notified: outcomes[.notified] ?? 0, skipped: outcomes[.skipped] ?? 0,
        failed: outcomes[.failed] ?? 0, missed: outcomes[.missed] ?? 0),
      outbox: OutboxCountsView(
        pending: depth[.pending] ?? 0, staged: depth[.staged] ?? 0, sent: depth[.sent] ?? 0, dead: depth[.dead] ?? 0,
        held: depth[.held] ?? 0, oldestPendingS: oldest.map { now.since($0).inSeconds }),
      sinks: await sinkViews(), troubles: Array(try await troubles.all().prefix(Limits.problemsShown)),
      failedWork: try await troubles.failedWork(), deliveriesLastDay: DeliveryCountsView(deliveries),
      store: StoreView(engine: engine, place: choice.name, state: .ok), node: node?.sentence,
      senders: try await senders.views())
  }

  private func diskState() async -> (DiskView, String?) {
    let path = paths.state
    if await store.isOutOfDiskSpace { return (.full, "the disk of '\(path)' is full: nothing can be written") }
    guard let free = DiskSpace(at: path)?.freeBytes, free < Limits.freeSpaceError else { return (.ok, nil) }
    return (.low, "only \(free >> 20) MiB are free in '\(path)'")
  }

  private func sinkViews() async -> [SinkView] {
    let folders = await settings.dropFolders
    return await (dispatcher?.statuses() ?? []).map { lane in
      let failure = lane.trouble.map { "\($0)" } ?? (lane.obstacles.isEmpty ? nil : lane.obstacles.summarySentence)
      let state: SinkHealthView = lane.trouble != nil ? .sick : lane.obstacles.isEmpty ? .ok : .degraded
      return SinkView(
        name: lane.sink, kind: lane.kind.rawValue, state: state, detail: failure ?? folders[lane.sink] ?? "")
    }
  }
}

extension DeliveryCountsView {
  /// Nil without any receipts.
  init?(_ counts: [Receipt.Outcome: Int]) {
    guard !counts.isEmpty else { return nil }
    self.init(
      delivered: counts[.delivered] ?? 0, refused: counts[.refused] ?? 0, expired: counts[.expired] ?? 0,
      unknown: counts[.unknown] ?? 0, waiting: counts[.waiting] ?? 0)
  }
}
