import PoolControl
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings
import PoolStore

extension Backend {
  func retry(_ call: OutboxCall.Retry, _ caller: Caller) async throws -> OutboxCall.Retry.Reply {
    let selection = try await selection(call.which)
    let now = clock.now()
    var count = try await refusing { try await store.reviveDead(selection, now: now, dryRun: call.dryRun) }
    if !call.onlyDead {
      count.changed += try await refusing {
        try await store.hasten(selection, now: now, dryRun: call.dryRun).changed
      }
    }
    if !call.dryRun {
      for lane in await dispatcher.statuses() where selection.sink == nil || selection.sink == lane.sink {
        dispatcher.resume(lane.sink)
      }
      dispatcher.nudge()
    }
    return OutboxCall.Retry.Reply(repair: view(of: count))
  }

  func release(_ call: OutboxCall.Release, _ caller: Caller) async throws -> OutboxCall.Release.Reply {
    let selection = try await selection(call.which)
    let count = try await refusing {
      try await store.release(selection, now: clock.now(), dryRun: call.dryRun)
    }
    if !call.dryRun { dispatcher.nudge() }
    return OutboxCall.Release.Reply(repair: view(of: count))
  }

  func discard(_ call: OutboxCall.Discard, _ caller: Caller) async throws -> OutboxCall.Discard.Reply {
    let selection = try await selection(call.which)
    let count = try await refusing {
      try await store.discard(
        selection, reason: "discarded by \(caller.words)", now: clock.now(), dryRun: call.dryRun)
    }
    return OutboxCall.Discard.Reply(repair: view(of: count))
  }

  func purge(_ call: OutboxCall.Purge, _ caller: Caller) async throws -> OutboxCall.Purge.Reply {
    let selection = try await selection(call.which)
    let count = try await refusing { try await store.purgeDead(selection, dryRun: call.dryRun) }
    return OutboxCall.Purge.Reply(repair: view(of: count))
  }

  func sinks(_ call: OutboxCall.Sinks, _ caller: Caller) async throws -> OutboxCall.Sinks.Reply {
    let routes = Dictionary(
      await settings.reading.settings.sinks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let depths = Dictionary(
      try await refusing { try await store.sinkDepths() }.map { ($0.sink, $0) }, uniquingKeysWith: { first, _ in first }
    )
    let lanes = await dispatcher.statuses()
    let configured = Set(lanes.map(\.sink))
    let views = lanes.map { lane in
      view(
        of: lane.sink, kind: lane.kind.rawValue,
        state: lane.trouble != nil ? .sick : lane.isIdle ? .idle : .working, trouble: lane.trouble.map { "\($0)" },
        takes: routes[lane.sink]?.takes, depths[lane.sink])
    }
    // A sink whose section is gone matters only while something waits for it.
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
    let names = await dispatcher.statuses().map(\.sink)
    guard names.contains(call.sink) else {
      throw ControlError.noSuchSink(call.sink, suggestion: Suggestion.nearest(to: call.sink, among: names))
    }
    let now = clock.now()
    let notice = OperatorNotice.test(sink: call.sink, by: caller.words).notice(at: now, install: store.install)
    try await refusing { try await store.tell(notice, only: call.sink, now: now) }
    // Whoever tests a sick sink wants to know now.
    dispatcher.resume(call.sink)
    dispatcher.wake([call.sink])
    return OutboxCall.Test.Reply(noticeId: notice.id)
  }

  // MARK: What the verbs share

  private func selection(_ view: EntrySelectionView) async throws -> EntrySelection {
    var selection = EntrySelection(noticeID: view.noticeId, sink: view.sink)
    if let notice = view.noticeId {
      let known = try await refusing { try await store.outbox(OutboxQuery(noticeID: notice, limit: 1)) }
      guard !known.isEmpty else { throw ControlError.noSuchNotice(notice) }
    }
    if let sink = view.sink {
      let depths = try await refusing { try await store.sinkDepths() }
      let names = Set(await dispatcher.statuses().map(\.sink) + depths.map(\.sink)).sorted()
      guard names.contains(sink) else {
        throw ControlError.noSuchSink(sink, suggestion: Suggestion.nearest(to: sink, among: names))
      }
    }
    selection.team = try await optionalTeam(named: view.team)?.id
    if let since = view.since {
      guard let instant = Timestamp(rfc3339: since) else {
        throw ControlError.badValue(field: "since", value: since, why: "write a time such as 2026-03-02T00:00:00Z")
      }
      selection.since = instant
    }
    return selection
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
  /// What its section lets through, in words: `everything`, `teams coast; from warning; at most 60/min`.
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
