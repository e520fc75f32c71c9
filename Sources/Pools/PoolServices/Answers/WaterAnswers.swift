import PoolControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore

/// Answers `org.poolflow.Water`.
struct WaterAnswers: WaterService {
  let store: any PoolEquipment & Pools & Services & TeamRecords & Stock & Visits & Water
  let plans: PlanFeatureGate
  let finder: PoolFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper

  /// Blocks in one `refresh` call, about 200,000 pools: the caller gets progress several times a second.
  private static let refreshBlocksPerCall = 48

  func refresh(_ call: WaterCall.Refresh, _ caller: Caller) async throws -> WaterCall.Refresh.Reply {
    guard call.row >= 0 else {
      throw ControlError.badValue(
        field: "row", value: "\(call.row)", why: "must be 0 or the value from the previous answer")
    }
    let now = clock.now()
    return try await mappingErrors {
      let total = try await store.poolsToRefresh(all: call.all)
      var progress = RefreshProgress(after: Int64(call.row))
      for _ in 0..<Self.refreshBlocksPerCall where !progress.isDone {
        progress = try await store.refreshBlockPools(after: progress, all: call.all, now: now)
      }
      // Write found results now, because the caller may never ask for the next part.
      while !progress.isWritten { progress = try await store.finishRefresh(progress, now: now) }
      return WaterCall.Refresh.Reply(
        progress: RefreshView(
          row: Int(progress.row), pools: progress.pools, changed: progress.changed, crossed: progress.crossed,
          total: total, done: progress.isDone))
    }
  }

  func profit(_ call: WaterCall.Profit, _ caller: Caller) async throws -> WaterCall.Profit.Reply {
    let team = try await finder.team(named: call.team)
    guard [30, 60, 90].contains(call.days) else {
      throw ControlError.badValue(field: "days", value: "\(call.days)", why: "a period must be 30, 60 or 90 days")
    }
    let now = clock.now()
    try await plans.requireAccess(.analytics, to: team, called: "profit analysis")
    let start = try zones.zone(asked: team.zone).sameTime(-call.days, daysAfter: now)
    return try await mappingErrors {
      let costs = try await store.chemicalCosts(of: team.id, since: start, until: now)
      let profits = try await store.allPools(of: team.id).map {
        PoolProfit(
          poolID: $0.id, customerName: $0.customerName, monthlyServiceFee: $0.monthlyServiceFee,
          totalChemicalCost: costs[$0.id] ?? 0)
      }
      let localizer = Localizer(team)
      let report = ProfitReport(profits, order: ProfitOrder(asked: call.sort), onlyMoneyLosers: call.losers)
      return WaterCall.Profit.Reply(
        report: ProfitView(
          days: call.days, since: start.description, revenue: report.totalRevenue,
          revenueText: localizer.money(report.totalRevenue), chemicals: report.totalChemicalCost,
          chemicalsText: localizer.money(report.totalChemicalCost), profit: report.totalProfit,
          profitText: localizer.money(
            roundedDifference(report.totalRevenue, report.totalChemicalCost, places: 2)),
          losers: report.moneyLoserCount,
          pools: report.pools.prefix(Limits.rowsPerAnswer).map {
            ProfitLineView(
              id: $0.poolID.description, customer: $0.customerName, fee: $0.monthlyServiceFee,
              feeText: localizer.money($0.monthlyServiceFee), chemicals: $0.totalChemicalCost,
              chemicalsText: localizer.money($0.totalChemicalCost), profit: $0.profit,
              profitText: localizer.money($0.shownProfit), margin: $0.marginRatio, loser: $0.isMoneyLoser,
              red: $0.isInTheRed)
          }))
    }
  }

