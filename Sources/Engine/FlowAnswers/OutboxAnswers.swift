import FlowControl
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Answers `org.poolflow.Outbox`.
struct OutboxAnswers: OutboxService {
  let store: any Ledger & OutboxAdmin & People & Receipts & Teams
  let named: RecordFinder
  let dispatcher: Dispatcher?
  let settings: EffectiveSettings
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper

  private var lanes: [LaneStatus] {
    get async { await dispatcher?.statuses() ?? [] }
  }

  func list(_ call: OutboxCall.List, _ caller: Caller) async throws -> OutboxCall.List.Reply {
    try FieldValue.check(call.limit, in: 1...Limits.rowsPerAnswer, field: "limit")
    if let sink = call.sink { try await checkIsKnown(sink) }
    let team = try await finder.optionalTeam(named: call.team)
    let entries = try await store.outbox(
      OutboxQuery(
        team: team?.id, sink: call.sink, state: call.state.map { EntryState(asked: $0) }, limit: call.limit))
    let teamZones = Dictionary(
      try await store.teams().map { ($0.id, $0.zone) }, uniquingKeysWith: { first, _ in first })
    let names = try await store.names(of: Set(entries.compactMap(\.notice.person)))
    let receipts = try await store.receipts(of: Set(entries.map(\.notice.id)).sorted())
    var views: [EntryView] = []
    for entry in entries {
      let own = (receipts[entry.notice.id] ?? []).filter { $0.sink == entry.sink }.prefix(Limits.receiptsShown)
      views.append(try await view(of: entry, zone: zone(of: entry.notice, teamZones), names, Array(own)))
    }
    return OutboxCall.List.Reply(entries: views)
  }

  func show(_ call: OutboxCall.Show, _ caller: Caller) async throws -> OutboxCall.Show.Reply {
    guard let id = try await mappingErrors({ try await named.notice(call.noticeId) }) else {
      throw ControlError.noSuchNotice(call.noticeId)
    }
    let entries = try await store.outbox(OutboxQuery(noticeID: id))
    guard let notice = entries.first?.notice else { throw ControlError.noSuchNotice(call.noticeId) }
    var zone = LocalZone.own
    if let team = notice.teamID { zone = try await store.team(team)?.zone ?? zone }
    let names = try await store.names(of: Set([notice.person].compactMap(\.self)))
    let receipts = try await store.receipts(of: [notice.id])[notice.id] ?? []
    var views: [EntryView] = []
    for entry in entries {
      views.append(try await view(of: entry, zone: zone, names, receipts.filter { $0.sink == entry.sink }))
    }
    return OutboxCall.Show.Reply(
      notice: NoticeView(
        id: notice.id, identifier: notice.identifier, team: notice.teamName, job: notice.job,
        slot: notice.slot.description, slotLocal: zones.local(notice.slot, zone: zone), title: notice.title,
        body: notice.body, lines: notice.lines, createdAt: notice.createdAt.description,
        recipient: notice.person.map { names.name(of: $0) }),
      entries: views)
  }

  func retry(_ call: OutboxCall.Retry, _ caller: Caller) async throws -> OutboxCall.Retry.Reply {
    let selection = try await selection(call.which)
    let now = clock.now()
    var count = try await mappingErrors { try await store.reviveDead(selection, now: now, dryRun: call.dryRun) }
    if !call.onlyDead {
      count.changed += try await mappingErrors {
        try await store.retryNow(selection, now: now, dryRun: call.dryRun).changed
      }
    }
    if !call.dryRun {
      for lane in await lanes where selection.sink == nil || selection.sink == lane.sink {
        dispatcher?.resume(lane.sink)
      }
      dispatcher?.wake()
    }
    return OutboxCall.Retry.Reply(repair: view(of: count))
  }

  func release(_ call: OutboxCall.Release, _ caller: Caller) async throws -> OutboxCall.Release.Reply {
    let selection = try await selection(call.which)
    let count = try await mappingErrors {
      try await store.release(selection, now: clock.now(), dryRun: call.dryRun)
    }
    if !call.dryRun { dispatcher?.wake() }
    return OutboxCall.Release.Reply(repair: view(of: count))
  }

  func discard(_ call: OutboxCall.Discard, _ caller: Caller) async throws -> OutboxCall.Discard.Reply {
    let selection = try await selection(call.which)
    let count = try await mappingErrors {
      try await store.discard(
        selection, reason: "discarded by \(caller.words)", now: clock.now(), dryRun: call.dryRun)
    }
    return OutboxCall.Discard.Reply(repair: view(of: count))
  }

  func purge(_ call: OutboxCall.Purge, _ caller: Caller) async throws -> OutboxCall.Purge.Reply {
    let selection = try await selection(call.which)
    let count = try await mappingErrors { try await store.purgeDead(selection, dryRun: call.dryRun) }
    return OutboxCall.Purge.Reply(repair: view(of: count))
  }

