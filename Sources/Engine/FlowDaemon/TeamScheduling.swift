import FlowSettings
import FlowCalendar
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowWork

/// Changes of teams that affect when their jobs are due.
struct TeamScheduling: Sendable {
  /// Plans the jobs of a team, within the transaction that changes it.
  typealias Plan = @Sendable (Team) throws -> [JobPlan]

  /// Nil during an inspection, which refuses changes.
  let scheduler: Scheduler?
  let settings: EffectiveSettings
  let zones: SystemZones
  let jobs: JobCatalogues
  let mappingErrors: StoreErrorMapper

  /// The plans of a team's jobs before its own choices, for display: with the settings' jitter.
  func plans(of team: Team, zone: Zone) async -> [JobPlan] {
    JobPlan.all(of: team, in: jobs.of(team.trade), zone: zone, defaults: await settings.reading.settings.jobs)
  }

  /// Makes a change: runs the jobs that are due by the present plan, writes, and plans again.
  ///
  /// - Throws: `ControlError` for an error of the store.
  func perform<Value>(_ change: ScheduleChange, _ write: (Plan) async throws -> Value) async throws -> Value {
    let plan = await plan()
    guard let scheduler else { return try await mappingErrors { try await write(plan) } }
    return try await scheduler.perform(change) { try await mappingErrors { try await write(plan) } }
  }

  /// Adds a team and plans its jobs.
  func add(_ write: (Plan) async throws -> Team) async throws -> Team {
    let plan = await plan()
    guard let scheduler else { return try await mappingErrors { try await write(plan) } }
    return try await scheduler.add { try await mappingErrors { try await write(plan) } }
  }

  /// Plans by the settings' present defaults.
  private func plan() async -> Plan {
    let (zones, jobs, defaults) = (zones, jobs, await settings.reading.settings.jobDefaults)
    return { team in
      JobPlan.all(of: team, in: jobs.of(team.trade), zone: try zones.zone(named: team.zone), defaults: defaults)
    }
  }
}
