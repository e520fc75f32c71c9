import PoolControl
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore

extension FieldAnswers {
  /// The dose calculator: the result of `logVisit` with all recommended doses, without storing anything.
  func dosePool(_ call: FieldCall.DosePool, _ caller: Caller) async throws -> FieldCall.DosePool.Reply {
    let team = try await finder.team(named: call.team)
    let id = try await finder.pool(call.pool, of: team).id
    let draft = try VisitDraft(call.readings, .all, [], team: team)
    let now = clock.now()
    guard let start = try await mappingErrors({ try await store.visitStart(at: id, of: team.id, now: now) }) else {
      throw ControlError.noSuchPool(call.pool, team: team.name)
    }
    var pool = start.pool
    if let text = call.volume { pool.volumeGallons = try FieldValue("volume", text).volume(units: team.units) }
    if let text = call.solids {
      pool.readings.totalDissolvedSolids = try FieldValue("tds", text).number(.dissolvedSolids)
    }
    var latest = pool.latestReadings(visits: start.recent)
    // Without new readings the dose is for the newest visit's, free chlorine included.
    if draft.measured.isEmpty { latest.freeChlorine = start.recent.first?.readings.freeChlorine }
    let readings = try draft.readings(after: latest)
    let assumed = draft.assumed(after: start.recent)
    guard !assumed.contains(.pH) else {
      throw ControlError.badValue(
        field: "ph", value: "", why: "no visit to \(pool.customerName) has a pH reading; give one, such as --ph 7.4")
    }
    let plan = try draft.plan(
      for: pool, readings: readings, isMeasured: true, assumed: assumed, stock: start.stock)
    let measured = draft.measured.isEmpty ? start.recent.first?.measured ?? [] : draft.measured
    let water = MeasuredWater(
      readings, at: now, measured: measured, assumed: assumed,
      totalDissolvedSolids: pool.readings.totalDissolvedSolids)
    return FieldCall.DosePool.Reply(dose: view(of: plan, pool, water, draft, team))
  }

  private func view(
    of plan: VisitPlan, _ pool: Pool, _ water: MeasuredWater, _ draft: VisitDraft, _ team: Team
  ) -> PoolDoseView {
    let localizer = Localizer(team)
    return PoolDoseView(
      id: pool.id.description, customer: pool.customerName, volumeGallons: pool.volumeGallons,
      volumeText: localizer.volume(gallons: pool.volumeGallons), lsi: plan.result.lsiValue,
      condition: WaterConditionView(plan.result.status), water: localizer.water(water),
      doubts: localizer.doubts(about: water.readings, typed: draft.parameters),
      advice: plan.recommendations.map { DoseAdviceView($0, by: team.settings.dosing, localizer) },
      doses: plan.doses.map { dose in
        DoseView(
          dose, left: dose.item.flatMap { plan.stockAfter[$0] },
          short: dose.item == nil ? dose.quantityOz : plan.shortfall(of: dose), isPlanned: true, localizer)
      },
      cost: plan.totalChemicalCost, costText: localizer.money(plan.totalChemicalCost),
      lsiText: localizer.index(of: plan.result), totalText: localizer.total(plan.totalChemicalCost))
  }
}
