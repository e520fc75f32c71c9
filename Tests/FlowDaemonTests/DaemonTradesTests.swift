import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import StableModel
import Testing
import TradeBackups
import TradeInterfaces
import TradeStores
import Trades

@testable import FlowAnswers

/// The list of trades that `poolflowd` serves.
struct DaemonTradesTests {
  @Test func `the lists of the tests equal the daemon's`() {
    let modules = DaemonModules.all
    #expect(StoreTrades.all.jobs.trades == modules.trades.jobs.trades)
    #expect(StoreTrades.all.migrations == modules.trades.migrations)
    #expect(BackupTrades.all.trades == modules.backups.trades)
    #expect(InterfaceCatalogue.every.interfaces.map(\.name) == modules.interfaces.interfaces.map(\.name))
  }

  @Test func `each trade has one part and its archives, and each method one answer`() async throws {
    let fixture = try await ServiceFixture(demo: false)
    let trades = trades(of: fixture)
    #expect(trades.map(\.trade) == JobCatalogues.all.trades)
    #expect(DaemonModules.all.backups.trades == trades.map(\.trade))
    let scheduling = fixture.context.scheduling(by: fixture.scheduler)
    for trade in trades { #expect(!trade.verbs(scheduling).isEmpty) }
    let methods = fixture.services.verbs.map(\.method)
    #expect(Set(methods).count == methods.count)
    #expect(Set(trades.flatMap { $0.verbs(scheduling) }.map(\.method)).isSubset(of: methods))
  }

  @Test func `each of the server's own jobs has one background task`() async throws {
    let fixture = try await ServiceFixture(demo: false)
    let jobs = trades(of: fixture).flatMap(\.serverJobs.keys) + [.backup]
    #expect(jobs.count == JobCatalogue.pools.ofServer.count && Set(jobs) == Set(JobCatalogue.pools.ofServer))
  }

  @Test func `a digest needs its team's trade`() async throws {
    let fixture = try await ServiceFixture()
    let team = try await fixture.store.team(named: ServiceFixture.team)
    let zone = try fixture.context.zones.zone(named: team.zone)
    func text(with trades: DaemonTrades) async throws -> String {
      let context = fixture.context.forTrades(trades, dispatcher: nil, uploads: Uploads(folder: ""))
      return try await context.digestText(
        DigestQuery(
          team: team, zone: zone, date: zone.local(at: fixture.clock.now()).date, kind: .morning, format: .text,
          person: nil))
    }
    #expect(try await text(with: .every).contains(team.name))
    await fixture.refuses(ExitCode.usage, saying: team.name) { _ = try await text(with: DaemonTrades([])) }
  }

  @Test func `the page for unreadable records is the same in each trade`() async throws {
    let fixture = try await ServiceFixture()
    var team = try await fixture.store.team(named: ServiceFixture.team)
    for language in Language.allCases {
      team.language = language
      team.trade = .poolService
      let pools = try #require(DaemonTrades.every.pages(of: team)).errorPages(of: team)
      #expect(!pools.isEmpty)
      for trade in JobCatalogues.all.trades {
        team.trade = trade
        #expect(try #require(DaemonTrades.every.pages(of: team)).errorPages(of: team) == pools)
      }
    }
    team.trade = Trade(rawValue: "unknown")
    #expect(DaemonTrades.every.pages(of: team) == nil)
  }

  private func trades(of fixture: ServiceFixture) -> [RunningTrade] {
    DaemonTrades.every.services(
      on: fixture.context.forTrades(.every, dispatcher: nil, uploads: Uploads(folder: "")))
  }
}
