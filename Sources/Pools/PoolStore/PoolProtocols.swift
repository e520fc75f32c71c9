package import FlowCalendar
package import FlowModel
import FlowNotices
import FlowStore
package import PoolChemistry
package import PoolDigests
package import PoolModel

// Records that offices and technicians edit by hand. Each change is one transaction; an error thrown by a closure is rethrown
// and nothing is changed.

/// A team's pools, with their customer profiles and last visits.
package protocol Pools: Sendable {
  /// Pools by weekday, then in route order.
  ///
  /// - Parameter now: visits dated later do not count as the last visit.
  func pools(of team: TeamID, day: Weekday?, technician: String?, now: Timestamp) async throws -> [PoolLine]

  /// At most `limit` pools of the team by weekday and route order, after the first `start`.
  func pools(of team: TeamID, after start: Int, limit: Int, now: Timestamp) async throws -> [PoolLine]

  /// Finds pools by id or customer name, ignoring case. An exact match wins over pools whose id or name begins with the text.
  func pools(of team: TeamID, matching text: String) async throws -> [Pool]

  /// - Parameter now: visits dated later do not count as the last visit.
  func detail(of pool: Pool, team: TeamID, now: Timestamp) async throws -> PoolDetail

  /// Visits up to and including `last`, newest first; nil: all visits, including those dated in the future.
  func events(of pool: PoolID, team: TeamID, limit: Int, until last: Timestamp?) async throws -> [ServiceEvent]

  /// The number of pools of each technician; technicians without pools are left out.
  func poolsByTechnician(of team: TeamID) async throws -> [TechnicianID: Int]

  /// Adds a pool at the end of a day's route.
  ///
  /// - Parameters:
  ///   - rule: its dates of service; nil for every week.
  ///   - make: returns the pool; takes the team's number of pools and the next route order on `day`.
  func addPool(
    to team: TeamID, day: Weekday, rule: CalendarDates?, make: @Sendable (_ pools: Int, _ nextOrder: Int) throws -> Pool
  ) async throws -> Pool

  /// Changes a pool, its customer profile and its dates of service, all or nothing.
  ///
  /// - Parameters:
  ///   - people: nil leaves the profile unchanged; otherwise see `changeProfile`.
  ///   - rule: takes the changed pool and its present service, and returns the new rule, nil for every week; nil leaves the rule
  ///     unchanged.
  ///   - date: the first date of the new rule; nil if it is for past dates, too.
  ///   - today: the local date, and its first and last instant; nil plans no notice of changed stops.
  /// - Returns: nil if the pool no longer exists.
  func changePool(
    _ id: PoolID, of team: TeamID, change: @Sendable (inout Pool) throws -> Void,
    people: (@Sendable (inout CustomerProfile) throws -> Void)?,
    rule: (@Sendable (inout Pool, PoolService) throws -> CalendarDates?)?, from date: CivilDate?, today: ServiceToday?
  ) async throws -> ChangedPool?

  /// Removes a pool with its visits, equipment and profile.
  /// - Returns: false if it does not exist.
  func removePool(_ id: PoolID, of team: TeamID, today: ServiceToday?) async throws -> Bool

  /// Changes a pool's profile, adding one if there is none. A `tech:` tag assigns the pool to that technician.
  ///
  /// - Returns: nil if the pool no longer exists.
  func changeProfile(
    of pool: PoolID, team: TeamID, change: @Sendable (inout CustomerProfile) throws -> Void
  ) async throws -> CustomerProfile?

  /// Gate access of these pools, in the given order; pools that do not exist or have no such data are left out.
  func access(to pools: [PoolID], team: TeamID) async throws -> [PoolAccess]
}

/// A pool after a change, and its dates of service before.
package struct ChangedPool: Sendable {
  package let pool: Pool
  /// Nil for every week.
  package let rule: CalendarDates?
  package let before: PoolService
}

