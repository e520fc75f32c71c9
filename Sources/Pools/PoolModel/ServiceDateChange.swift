package import FlowModel

/// One changed date of a pool's service: the stop is moved to another date, skipped, or served by another technician.
package struct ServiceDateChange: Hashable, Sendable {
  /// The number within the store, never reused; 0 before it is stored. Changes take effect in the order of these numbers.
  package let id: Int64
  /// The number of the first change that the same command made; one undo removes all changes of a batch.
  package let batch: Int64
  package let pool: PoolID
  /// The date from which the stop is taken: a date of the rule, or the new date of an earlier change.
  package let from: CivilDate
  /// The date on which the stop is served, which equals `from` if only the technician changes; nil if it is skipped.
  package let to: CivilDate?
  /// The technician who serves the stop; nil for the pool's own.
  package let technician: TechnicianID?
  /// The position among the stops of its technician on that date, without those of later changes; nil for the position that the
  /// pool has on other dates.
  package let routeOrder: Int?
  package let reason: String
  /// The person who entered it, such as `anna (uid 1000)`.
  package let setBy: String
  package let madeAt: Timestamp

  package init(
    id: Int64 = 0, batch: Int64 = 0, pool: PoolID, from: CivilDate, to: CivilDate?, technician: TechnicianID? = nil,
    routeOrder: Int? = nil, reason: String, setBy: String, madeAt: Timestamp
  ) {
    self.id = id
    self.batch = batch
    self.pool = pool
    self.from = from
    self.to = to
    self.technician = technician
    self.routeOrder = routeOrder
    self.reason = reason
    self.setBy = setBy
    self.madeAt = madeAt
  }

  package var isSkip: Bool { to == nil }
  /// True if the stop stays on its date and another technician serves it.
  package var isCover: Bool { to == from }

  /// The dates that the change affects.
  package var dates: [CivilDate] { [from] + (to.map { [$0] } ?? []) }
  /// The last date that the change affects.
  package var lastDate: CivilDate { max(from, to ?? from) }
}

/// A changed date in an archive, where technicians have names and batches are numbered from 1.
package struct ServiceChangeRecord: Hashable, Sendable {
  package let poolID: PoolID
  package let batch: Int
  package let from: CivilDate
  package let to: CivilDate?
  /// Nil for the pool's own technician.
  package let technician: String?
  package let routeOrder: Int?
  package let reason: String
  package let setBy: String
  package var madeAt: Timestamp

  package init(
    poolID: PoolID, batch: Int, from: CivilDate, to: CivilDate?, technician: String?, routeOrder: Int?, reason: String,
    setBy: String, madeAt: Timestamp
  ) {
    self.poolID = poolID
    self.batch = batch
    self.from = from
    self.to = to
    self.technician = technician
    self.routeOrder = routeOrder
    self.reason = reason
    self.setBy = setBy
    self.madeAt = madeAt
  }
}

/// A stop on a date that changes gave it.
package struct ChangedStop: Hashable, Sendable {
  /// The date of the rule from which the stop comes.
  package let origin: CivilDate
  /// The changes that lead here, in order; never empty.
  package let changes: [ServiceDateChange]

  /// The technician of this date; nil for the pool's own.
  package var technician: TechnicianID? { changes.last?.technician }
  package var routeOrder: Int? { changes.last?.routeOrder }
  /// The reason of the change that moved the stop here, or else of the last one.
  package var reason: String { changes.last { !$0.isCover }?.reason ?? changes.last?.reason ?? "" }
}

/// The effect of a pool's changes on the dates of its rule.
struct ChangedDates: Hashable, Sendable {
  /// The stops on the dates that changes gave them.
  private(set) var stops: [CivilDate: ChangedStop] = [:]
  /// The dates of the rule from which the stop was taken.
  private(set) var left: Set<CivilDate> = []
  /// The skipped stops, by the date that they would have had.
  private(set) var skipped: [CivilDate: ChangedStop] = [:]
  /// The numbers of the changes that have an effect.
  private(set) var effective: Set<Int64> = []

  static let none = ChangedDates([], isByRule: { _ in false })

  /// Applies changes in their order. One whose stop does not exist any more, because the rule was changed after it, has no
  /// effect.
  init(_ changes: [ServiceDateChange], isByRule: (CivilDate) -> Bool) {
    for change in changes {
      let stop: ChangedStop
      if let earlier = stops.removeValue(forKey: change.from) {
        stop = ChangedStop(origin: earlier.origin, changes: earlier.changes + [change])
      } else {
        guard isByRule(change.from), left.insert(change.from).inserted else { continue }
        stop = ChangedStop(origin: change.from, changes: [change])
      }
      effective.insert(change.id)
      if let date = change.to { stops[date] = stop } else { skipped[change.from] = stop }
    }
  }
}

extension Array {
  /// Puts stops that have a position in their technician's day among the other stops of the date, one after the other. So a stop
  /// keeps its neighbours when a later change puts another stop before it.
  ///
  /// - Parameters:
  ///   - placed: the stops in the order of their changes, and each one's position, from 0, among the stops of its technician's
  ///     day that are there then. A position beyond the end means the last one.
  ///   - isSameDay: whether two stops are of the same technician's day.
  package func placing(
    _ placed: [(stop: Element, position: Int)], isSameDay: (Element, Element) -> Bool
  ) -> [Element] {
    var stops = self
    for one in placed {
      let own = stops.indices.filter { isSameDay(stops[$0], one.stop) }
      let index = one.position < own.count ? own[Swift.max(0, one.position)] : own.last.map { $0 + 1 } ?? stops.count
      stops.insert(one.stop, at: index)
    }
    return stops
  }
}
