import FlowCalendar
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowWork

/// The next slots of one job, for callers who change its rule.
struct NextSlots: Sendable {
  let store: any Holds & LedgerReport
  let zones: SystemZones
  let clock: any WallClock

  /// Number of slots to show.
  static let slotCount = 3

  /// Empty if the rule cannot be parsed.
  func of(_ record: JobRecord) async throws -> [(slot: Occurrence, zone: Zone)] {
    guard var job = try? PlannedJob(record, zones: zones, holds: try await store.holds(of: record.teamID)) else {
      return []
    }
    let now = clock.now()
    job.ranEarly = try await store.slotsRunEarly(after: now)[record.id] ?? []
    var found: [(slot: Occurrence, zone: Zone)] = []
    var position = now
    while found.count < Self.slotCount, let slot = job.nextToRun(after: position) {
      found.append((slot, job.zone))
      position = slot.instant
    }
    return found
  }
}
