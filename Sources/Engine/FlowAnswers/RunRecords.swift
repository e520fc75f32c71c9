import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Runs of the ledger in the form that callers get.
struct RunRecords: Sendable {
  let store: any Ledger & People & Receipts
  let zones: SystemZones

  /// The run; nil if the ledger has none.
  func find(_ key: RunKey) async throws -> RunRecord? {
    try await store.history(HistoryQuery(job: key.jobID, slot: key.slot, limit: 1)).first
  }

  /// The run with the deliveries of its notices.
  func view(of run: RunRecord) async throws -> RunView {
    guard run.noticeID != nil else { return RunView(run, zones: zones) }
    let receipts = try await store.receipts(of: run.jobID, slot: run.slot, limit: Limits.receiptsShown)
    let deliveries = try await DeliveryViews(store: store, zones: zones).views(of: receipts, zone: run.zone)
    return RunView(run, zones: zones, deliveries: deliveries)
  }

  /// The run; throws an internal error if the ledger has none.
  func record(of key: RunKey) async throws -> RunRecord {
    guard let run = try await find(key) else {
      throw ControlError(.internal, "the ledger has no record of this run; see the daemon's journal")
    }
    return run
  }
}

extension RunView {
  init(_ run: RunRecord, zones: SystemZones, deliveries: [DeliveryView]? = nil) {
    self.init(
      id: run.id, job: run.kind.rawValue, team: run.team, slot: run.slot.description,
      slotLocal: zones.local(run.slot, zone: run.zone), zone: run.zone,
      trigger: run.cause == .manual ? .manual : .schedule, outcome: run.outcome.view, reason: run.reason ?? "",
      detail: run.detail ?? "",
      note: run.note, inputs: run.inputs, nextTryAt: run.nextTryAt?.description,
      lateS: (run.lateness ?? .zero).inSeconds, startedAt: run.startedAt?.description,
      finishedAt: run.finishedAt?.description, attempts: run.attempts, noticeId: run.noticeID,
      ownNoticeIds: run.personalNoticeIDs.isEmpty ? nil : run.personalNoticeIDs, deliveries: deliveries)
  }
}

extension Duration {
  var inSeconds: Double { Double(wholeMilliseconds) / 1_000 }
}

extension RunOutcome {
  var view: OutcomeView { OutcomeView(self) }

  /// True until the run is settled.
  var isOpen: Bool { self == .running || self == .waiting }
}
