import PoolControl
import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowScheduler
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
    let today = ServiceToday(at: now, in: try zones.zone(asked: team.zone))
    let rule = changes.service.map { service in
      { @Sendable (pool: inout Pool, present: PoolService) throws -> CalendarDates? in
        try service.apply(to: &pool.serviceDay, present, today: today.date)
      }
    }
    let changed = try await changingStops(of: team, if: rule != nil || people != nil) {
      try await store.changePool(
        pool.id, of: team.id, change: { pool in try changes.apply(to: &pool, at: now) }, people: people, rule: rule,
        from: rule == nil ? nil : today.date, today: today)
    }
    guard let changed else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("pool of team '\(team.name)' changed by \(caller.words)")
    let restores = ServiceChange.restoring(changed, today: today.date)
    let service = try await service(of: changed.pool, team)
    return FieldCall.SetPool.Reply(
      id: changed.pool.id.description, customer: changed.pool.customerName,
      doubts: Localizer(team).doubts(about: changed.pool.readings, typed: changes.parameters), restores: restores,
      next: rule == nil ? nil : service.next(onOrAfter: today.date)?.description,
      warnings: ServiceChange.losses(from: changed.before, to: service, today: today.date))
  }

  /// The dates of service of a pool.
  func service(of pool: Pool, _ team: Team) async throws -> PoolService {
    try await store.services(of: team.id)[pool.id] ?? PoolService(weekday: pool.serviceDay)
  }

  /// Makes a change that may plan a notice of today's or tomorrow's stops.
  ///
  /// - Parameter mayPlan: false for a change that affects no stop.
  func changingStops<Value>(
    of team: Team, if mayPlan: Bool = true, _ body: () async throws -> Value
  ) async throws -> Value {
    guard mayPlan, let scheduling else { return try await mappingErrors(body) }
    return try await scheduling.perform(.rules(of: team.id)) { _ in try await body() }
  }

  func removePool(_ call: FieldCall.RemovePool, _ caller: Caller) async throws -> FieldCall.RemovePool.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let detail = try await store.detail(of: pool, team: team.id, now: clock.now())
    let pictured = try await store.photoEvents(of: team.id, pool: pool.id)
    let today = ServiceToday(at: clock.now(), in: try zones.zone(asked: team.zone))
    guard try await changingStops(of: team, { try await store.removePool(pool.id, of: team.id, today: today) }) else {
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
