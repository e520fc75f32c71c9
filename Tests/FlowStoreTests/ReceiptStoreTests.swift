import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// Delivery receipts on every engine.
struct ReceiptStoreTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  /// A run with a team notice for `crew` and `line`, and a personal notice of anna for `crew`.
  private struct Stand {
    let store: any Engine.Opened
    let team: Team
    let job: JobRecord
    let anna: PersonKey
    var own: String { "n-\(anna.text)" }
  }

  private func stand(_ engine: Engine) async throws -> Stand {
    let store = try engine.open(folder.path, now)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    let job = try #require(try await store.jobs(of: team.id).first)
    let anna = PersonKey.technician(try #require(try await store.technicians(of: team.id).first).id)
    let run = try #require(
      try await store.claim([ClaimRequest(job: job, slot: now, cause: .schedule, asOf: now)], now: now).first)
    let stand = Stand(store: store, team: team, job: job, anna: anna)
    let outcome = Outcome(
      result: .notified, detail: "…", notice: notice("n", of: stand),
      personal: [notice(stand.own, of: stand, for: anna)])
    let routes = [SinkRoute(sink: "line"), SinkRoute(sink: "crew", takesPersonal: true)]
    try await store.settle([RunSettlement(run: run, outcome: outcome, finishedAt: now)], routes: routes)
    return stand
  }

  private func notice(_ id: String, of stand: Stand, for person: PersonKey? = nil) -> Notice {
    Notice(
      id: id, teamID: stand.team.id, teamName: stand.team.name, jobID: stand.job.id, job: stand.job.kind.rawValue,
      slot: now, identifier: "i", title: "Route", body: "b", lines: [], dataJSON: "", lateness: .zero, createdAt: now,
      expiresAt: nil, severity: .warning, person: person)
  }

  private func receipt(
    _ outcome: Receipt.Outcome, of notice: String, _ number: Int = 1, for recipient: String = "*", tries: Int = 1,
    after seconds: Int = 0
  ) -> Receipt {
    let key = String(repeating: "0", count: 32 - String(number).count) + String(number)
    return Receipt(
      notice: notice, delivery: key, recipient: recipient, channel: "mail", kind: "smtp", outcome: outcome,
      words: "\(outcome) \(tries)", code: outcome == .delivered ? 250 : nil, tries: tries,
      at: now.advanced(by: .seconds(seconds)))
  }

  @Test(arguments: Engine.all)
  func `a delivery keeps its latest receipt, and receipts for unknown entries are refused`(engine: Engine) async throws
  {
    let stand = try await stand(engine)
    let store = stand.store
    func last() async throws -> String? { try await store.receipts(of: ["n"])["n"]?.first?.words }
    // In any order and repeated: more tries win, then a final outcome, then the later time.
    let steps: [(Receipt.Outcome, Int, Int, String)] = [
      (.waiting, 1, 0, "waiting 1"), (.waiting, 2, 60, "waiting 2"), (.waiting, 1, 90, "waiting 2"),
      (.expired, 2, 50, "expired 2"), (.waiting, 2, 100, "expired 2"), (.expired, 2, 50, "expired 2"),
      (.delivered, 3, 200, "delivered 3"), (.refused, 2, 300, "delivered 3"), (.delivered, 3, 200, "delivered 3"),
    ]
    for (outcome, tries, seconds, expected) in steps {
      let told = receipt(outcome, of: "n", tries: tries, after: seconds)
      #expect(try await store.keep([told], from: "crew", now: now) == 0)
      #expect(try await last() == expected, "after \(outcome) \(tries)")
    }
    let kept = try #require(try await store.receipts(of: ["n", "x"])["n"])
    #expect(kept.count == 1 && kept.first?.sink == "crew" && kept.first?.code == 250)
    // A notice of another sink, and an unknown notice.
    let unknown = [receipt(.delivered, of: stand.own, 2), receipt(.delivered, of: "x", 3)]
    #expect(try await store.keep(unknown, from: "line", now: now) == 2)
    // Losses come first; a notice keeps a limited number of receipts.
    let many = (10..<Limits.receiptsPerNotice + 20).map { receipt($0 % 2 == 0 ? .refused : .waiting, of: "n", $0) }
    #expect(try await store.keep(many, from: "crew", now: now) == 11)
    let run = try await store.receipts(of: stand.job.id, slot: now, limit: 60)
    #expect(run.count == 60 && run.prefix(40).allSatisfy { $0.outcome == .refused } && run.last?.outcome == .waiting)
    let counts = try await store.receiptCounts(since: now)
    #expect(counts == [.delivered: 1, .refused: 50, .waiting: 49])
    #expect(try await store.receiptCounts(since: now.advanced(by: .seconds(1))).isEmpty)
    // Receipts are pruned with their run.
    #expect(try await store.prune(now: now.advanced(by: .hours(24 * 1_000))) == 0)
    try await store.markSent(try await store.outbox(OutboxQuery()).map(\.sequence), at: now)
    #expect(try await store.prune(now: now.advanced(by: .hours(24 * 1_000))) == 1)
    #expect(try engine.dump(folder.path).filter { $0.hasPrefix("receipts:") } == [])
  }

  @Test(arguments: Engine.all)
  func `a technician's lost delivery is reported once, in one commit with its notice`(engine: Engine) async throws {
    let stand = try await stand(engine)
    let (store, own, anna) = (stand.store, stand.own, stand.anna.text)
    _ = try await store.keep(
      [
        receipt(.refused, of: own, 1, for: anna), receipt(.delivered, of: own, 2, for: anna),
        receipt(.waiting, of: own, 3, for: anna), receipt(.replaced, of: own, 6, for: anna),
        receipt(.refused, of: "n", 4, for: "office"),
        receipt(.unknown, of: "n", 5),
      ], from: "crew", now: now)
    let losses = try await store.unreportedLosses(limit: 10)
    #expect(losses.map(\.receipt.delivery.last) == ["1"])
    let loss = try #require(losses.first)
    #expect(loss.team == stand.team.id && loss.job == stand.job.id && loss.slot == now && loss.knownAt == now)
    #expect(loss.work == "morning-summary" && loss.title == "Route")
    #expect(try await store.lossReportTimes(to: [stand.team.id]).isEmpty)
    let office = PersonKey.office(stand.team.id)
    let routes = [SinkRoute(sink: "line"), SinkRoute(sink: "crew", takesPersonal: true)]
    let later = now.advanced(by: .minutes(3))
    let told = try await store.notify(notice("n-lost", of: stand, for: office), of: losses, routes: routes, now: later)
    #expect(told == ["crew"])
    #expect(try await store.unreportedLosses(limit: 10).isEmpty)
    #expect(try await store.lossReportTimes(to: [stand.team.id]) == [stand.team.id: later])
    #expect(try await store.outbox(OutboxQuery(noticeID: "n-lost")).map(\.notice.person) == [office])
    // Lost again after a retry: the office was told already. The report is a notice of the office, not of the technician.
    _ = try await store.keep([receipt(.expired, of: own, 1, for: anna, tries: 5)], from: "crew", now: later)
    #expect(try await store.unreportedLosses(limit: 10).isEmpty)
    let run = try #require(try await store.history(HistoryQuery()).first)
    #expect(run.noticeID == "n" && run.people == [stand.anna])
  }
}
