package import FlowCalendar
package import FlowModel
package import FlowPlatform
package import FlowScheduler
import FlowSettings
package import FlowWork

/// Changes of teams that affect when their jobs are due.
package struct TeamScheduling: Sendable {
  /// Plans the jobs of a team, within the transaction that changes it.
  package typealias Plan = @Sendable (Team) throws -> [JobPlan]

  /// Nil during an inspection, which refuses changes.
  package let scheduler: Scheduler?
  package let settings: EffectiveSettings
  package let zones: SystemZones
  package let jobs: JobCatalogues
  package let mappingErrors: StoreErrorMapper

  package init(
    scheduler: Scheduler?, settings: EffectiveSettings, zones: SystemZones, jobs: JobCatalogues,
    mappingErrors: StoreErrorMapper
  ) {
    self.scheduler = scheduler
    self.settings = settings
    self.zones = zones
    self.jobs = jobs
    self.mappingErrors = mappingErrors
  }

  /// The plans of a team's jobs before its own choices, for display: with the settings' jitter.
  package func plans(of team: Team, zone: Zone) async -> [JobPlan] {
    JobPlan.all(of: team, in: jobs.of(team.trade), zone: zone, defaults: await settings.reading.settings.jobs)
  }

  /// Makes a change: runs the jobs that are due by the present plan, writes, and plans again.
  ///
  /// - Parameter write: reads the clock itself, because it is called after the due jobs have run.
  /// - Throws: `ControlError` for an error of the store.
  package func perform<Value>(_ change: ScheduleChange, _ write: (Plan) async throws -> Value) async throws -> Value {
    guard let scheduler else { return try await mappingErrors { try await write(await plan()) } }
    // Running the due jobs takes time, in which a reload may change the defaults: read them after that.
    return try await scheduler.perform(change) { try await mappingErrors { try await write(await plan()) } }
  }

  /// Adds a team and plans its jobs.
  package func add(_ write: (Plan) async throws -> Team) async throws -> Team {
    guard let scheduler else { return try await mappingErrors { try await write(await plan()) } }
    return try await scheduler.add { try await mappingErrors { try await write(await plan()) } }
  }

  /// Plans by the settings' present defaults.
  private func plan() async -> Plan {
    let (zones, jobs, defaults) = (zones, jobs, await settings.reading.settings.jobDefaults)
    return { team in
      JobPlan.all(of: team, in: jobs.of(team.trade), zone: try zones.zone(named: team.zone), defaults: defaults)
    }
  }
}