  func health(_ call: WaterCall.Health, _ caller: Caller) async throws -> WaterCall.Health.Reply {
    let team = try await finder.team(named: call.team)
    let now = clock.now()
    let zone = try zones.zone(asked: team.zone)
    return try await mappingErrors {
      let lines = try await store.pools(of: team.id, day: nil, technician: nil, now: now)
      let names = Dictionary(lines.map { ($0.pool.id, $0.pool.customerName) }, uniquingKeysWith: { first, _ in first })
      let visited = Dictionary(lines.map { ($0.pool.id, $0.lastVisit) }, uniquingKeysWith: { first, _ in first })
      let services = try await store.services(of: team.id)
      let limit = zone.sameTime(-DataHealth.staleDays, daysAfter: now)
      let (limitDate, today) = (zone.local(at: limit).date, zone.local(at: now).date)
      let health = DataHealth(
        lines.map { ($0.pool, $0.lastVisit) }, staleBefore: limit,
        wasDue: { services.isServed($0, from: limitDate, before: today) })
      func named(_ ids: [PoolID], _ detail: (PoolID) -> String) -> [PoolNameView] {
        ids.map { PoolNameView(id: $0.description, customer: names[$0] ?? "", detail: detail($0)) }
      }
      let crossings = try await store.crossings(of: team.id, since: zone.sameTime(-1, daysAfter: now))
      let overdue = try await store.equipment(ofTeam: team.id).filter { $0.isServiceOverdue(at: now) }
      let english = Localizer.english(team.units)
      return WaterCall.Health.Reply(
        health: HealthView(
          unlocated: named(health.missingCoordinates) { _ in "no coordinates" },
          unpriced: named(health.missingServiceFee) { _ in "no fee" },
          stale: named(health.staleService) { id in
            (visited[id] ?? nil).map { "last visit \(zone.local(at: $0).date)" } ?? "never visited"
          },
          crossed: crossings.map {
            PoolNameView(
              id: $0.poolID.description, customer: $0.customerName,
              detail: "\(english.condition($0.before)) to \(english.condition($0.after)), LSI \(english.index($0.lsi))")
          },
          overdue: overdue.map {
            PoolNameView(
              id: $0.poolID.description, customer: names[$0.poolID] ?? "", detail: "\($0.name) is due for service")
          },
          low: try await store.stock(of: team.id).filter(\.item.isLowStock).map(\.item.name)))
    }
  }

  /// Number of visits in a trend. Source: PoolFlow feature inventory, "pool trend".
  static let trendVisits = 15

  func trend(_ call: WaterCall.Trend, _ caller: Caller) async throws -> WaterCall.Trend.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let visits = try await mappingErrors {
      try await store.events(of: pool.id, team: team.id, limit: Self.trendVisits, until: clock.now())
    }
    return WaterCall.Trend.Reply(
      customer: pool.customerName,
      points: visits.reversed().compactMap { visit in
        visit.lsi(by: team.settings.lsiMethod).map { lsi in
          TrendPointView(
            at: visit.timestamp.description, local: zones.local(visit.timestamp, zone: team.zone),
            ph: visit.readings.pH, lsi: lsi, freeChlorine: visit.measuredFreeChlorine, salt: visit.measuredSalt)
        }
      })
  }

  /// Number of chemicals in a pool's usage report, by cost. Source: PoolFlow feature inventory, 2.12.
  private static let topChemicalCount = 5

  func usage(_ call: WaterCall.Usage, _ caller: Caller) async throws -> WaterCall.Usage.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    if let limit = call.limit { try FieldValue.check(limit, in: 1...Limits.rowsPerAnswer, field: "limit") }
    let usage = try await mappingErrors { try await store.usage(at: pool.id, of: team.id, until: clock.now()) }
    let localizer = Localizer(team)
    let top = usage.chemicals.prefix(Self.topChemicalCount)
    return WaterCall.Usage.Reply(
      usage: UsageView(
        customer: pool.customerName, spent: usage.spent, spentText: localizer.money(usage.spent),
        visits: usage.visits.count, average: usage.average, averageText: localizer.money(usage.average),
        top: top.map { ChemicalUseView($0, localizer) },
        costs: usage.visits.prefix(call.limit ?? usage.visits.count).map { visit in
          VisitCostView(
            at: visit.at.description, local: zones.local(visit.at, zone: team.zone), cost: visit.cost,
            costText: localizer.money(visit.cost), id: visit.id.description,
            chemicals: visit.chemicals.map { ChemicalUseView($0, localizer) })
        }, furtherChemicals: usage.chemicals.count - top.count))
  }
}

extension ChemicalUseView {
  fileprivate init(_ chemical: PoolUsage.Chemical, _ localizer: Localizer) {
    self.init(
      chemical: chemical.item == nil ? "not from stock" : chemical.name, ounces: chemical.ounces,
      text: localizer.quantity(ounces: chemical.ounces, of: chemical.type, isDry: chemical.isDry), cost: chemical.cost,
      costText: localizer.money(chemical.cost))
  }
}
