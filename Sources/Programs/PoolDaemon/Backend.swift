import FoundationEssentials
import PoolBackup
import PoolCalendar
import PoolControl
import PoolDelivery
import PoolJobs
import PoolModel
import PoolPlatform
import PoolScheduler
import PoolStore

/// Answers the control socket out of the rooms below: one file for each of its interfaces.
struct Backend: ControlBackend, SchedulerService, TeamsService, PoolsService, FieldService, WaterService, RoutesService,
  ReportsService, ImportService, BackupService, OutboxService, DaemonService
{
  let store: Store
  let reader: StoreReader
  let scheduler: Scheduler
  let runner: JobRunner
  let dispatcher: Dispatcher
  let zones: SystemZones
  let clock: any WallClock
  let uploads: Uploads
  let importer: Importer
  let photos: PhotoShelf
  let backups: BackupKeeper
  let planner: RoutePlanner
  let inbox: InboxDesk
  let newBeginning: NewBeginning
  let log: DaemonLog
  let facts: DaemonFacts
  let settings: SettingsInForce
  let events: EventBus

  /// What does not change while the daemon lives.
  struct DaemonFacts: Sendable {
    let version: String
    let startedAt: Timestamp
    let stateDirectory: String
    let socketPath: String
  }

  var verbs: [ControlVerb] {
    SchedulerCall.verbs(of: self) + TeamsCall.verbs(of: self) + PoolsCall.verbs(of: self) + FieldCall.verbs(of: self)
      + WaterCall.verbs(of: self) + RoutesCall.verbs(of: self) + ReportsCall.verbs(of: self)
      + ImportCall.verbs(of: self) + BackupCall.verbs(of: self) + OutboxCall.verbs(of: self)
      + DaemonCall.verbs(of: self)
  }

  func connectionEnded(_ caller: Caller) async {
    await uploads.connectionEnded(caller.connection)
    newBeginning.connectionEnded(caller.connection)
  }

  // MARK: What the verbs share

  /// - Throws: `ControlError.noSuchTeam` with the nearest name there is.
  func team(named name: String) async throws -> Team {
    do {
      return try await store.team(named: name)
    } catch let error as StoreError where error.isAboutData {
      log.error("\(error)")
      throw ControlError(.storage, "team '\(name)' cannot be read: \(error); the other teams are served as ever")
    } catch StoreError.noSuchTeam {
      let names = try await store.teams().map(\.name)
      throw ControlError.noSuchTeam(name, suggestion: Suggestion.nearest(to: name, among: names))
    }
  }

  /// Nil stays nil.
  func optionalTeam(named name: String?) async throws -> Team? {
    guard let name else { return nil }
    return try await team(named: name)
  }

  func kind(named name: String) throws(ControlError) -> JobKind {
    guard let kind = JobKind(rawValue: name) else {
      throw ControlError.noSuchJob(
        name, suggestion: Suggestion.nearest(to: name, among: JobCatalogue.all.map(\.rawValue)))
    }
    return kind
  }

  /// Whose job of this kind it is: nil for the server's own.
  ///
  /// - Parameter name: the team that the caller named.
  func owner(of kind: JobKind, named name: String?) async throws -> Team? {
    guard !kind.isServers else {
      guard let name else { return nil }
      throw ControlError.badValue(
        field: "team", value: name, why: "\(kind.rawValue) is the server's own job; leave the team out")
    }
    guard let name else {
      throw ControlError.badValue(
        field: "team", value: "", why: "\(kind.rawValue) is a team's job; name the team with --team")
    }
    return try await team(named: name)
  }

  /// - Parameter team: nil for the server.
  func job(_ kind: JobKind, of team: Team?) async throws -> JobRecord {
    guard let job = try await store.jobs(of: team?.id).first(where: { $0.kind == kind }) else {
      throw ControlError.noSuchJob(kind.rawValue)
    }
    return job
  }

  /// Holds by owner; nil is the server.
  /// - Parameter team: nil for all teams and the server.
  func holds(of team: TeamID?) async throws -> [TeamID?: [Hold]] {
    Dictionary(
      grouping: try await (team == nil ? store.holds() : store.holds(of: team)), by: \.teamID)
  }

  func zone(named name: String) throws -> Zone {
    do {
      return try zones.zone(named: name)
    } catch .notFound(let wanted, let suggestion) {
      throw ControlError.noSuchZone(wanted, suggestion: suggestion)
    } catch {
      throw ControlError(.noSuchZone, "\(error)", facts: ["name": name])
    }
  }

  /// `Mon 2026-03-02 07:00 MST`, in UTC where the zone cannot be read any more.
  func local(_ instant: Timestamp, zone name: String) -> String {
    ((try? zones.zone(named: name)) ?? .utc).dateText(at: instant)
  }

  /// The next slot of a job, as the scheduler would compute it.
  func next(_ record: JobRecord, after instant: Timestamp) -> Occurrence? {
    guard let job = try? PlannedJob(record, zones: zones) else { return nil }
    return job.schedule?.next(after: max(instant, record.cursor))
  }

  /// Turns a store's refusal into one that a caller reads.
  func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as StoreError {
      switch error {
      case .freePlanFull(_, _, let limit):
        throw ControlError(.planLimit, "\(error)", facts: ["plan": "free", "limit": String(limit)])
      case .ownedElsewhere: throw ControlError.badFile("\(error)")
      case .teamExists(let name): throw ControlError.teamExists(name)
      case .noSuchTeam(let name): throw ControlError.noSuchTeam(name)
      case .failed, .cannotOpen, .corrupt, .noFile, .damaged, .newerSchema, .olderSchema, .notOurs,
        .developmentVersion, .migrationFailed:
        log.error("\(error)")
        throw ControlError(.storage, "\(error); nothing was changed")
      }
    }
  }
}