/// Visits: logging, editing, undo and reports.
package protocol Visits: Sendable {
  /// Default data for a visit to a pool that begins now.
  ///
  /// - Returns: nil if the pool no longer exists.
  func visitStart(at pool: PoolID, of team: TeamID, now: Timestamp) async throws -> VisitStart?

  /// Logs a visit: event, doses, stock and, if no other visit is newer, the pool's readings and saturation index.
  ///
  /// - Parameters:
  ///   - instant: time of the visit, not after `now`.
  ///   - photo: name for archives and size in bytes; the file is already in the photo folder.
  ///   - done: the recurring work that was done; nil for none.
  ///   - decide: returns readings and doses; takes the pool, its newest visit up to then and its technician's stock. An
  ///     error that it throws is rethrown and nothing is changed.
  /// - Returns: nil if the pool no longer exists.
  func logVisit(
    to pool: PoolID, of team: TeamID, at instant: Timestamp, now: Timestamp, notes: String,
    photo: (fileName: String, bytes: Int)?, identities: VisitIdentities, done: WorkMarks?,
    decide: @Sendable (Pool, [ServiceEvent], [InventoryItem]) throws -> VisitToLog
  ) async throws -> LoggedVisit?

  /// Edits a visit of any origin. The stock gets the old doses back before the new ones are taken; the pool's readings change
  /// if no other visit is newer.
  ///
  /// - Parameter decide: returns the edit; takes the pool, the visit, the water before it and the stock without the visit's doses.
  /// - Returns: nil if the visit no longer exists.
  func editVisit(
    _ id: ServiceEventID, of team: TeamID, now: Timestamp, dose: @Sendable () -> ChemicalDoseID,
    decide: @Sendable (Pool, ServiceEvent, WaterBefore, [InventoryItem]) throws -> VisitEdit
  ) async throws -> LoggedVisit?

  /// Removes a visit of any origin. The stock gets its doses back; if the pool's readings are this visit's, they become those
  /// of the newest remaining visit.
  ///
  /// - Parameter dryRun: true for a dry run, which is rolled back.
  /// - Returns: nil if the visit no longer exists.
  func removeVisit(
    _ id: ServiceEventID, of team: TeamID, now: Timestamp, dryRun: Bool
  ) async throws -> ServiceEvent?

  /// Undoes the visit to a pool that was logged last with `pfctl`: removes the event and its doses and restores stock and
  /// pool.
  ///
  /// Later changes are kept: an item whose stock changed since gets the doses back, and readings set since stay. If another
  /// visit to the pool was measured or removed since, nothing can be undone.
  func undoVisit(to pool: PoolID, of team: TeamID, now: Timestamp) async throws -> VisitUndo

  /// Visits, newest first, of one pool or of all (nil). `search` restricts them to those with the text in the notes or in the
  /// customer's name.
  func visits(of team: TeamID, pool: PoolID?, search: SearchText?, limit: Int) async throws -> [VisitLine]

  /// The newest visit to a pool, not after `now`; nil if there is none.
  func newestVisit(to pool: PoolID, of team: TeamID, now: Timestamp) async throws -> VisitLine?

  /// Visits whose id begins with `id`, ignoring case.
  func visits(of team: TeamID, beginning id: String, limit: Int) async throws -> [VisitLine]

  /// Visits for an export file, oldest first, after the first `after`, of one pool or of all (nil).
  func oldestVisits(
    of team: TeamID, pool: PoolID?, after: Int, limit: Int
  ) async throws -> [(event: ServiceEvent, customer: String)]

  /// Whether any pool, and any visit, of a team has a reading of free chlorine or salt.
  func sanitiserUse(of team: TeamID) async throws -> (pools: Bool, visits: Bool)

  /// The doses of a visit, largest first; a chemical removed from stock has no name.
  func doses(of visit: ServiceEventID, team: TeamID) async throws -> [VisitReport.Dose]

  /// Visits and chemicals of a period and of the period before it, in one consistent snapshot.
  ///
  /// - Parameter last: visits dated later are ignored.
  func period(_ period: Period, of team: TeamID, until last: Timestamp) async throws -> PeriodFacts
}

/// The chemicals in a team's store and on its trucks.
package protocol Stock: Sendable {
  /// Items in listing order: the team's store, then each truck's, with the name of its technician.
  func stock(of team: TeamID) async throws -> [(item: InventoryItem, technician: String?)]

  /// Adds items at the end of the team's own store.
  ///
  /// - Parameter make: returns the new items; takes the present ones.
  func addStock(
    to team: TeamID, make: @Sendable ([InventoryItem]) throws -> [InventoryItem]
  ) async throws -> [InventoryItem]

  /// - Returns: nil if the item no longer exists.
  func changeStock(
    _ id: InventoryItemID, of team: TeamID, change: @Sendable (inout InventoryItem) throws -> Void
  ) async throws -> InventoryItem?

  func removeStock(_ id: InventoryItemID, of team: TeamID) async throws -> Bool
}

/// Equipment at a team's pools.
package protocol PoolEquipment: Sendable {
  /// All equipment of a team, by pool and name.
  func equipment(ofTeam team: TeamID) async throws -> [Equipment]

  func equipment(of pool: PoolID, team: TeamID) async throws -> [Equipment]

  /// - Parameter every: the interval of its service; nil for none.
  /// - Returns: false if the pool does not exist.
  func addEquipment(_ equipment: Equipment, every: WorkInterval?, to team: TeamID) async throws -> Bool

  /// - Parameter every: the new interval of its service; `.some(nil)` removes it, nil leaves it as it is.
  /// - Returns: nil if the equipment no longer exists.
  func changeEquipment(
    _ id: EquipmentID, at pool: PoolID, of team: TeamID, every: WorkInterval??,
    change: @Sendable (inout Equipment) throws -> Void
  ) async throws -> Equipment?

  func removeEquipment(_ id: EquipmentID, of team: TeamID) async throws -> Bool
}

