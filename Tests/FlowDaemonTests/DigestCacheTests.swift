import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowWork
import Foundation
import PoolDigests
import PoolJobs
import PoolStore
import Testing
import Trades

@testable import FlowAnswers
@testable import FlowDaemon

/// Pages built from cached digests equal those built from stored notices.
struct DigestCacheTests {
  /// The decided morning of a day in a language.
  private static func morning(
    _ fixture: ServiceFixture, _ day: Int, _ language: Language, job: Int64 = 1
  ) async throws -> RunSettlement {
    let zone = try fixture.context.zones.zone(named: "America/Phoenix")
    let slot = ServiceFixture.monday.advanced(by: .hours(24 * day))
    var facts = try #require(try await fixture.store.facts([FactsRequest.everyDay(of: TeamID(1))])[0])
    facts.team.language = language
    let run = ClaimedRun(
      jobID: JobID(job), teamID: TeamID(1), kind: .morningSummary, zone: zone.name, slot: slot, cause: .schedule,
      asOf: slot, startedAt: slot, attempts: 1)
    let outcome = JobDecision.decide(
      RunContext(
        jobID: run.jobID, kind: run.kind, slot: slot, asOf: slot, now: slot.advanced(by: .hours(1)),
        lateness: .seconds(3_600), install: "0badcafe"), facts: facts, zone: zone)
    return RunSettlement(run: run, outcome: outcome, finishedAt: slot)
  }

  @Test(arguments: Language.allCases)
  func `a page from a cached digest equals the stored one's, byte for byte`(language: Language) async throws {
    let fixture = try await ServiceFixture()
    var pages = 0
    for day in 0..<7 {
      let settlement = try await Self.morning(fixture, day, language)
      guard let notice = settlement.outcome.notice else { continue }
      let digestCache = DigestCache(trades: .every)
      digestCache.use(readers: 1)
      digestCache.remember([settlement])
      let digest = try #require(digestCache.digest(of: notice) as? MorningDigest)
      #expect(NoticePage.html(digest, access: []) == NoticePage.html(notice))
      #expect(digest.calendar == NoticePage.morning(of: notice)?.calendar)
      pages += 1
    }
    #expect(pages == 5)
  }

  @Test func `a cached digest is ignored if the stored notice differs`() async throws {
    let fixture = try await ServiceFixture()
    let english = try await Self.morning(fixture, 0, .english)
    let german = try #require(try await Self.morning(fixture, 0, .german).outcome.notice)
    let digestCache = DigestCache(trades: .every)
    digestCache.use(readers: 1)
    digestCache.remember([english])
    // The same notice id, as after a crash between two attempts.
    #expect(english.outcome.notice?.id == german.id)
    let digest = try #require(digestCache.digest(of: german) as? MorningDigest)
    #expect(NoticePage.html(digest, access: []) == NoticePage.html(german))
  }

  @Test func `the cache is bounded; other digests are read from the notice`() async throws {
    let fixture = try await ServiceFixture()
    let digestCache = DigestCache(trades: .every)
    let one = try await Self.morning(fixture, 0, .english)
    digestCache.remember([one])
    #expect(digestCache.count == 0, "without a sink that makes pages")
    digestCache.use(readers: 2)
    let many = (0..<Limits.cachedDigests + 9).map { number in
      let notice = one.outcome.notice.map { $0.with(id: "\($0.id)-\(number)") }
      return RunSettlement(
        run: one.run,
        outcome: Outcome(result: .notified, detail: nil, notice: notice, account: one.outcome.account),
        finishedAt: one.finishedAt)
    }
    digestCache.remember(many)
    #expect(digestCache.count == Limits.cachedDigests)
    // No sink reads: `waitForSpace()` returns after its time limit, and at once when cancelled.
    await digestCache.waitForSpace()
    let stopped = Task { await digestCache.waitForSpace() }
    stopped.cancel()
    await stopped.value
    for settlement in many {
      let notice = try #require(settlement.outcome.notice)
      for _ in 1...2 {
        let digest = try #require(digestCache.digest(of: notice) as? MorningDigest)
        #expect(digest.run == one.outcome.notice?.id)
      }
    }
    #expect(digestCache.count == 0, "each sink has had each")
  }

  @Test func `back-pressure ends after a time limit if a sink stays behind`() async throws {
    let fixture = try await ServiceFixture()
    let digestCache = DigestCache(trades: .every)
    digestCache.use(readers: 1)
    let one = try await Self.morning(fixture, 0, .english)
    let many = (0..<Limits.cachedDigests).map { number in
      RunSettlement(
        run: one.run,
        outcome: Outcome(
          result: .notified, detail: nil, notice: one.outcome.notice.map { $0.with(id: "\($0.id)-\(number)") },
          account: one.outcome.account), finishedAt: one.finishedAt)
    }
    digestCache.remember(many)
    let notice = try #require(many[0].outcome.notice)
    // The sink reads pages continuously, and as many are added.
    let busy = Task {
      while !Task.isCancelled {
        _ = digestCache.digest(of: notice)
        digestCache.remember([many[0]])
        await Task.yield()
      }
    }
    for _ in 1...3 { await digestCache.waitForSpace() }
    busy.cancel()
    await busy.value
    #expect(digestCache.count == Limits.cachedDigests)
  }
}

extension Notice {
  fileprivate func with(id: String) -> Notice {
    Notice(
      id: id, teamID: teamID, teamName: teamName, jobID: jobID, job: job, slot: slot, identifier: identifier,
      title: title, body: body, lines: lines, dataJSON: dataJSON, lateness: lateness, createdAt: createdAt,
      expiresAt: expiresAt, severity: severity, person: person)
  }
}
