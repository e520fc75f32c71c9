package import FlowCalendar
import FlowModel
package import FlowPlatform
import FlowScheduler
package import FlowStore
package import FlowWork

/// The next slots of one job, for callers who change its rule.
package struct NextSlots: Sendable {
  private let store: any Holds & LedgerReport
  private let zones: SystemZones
  private let clock: any WallClock

  package init(store: any Holds & LedgerReport, zones: SystemZones, clock: any WallClock) {
    (self.store, self.zones, self.clock) = (store, zones, clock)
  }

  /// Number of slots to show.
  package static let slotCount = 3

  /// Empty if the rule cannot be parsed.
  package func of(_ record: JobRecord) async throws -> [(slot: Occurrence, zone: Zone)] {
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
