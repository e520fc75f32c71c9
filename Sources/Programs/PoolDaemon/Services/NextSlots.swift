import PoolCalendar
import PoolModel
import PoolPlatform
import PoolScheduler
import PoolStore
import PoolWork

/// The coming slots of one job, as somebody who sets its rule wants to see them.
struct NextSlots: Sendable {
  let store: any Holds & LedgerReport
  let zones: SystemZones
  let clock: any WallClock

  /// How many of them are shown.
  static let shown = 3

  /// None where the rule cannot be read.
  func of(_ record: JobRecord) async throws -> [(slot: Occurrence, zone: Zone)] {
    guard var job = try? PlannedJob(record, zones: zones, holds: try await store.holds(of: record.teamID)) else {
      return []
    }
    let now = clock.now()
    job.ranEarly = try await store.slotsRunEarly(after: now)[record.id] ?? []
    var found: [(slot: Occurrence, zone: Zone)] = []
    var position = now
    while found.count < Self.shown, let slot = job.nextToRun(after: position) {
      found.append((slot, job.zone))
      position = slot.instant
    }
    return found
  }
}