  func sinks(_ call: OutboxCall.Sinks, _ caller: Caller) async throws -> OutboxCall.Sinks.Reply {
    let routes = Dictionary(
      await settings.reading.settings.sinks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let depths = Dictionary(
      try await mappingErrors { try await store.sinkDepths() }.map { ($0.sink, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let lanes = await lanes
    let configured = Set(lanes.map(\.sink))
    let views = lanes.map { lane in
      view(
        of: lane.sink, kind: lane.kind.rawValue,
        state: lane.trouble != nil ? .sick : !lane.obstacles.isEmpty ? .degraded : lane.isIdle ? .idle : .working,
        trouble: lane.trouble.map { "\($0)" } ?? (lane.obstacles.isEmpty ? nil : lane.obstacles.summarySentence),
        takes: routes[lane.sink]?.takes, depths[lane.sink])
    }
    // A sink that was removed from the settings is listed only while entries wait for it.
    let absent = depths.values.filter { depth in
      !configured.contains(depth.sink) && [.pending, .staged, .held, .dead].contains { depth.counts[$0] ?? 0 > 0 }
    }
    return OutboxCall.Sinks.Reply(
      sinks: views
        + absent.sorted { $0.sink < $1.sink }.map {
          view(of: $0.sink, kind: nil, state: .absent, trouble: nil, takes: nil, $0)
        })
  }

  func test(_ call: OutboxCall.Test, _ caller: Caller) async throws -> OutboxCall.Test.Reply {
    let names = await lanes.map(\.sink)
    guard names.contains(call.sink) else {
      throw ControlError.noSuchSink(call.sink, suggestion: Suggestion.nearest(to: call.sink, among: names))
    }
    let now = clock.now()
    let notice = OperatorNotice.test(sink: call.sink, by: caller.words).notice(at: now, install: store.install)
    try await mappingErrors { try await store.notify(notice, only: call.sink, now: now) }
    // A test of an unhealthy sink must not wait for the next retry.
    dispatcher?.resume(call.sink)
    dispatcher?.wake([call.sink])
    return OutboxCall.Test.Reply(noticeId: notice.id)
  }

  // MARK: Shared helpers

  /// Refuses a sink that is neither in the settings nor has entries. An inspection has no lanes, so the settings and the outbox
  /// are checked, too.
  private func checkIsKnown(_ sink: String) async throws {
    let depths = try await mappingErrors { try await store.sinkDepths() }
    let namedInSettings = await settings.reading.settings.sinks.map(\.name)
    let names = Set(await lanes.map(\.sink) + namedInSettings + depths.map(\.sink)).sorted()
    guard names.contains(sink) else {
      throw ControlError.noSuchSink(sink, suggestion: Suggestion.nearest(to: sink, among: names))
    }
  }

  /// The selection of a repair command with its names resolved; refuses unknown sinks, teams and notices.
  private func selection(_ view: EntrySelectionView) async throws -> EntrySelection {
    var selection = EntrySelection(sink: view.sink)
    if let sink = view.sink { try await checkIsKnown(sink) }
    let team = try await finder.optionalTeam(named: view.team)
    selection.team = team?.id
    if let notice = view.noticeId {
      let query = OutboxQuery(team: selection.team, sink: view.sink)
      let id = try await mappingErrors { try await named.notice(notice, query: query) }
      guard let id, !(try await mappingErrors { try await store.outbox(OutboxQuery(noticeID: id, limit: 1)) }).isEmpty
      else {
        throw ControlError.noSuchNotice(notice)
      }
      selection.noticeID = id
    }
    if let since = view.since {
      selection.since = try zones.instant(since, team: team, now: clock.now(), field: "since")
    }
    return selection
  }

  /// The team's zone, or the machine's zone for the server's own notices.
  private func zone(of notice: Notice, _ teamZones: [TeamID: String]) -> String {
    notice.teamID.flatMap { teamZones[$0] } ?? LocalZone.own
  }

  private func view(
    of entry: OutboxEntry, zone: String, _ names: [PersonKey: String], _ receipts: [Receipt]
  ) async throws -> EntryView {
    let waits = entry.state == .pending || entry.state == .staged
    return EntryView(
      sequence: Int(entry.sequence), noticeId: entry.notice.id, team: entry.notice.teamName, sink: entry.sink,
      state: EntryStateView(rawValue: entry.state.rawValue) ?? .pending, attempts: entry.attempts,
      nextTryAt: waits ? entry.nextTryAt.description : nil,
      nextTryLocal: waits ? zones.local(entry.nextTryAt, zone: zone) : nil, lastError: entry.lastError,
      createdAt: entry.notice.createdAt.description, createdLocal: zones.local(entry.notice.createdAt, zone: zone),
      sentAt: entry.sentAt?.description, title: entry.notice.title,
      recipient: entry.notice.person.map { names.name(of: $0) },
      deliveries: try await DeliveryViews(store: store, zones: zones).views(of: receipts, zone: zone))
  }

  private func view(of count: RepairCount) -> RepairView { RepairView(entries: count.changed, left: count.left) }

  private func view(
    of sink: String, kind: String?, state: SinkStateView, trouble: String?, takes: String?, _ depth: SinkDepth?
  ) -> SinkQueueView {
    func count(_ states: EntryState...) -> Int { states.map { depth?.counts[$0] ?? 0 }.reduce(0, +) }
    return SinkQueueView(
      name: sink, kind: kind, state: state, trouble: trouble, takes: takes, waiting: count(.pending, .staged),
      held: count(.held), dead: count(.dead), sent: count(.sent), oldestAt: depth?.oldest?.description,
      nextTryAt: depth?.nextTry?.description, lastSentAt: depth?.lastSent?.description)
  }
}

extension Settings.SinkSettings {
  /// The filters of the sink's section as text: `everything`, or `teams coast; from warning; at most 60/min`.
  var takes: String {
    var parts: [String] = []
    if let teams { parts.append("teams \(teams.sorted().joined(separator: " "))") }
    if let jobs { parts.append("jobs \(jobs.sorted().joined(separator: " "))") }
    if severity > .info { parts.append("from \(severity.rawValue)") }
    if let rate { parts.append("at most \(rate)") }
    if sensitive { parts.append("with gate codes") }
    return parts.isEmpty ? "everything" : parts.joined(separator: "; ")
  }
}
