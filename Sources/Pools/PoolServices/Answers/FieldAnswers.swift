import PoolControl
import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore

/// Answers `org.poolflow.Field`: changes of pools, visits, stock and equipment, as on the app's screens.
struct FieldAnswers: FieldService {
  let store: any PoolEquipment & Pools & RecurringWork & Services & TeamRecords & Stock & Visits
  let uploads: Uploads
  let photos: PhotoStore
  let plans: PlanFeatureGate
  let finder: PoolFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let announce: Announcements
  let log: DaemonLog
  /// Announces a completed route; called after a visit is logged.
  let noteCompletion: @Sendable (PoolID, Team) async -> Void
  /// Plans the notice of a changed route; nil where there is no scheduler.
  var scheduling: TeamScheduling?

  // MARK: Pools

  func addPool(_ call: FieldCall.AddPool, _ caller: Caller) async throws -> FieldCall.AddPool.Reply {
    let team = try await finder.team(named: call.team)
    let changes = try PoolChanges(call.changes, units: team.units)
    let now = clock.now()
    var day = changes.day ?? .monday
    let rule = try changes.service?.apply(
      to: &day, PoolService(weekday: day), today: try zones.zone(asked: team.zone).local(at: now).date)
    let draft = PoolDraft(
      customer: call.customer, address: call.address, changes: changes,
      defaults: RegionDefaults(of: team, region: call.region), day: day)
    let limited = await plans.limitsApply
    let pool = try await mappingErrors {
      try await store.addPool(to: team.id, day: day, rule: rule) { pools, order in
        guard !limited || team.plan.allows(.unlimitedRecords, records: pools, at: now) else {
          throw ControlError.notInPlan(
            "team '\(team.name)' is on the free plan, which allows \(Limits.freePlanRecords) pools, and has \(pools)",
            team: team)
        }
        return try draft.pool(order: order, at: now)
      }
    }
    log.notice("pool of team '\(team.name)' added by \(caller.words)")
    return FieldCall.AddPool.Reply(
      id: pool.id.description, customer: pool.customerName, day: DayView(pool.serviceDay),
      order: try await store.detail(of: pool, team: team.id, now: now).place,
      doubts: Localizer(team).doubts(about: pool.readings, typed: changes.parameters))
  }

  func setPool(_ call: FieldCall.SetPool, _ caller: Caller) async throws -> FieldCall.SetPool.Reply {
    let team = try await finder.team(named: call.team)
    let changes = try PoolChanges(call.changes, units: team.units)
    let pool = try await finder.pool(call.pool, of: team)
    if let technician = changes.technician { try await finder.checkTechnician(technician, field: "tags", of: team) }
    let now = clock.now()
    let people: (@Sendable (inout CustomerProfile) throws -> Void)? =
      changes.leavesProfileUnchanged
      ? nil : { @Sendable (profile: inout CustomerProfile) in try changes.apply(to: &profile) }
    var rule: (@Sendable (inout Pool, PoolService) throws -> CalendarDates?)?
    var today: CivilDate?
    if let service = changes.service {
      let date = try zones.zone(asked: team.zone).local(at: now).date
      today = date
      rule = { pool, present in try service.apply(to: &pool.serviceDay, present, today: date) }
    }
    let changed = try await mappingErrors { [rule, today] in
      try await store.changePool(
        pool.id, of: team.id, change: { pool in try changes.apply(to: &pool, at: now) }, people: people, rule: rule,
        from: today)
    }
    guard let changed else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("pool of team '\(team.name)' changed by \(caller.words)")
    return FieldCall.SetPool.Reply(
      id: changed.id.description, customer: changed.customerName,
      doubts: Localizer(team).doubts(about: changed.readings, typed: changes.parameters))
  }

  func removePool(_ call: FieldCall.RemovePool, _ caller: Caller) async throws -> FieldCall.RemovePool.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let detail = try await store.detail(of: pool, team: team.id, now: clock.now())
    let pictured = try await store.photoEvents(of: team.id, pool: pool.id)
    guard try await mappingErrors({ try await store.removePool(pool.id, of: team.id) }) else {
      throw ControlError.noSuchPool(call.pool, team: team.name)
    }
    photos.remove(pictured, of: team.id)
    log.notice("pool of team '\(team.name)' removed by \(caller.words)")
    return FieldCall.RemovePool.Reply(
      customer: pool.customerName, visits: detail.visits, equipment: detail.equipment.count)
  }

  func setProfile(_ call: FieldCall.SetProfile, _ caller: Caller) async throws -> FieldCall.SetProfile.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let values = try FieldValue.unique(call.changes)
    if let technician = FieldChanges.technician(in: values) {
      try await finder.checkTechnician(technician, field: "tags", of: team)
    }
    let profile = try await mappingErrors {
      try await store.changeProfile(of: pool.id, team: team.id) { profile in
        for value in values { try FieldChanges.apply(value, to: &profile) }
      }
    }
    guard profile != nil else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("profile of a pool of team '\(team.name)' changed by \(caller.words)")
    return FieldCall.SetProfile.Reply(id: pool.id.description, customer: pool.customerName)
  }
}