/// Saturation indexes and the cost of chemicals.
package protocol Water: Sendable {
  /// Number of pools that a refresh would process.
  ///
  /// - Parameter all: true for every pool, false for pools whose readings changed since the last refresh.
  func poolsToRefresh(all: Bool) async throws -> Int

  /// Computes the saturation indexes of the next block of pools, and writes them when enough have changed.
  ///
  /// A call is short, so that other work of the store runs between calls. A row is written only if it still has the readings
  /// that were used, so later changes are not overwritten.
  ///
  /// - Parameters:
  ///   - progress: the result of the previous call; empty at first.
  ///   - all: true for every pool, false for pools whose readings changed since the last refresh.
  func refreshBlockPools(after progress: RefreshProgress, all: Bool, now: Timestamp) async throws -> RefreshProgress

  /// Writes pending results of a refresh that pauses or ends, one commit per call; call it until all are written.
  func finishRefresh(_ progress: RefreshProgress, now: Timestamp) async throws -> RefreshProgress

  /// The end of the last nightly refresh; nil before the first one.
  func lastRefresh() async throws -> Timestamp?

  func noteRefresh(at now: Timestamp) async throws

  /// The pools of a team that crossed a limit after `start`, newest first.
  func crossings(of team: TeamID, since start: Timestamp) async throws -> [WaterChange]

  /// Cost of the visits to each pool from `start` to `end`, both inclusive; pools without visits are left out.
  func chemicalCosts(of team: TeamID, since start: Timestamp, until end: Timestamp) async throws -> [PoolID: Double]

  /// Chemical cost of a pool's visits up to and including `last`.
  func usage(at pool: PoolID, of team: TeamID, until last: Timestamp) async throws -> PoolUsage
}

/// Routes: computed orders, applied orders and measured travel times.
package protocol Routes: Sendable {
  /// Every stop that a team's weekdays may have, ordered by weekday, technician, route order and pool.
  func routeStops(of team: TeamID) async throws -> [DayStop]

  /// The computed routes of a team's days, by the nightly job or on request.
  func routes(of team: TeamID) async throws -> [StoredRoute]

  /// Stores computed routes and deletes those of days that no longer have stops, in one transaction.
  ///
  /// - Parameter days: all days of the team that have stops; nil deletes no route.
  func keep(
    _ routes: [StoredRoute], of team: TeamID, onlyDays days: Set<RouteDay>?
  ) async throws

  /// Applies an order to a day's stops and remembers the order before it.
  ///
  /// - Parameters:
  ///   - order: every stop of one date of the weekday, in the new order; other stops of the weekday keep their positions.
  ///   - known: the order of these stops that the caller has seen.
  ///   - today: the local date; the order is that of the weekday's next date from then on. Nil if no stop of it is there by a
  ///     changed date.
  ///   - kept: a stop to pin at this position, counted from 1, whatever the nightly job computes; the first stop always stays.
  func setRoute(
    _ order: [PoolID], known: [PoolID], on day: RouteDay, from today: CivilDate?, of team: TeamID, now: Timestamp,
    keeping kept: (pool: PoolID, place: Int)?
  ) async throws -> RouteChange

  /// Pins a pool to a position of a weekday, counted from 1; nil removes the pin. A pin on the pool's own weekday is part of
  /// its profile, and applies to each other weekday that has no pin of its own.
  func setPin(_ place: Int?, of pool: PoolID, on day: Weekday, team: TeamID) async throws

  /// Restores the order that a day had before the last change; works once per change.
  func undoRoute(on day: RouteDay, of team: TeamID) async throws -> RouteChange

  /// The pools of a team that were visited from `start` to `end`.
  func serviced(of team: TeamID, from start: Timestamp, to end: Timestamp) async throws -> Set<PoolID>

  /// Nil if the team has no travel table.
  func travelTable(of team: TeamID) async throws -> StoredTravelTable?

  /// Replaces the team's travel table; nil removes it.
  func setTravelTable(_ table: StoredTravelTable?, of team: TeamID) async throws
}

extension Visits {
  /// Logs a visit during which no recurring work was done.
  package func logVisit(
    to pool: PoolID, of team: TeamID, at instant: Timestamp, now: Timestamp, notes: String,
    photo: (fileName: String, bytes: Int)?, identities: VisitIdentities,
    decide: @Sendable (Pool, [ServiceEvent], [InventoryItem]) throws -> VisitToLog
  ) async throws -> LoggedVisit? {
    try await logVisit(
      to: pool, of: team, at: instant, now: now, notes: notes, photo: photo, identities: identities, done: nil,
      decide: decide)
  }
}

extension PoolEquipment {
  /// Adds equipment without an interval of service.
  package func addEquipment(_ equipment: Equipment, to team: TeamID) async throws -> Bool {
    try await addEquipment(equipment, every: nil, to: team)
  }

  /// Changes equipment; its interval of service stays.
  package func changeEquipment(
    _ id: EquipmentID, at pool: PoolID, of team: TeamID, change: @Sendable (inout Equipment) throws -> Void
  ) async throws -> Equipment? { try await changeEquipment(id, at: pool, of: team, every: nil, change: change) }
}

extension Store: Pools, Visits, Stock, PoolEquipment, Water, Routes {}
