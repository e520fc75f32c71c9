package import PoolChemistry
package import PoolDigests
package import PoolModel
import PoolNotices

// What an office and its technicians keep by hand. Each verb that changes something is one transaction; what a closure
// throws is thrown on, and nothing has changed then.

/// Who is told things by himself, and where he is reached.
package protocol People: Sendable {
  /// Those of whom anything is known, the office first.
  func people(of team: TeamID) async throws -> [KnownPerson]

  /// Nil where nothing is known.
  func person(_ key: PersonKey) async throws -> KnownPerson?

  /// What people call these; one who is gone is left out.
  func names(of keys: Set<PersonKey>) async throws -> [PersonKey: String]

  /// Changes what is known of a person, who may be none so far.
  func changePerson(
    _ key: PersonKey, of team: TeamID, change: @Sendable (inout KnownPerson) throws -> Void
  ) async throws -> KnownPerson

  /// Adds a technician with what is known of him.
  ///
  /// - Parameter make: what is known of him, from the number of technicians that the team has.
  /// - Returns: nil where the team has one of this name, in any case; nothing has changed then.
  func addTechnician(
    _ name: String, to team: TeamID, make: @Sendable (PersonKey, _ technicians: Int) throws -> KnownPerson
  ) async throws -> KnownPerson?

  /// Forgets where a person is reached, and what is wanted.
  func forget(_ key: PersonKey, of team: TeamID) async throws

  /// Removes a technician, where nothing is his but his addresses and days off.
  ///
  /// - Returns: what else is his, and is left with him; nothing of it where he is gone.
  func removeTechnician(_ id: TechnicianID, of team: TeamID) async throws -> TechnicianHoldings
}

/// What keeps a technician from being removed.
package struct TechnicianHoldings: Hashable, Sendable {
  /// That he drives to, or that were imported for him alone.
  package let pools: Int
  /// Chemicals on his truck, and profiles that were imported for him alone.
  package let records: Int
  package let reminders: Int
  package let isDefault: Bool

  package var isEmpty: Bool { pools + records + reminders == 0 && !isDefault }
}

/// The pools of a team, with their profiles and visits as lists show them.
package protocol Pools: Sendable {
  /// By day, then in route order.
  ///
  /// - Parameter now: a visit that is dated later is not the last one yet.
  func pools(of team: TeamID, day: Weekday?, technician: String?, now: Timestamp) async throws -> [PoolLine]

  /// Those of the whole team in the same order, after the first `start` of them.
  func pools(of team: TeamID, after start: Int, limit: Int, now: Timestamp) async throws -> [PoolLine]

  /// The pool with that id, or the pools whose customer has that name, in any case; where there are none, those whose id or
  /// customer's name begins so.
  func pools(of team: TeamID, matching text: String) async throws -> [Pool]

  /// - Parameter now: a visit that is dated later is not the last one yet.
  func detail(of pool: Pool, team: TeamID, now: Timestamp) async throws -> PoolDetail

  /// The visits up to an instant, newest first; all of them without it, those that are dated ahead of the clock included.
  func events(of pool: PoolID, team: TeamID, limit: Int, until last: Timestamp?) async throws -> [ServiceEvent]

  /// How many pools each technician drives to; nobody's zero is left out.
  func poolsByTechnician(of team: TeamID) async throws -> [TechnicianID: Int]

  /// Adds a pool at the end of its day.
  ///
  /// - Parameters:
  ///   - make: the pool, from how many the team has and the route order that comes next on `day`.
  func addPool(
    to team: TeamID, day: Weekday, make: @Sendable (_ pools: Int, _ nextOrder: Int) throws -> Pool
  ) async throws -> Pool

  /// Changes a pool and what is known of its people, all or nothing.
  ///
  /// - Parameter people: nil leaves the profile alone; else as `changeProfile` does it.
  /// - Returns: nil where the pool is gone.
  func changePool(
    _ id: PoolID, of team: TeamID, change: @Sendable (inout Pool) throws -> Void,
    people: (@Sendable (inout CustomerProfile) throws -> Void)?
  ) async throws -> Pool?

  /// The pool with its visits, equipment and profile.
  /// - Returns: false where there is none.
  func removePool(_ id: PoolID, of team: TeamID) async throws -> Bool

  /// A pool without a profile gets one; a `tech:` tag moves the pool to that technician.
  ///
  /// - Returns: nil where the pool is gone.
  func changeProfile(
    of pool: PoolID, team: TeamID, change: @Sendable (inout CustomerProfile) throws -> Void
  ) async throws -> CustomerProfile?

  /// What opens the gates of these pools, in their order; a pool that is gone, or of which nothing is known, is left out.
  func access(to pools: [PoolID], team: TeamID) async throws -> [PoolAccess]
}

/// Visits as they are logged, edited, taken back and accounted for.
package protocol Visits: Sendable {
  /// What a visit to a pool would begin with now.
  ///
  /// - Returns: nil where the pool is gone.
  func visitStart(at pool: PoolID, of team: TeamID, now: Timestamp) async throws -> VisitStart?

  /// Logs a visit: event, doses, stock and, where no other visit is younger, the pool's readings and index.
  ///
  /// - Parameters:
  ///   - instant: when it was paid, up to `now`.
  ///   - photo: its name in archives; the file lies in the photo folder by now.
  ///   - decide: what was measured and poured, from the pool, its newest visit up to then and the stock that its technician
  ///     has. What it throws is thrown on; nothing has changed then.
  /// - Returns: nil where the pool is gone.
  func logVisit(
    to pool: PoolID, of team: TeamID, at instant: Timestamp, now: Timestamp, notes: String,
    photo: (fileName: String, bytes: Int)?, identities: VisitIdentities,
    decide: @Sendable (Pool, [ServiceEvent], [InventoryItem]) throws -> VisitToLog
  ) async throws -> LoggedVisit?

  /// Edits a visit, wherever it came from: what it took from the stock comes back before the new doses are taken, and the
  /// pool's readings follow where no other visit is younger.
  ///
  /// - Parameter decide: what is to become of it, from its pool, itself and the stock as it would be had it poured nothing.
  /// - Returns: nil where the visit is gone.
  func editVisit(
    _ id: ServiceEventID, of team: TeamID, now: Timestamp, dose: @Sendable () -> ChemicalDoseID,
    decide: @Sendable (Pool, ServiceEvent, [InventoryItem]) throws -> VisitEdit
  ) async throws -> LoggedVisit?

  /// Removes a visit, wherever it came from: its doses go, the stock gets back what it took, and the pool's readings, where
  /// they are still this visit's, become those of the visit that is the newest then.
  ///
  /// - Parameter rehearse: do all of it, and take it back.
  /// - Returns: nil where the visit is gone.
  func removeVisit(
    _ id: ServiceEventID, of team: TeamID, now: Timestamp, rehearse: Bool
  ) async throws -> ServiceEvent?

  /// Takes back the visit to a pool that was logged last here: the event and its doses go, stock and pool are as before.
  ///
  /// What happened since stays: an item whose stock changed meanwhile gets back what the visit took, and readings that
  /// were set since are kept. Where another visit to the pool was measured anew or removed since, there is nothing to take
  /// back.
  func undoVisit(to pool: PoolID, of team: TeamID, now: Timestamp) async throws -> VisitUndo

  /// Newest first, of one pool or of all; with a search those with it in their notes or their customer's name.
  func visits(of team: TeamID, pool: PoolID?, search: SearchText?, limit: Int) async throws -> [VisitLine]

  /// The newest visit to a pool up to now; nil where there is none.
  func newestVisit(to pool: PoolID, of team: TeamID, now: Timestamp) async throws -> VisitLine?

  /// The visits whose identity begins so, in any case.
  func visits(of team: TeamID, beginning id: String, limit: Int) async throws -> [VisitLine]

  /// Oldest first, from the `after`-th on, of one pool or of all: the lines of a file.
  func oldestVisits(
    of team: TeamID, pool: PoolID?, after: Int, limit: Int
  ) async throws -> [(event: ServiceEvent, customer: String)]

  /// What a visit poured, the most first; a chemical that has left the stock has no name.
  func doses(of visit: ServiceEventID, team: TeamID) async throws -> [VisitReport.Dose]

  /// The visits and the chemicals of a period and of the one before it, of one moment.
  ///
  /// - Parameter last: visits that are dated later are passed over.
  func period(_ period: Period, of team: TeamID, until last: Timestamp) async throws -> PeriodFacts
}

/// What lies in a team's store and on its trucks.
package protocol Stock: Sendable {
  /// In listing order: the team's own store, then each truck's; with the technician whose truck it is.
  func stock(of team: TeamID) async throws -> [(item: InventoryItem, technician: String?)]

  /// Adds items to the team's own store, behind what is there.
  ///
  /// - Parameter make: the items, from those that are there.
  func addStock(
    to team: TeamID, make: @Sendable ([InventoryItem]) throws -> [InventoryItem]
  ) async throws -> [InventoryItem]

  /// - Returns: nil where the item is gone.
  func changeStock(
    _ id: InventoryItemID, of team: TeamID, change: @Sendable (inout InventoryItem) throws -> Void
  ) async throws -> InventoryItem?

  func removeStock(_ id: InventoryItemID, of team: TeamID) async throws -> Bool
}

/// The machines at a team's pools.
package protocol PoolEquipment: Sendable {
  /// Everything at a team's pools, by pool and name.
  func equipment(ofTeam team: TeamID) async throws -> [Equipment]

  func equipment(of pool: PoolID, team: TeamID) async throws -> [Equipment]

  /// - Returns: false where the pool is gone.
  func addEquipment(_ equipment: Equipment, to team: TeamID) async throws -> Bool

  /// - Returns: nil where it is gone.
  func changeEquipment(
    _ id: EquipmentID, at pool: PoolID, of team: TeamID, change: @Sendable (inout Equipment) throws -> Void
  ) async throws -> Equipment?

  func removeEquipment(_ id: EquipmentID, of team: TeamID) async throws -> Bool
}

/// The saturation indexes, and what the water's care costs.
package protocol Water: Sendable {
  /// Pools that a refresh would look at.
  func poolsToRefresh(all: Bool) async throws -> Int

  /// Looks at the next block of pools, computes their indexes, and writes what changed once there is enough of it.
  ///
  /// A call is short, so that other work of the store comes in between. What has changed meanwhile is not overwritten: a
  /// row is written only while it has the readings that were computed from.
  ///
  /// - Parameters:
  ///   - progress: what the call before returned, an empty one at first.
  ///   - all: every pool; without it those whose readings changed since the last look.
  func refreshBlock(after progress: RefreshProgress, all: Bool, now: Timestamp) async throws -> RefreshProgress

  /// Writes a commit of what a refresh has found so far, where it is to rest before it is done: call until it is written.
  func finishRefresh(_ progress: RefreshProgress, now: Timestamp) async throws -> RefreshProgress

  /// When the nightly refresh was last done; nil before the first night.
  func lastRefresh() async throws -> Timestamp?

  func noteRefresh(at now: Timestamp) async throws

  /// The pools of a team that crossed a limit after `start`, the newest first.
  func crossings(of team: TeamID, since start: Timestamp) async throws -> [WaterChange]

  /// What the visits of each pool cost from `start` to `end`, both inclusive; a pool without one is not in it.
  func chemicalCosts(of team: TeamID, since start: Timestamp, until end: Timestamp) async throws -> [PoolID: Double]

  /// What the chemicals of a pool's visits up to `last`, inclusive, have cost.
  func usage(at pool: PoolID, of team: TeamID, until last: Timestamp) async throws -> PoolUsage
}

/// The order of days: what was worked out, what was applied, and measured times.
package protocol Routes: Sendable {
  /// Every stop of a team in the order of days: weekday, technician, route order, pool.
  func routeStops(of team: TeamID) async throws -> [RouteStopRecord]

  /// The days of a team as the last night, or a person, had them put in order.
  func routes(of team: TeamID) async throws -> [StoredRoute]

  /// Keeps what was worked out and forgets days that have no stops any more, in one transaction.
  ///
  /// - Parameter days: of all of the team's days that have stops; nil leaves others as they are.
  func keep(
    _ routes: [StoredRoute], of team: TeamID, onlyDays days: Set<RouteDay>?
  ) async throws

  /// Gives a day's stops this order, and remembers the one before.
  ///
  /// - Parameters:
  ///   - order: every stop of the day, the first first.
  ///   - known: the order that the caller knew.
  ///   - kept: a stop that is to keep this place, from 1, whatever a night finds better; the first stays of itself.
  func setRoute(
    _ order: [PoolID], known: [PoolID], on day: RouteDay, of team: TeamID, now: Timestamp,
    keeping kept: (pool: PoolID, place: Int)?
  ) async throws -> RouteChange

  /// Gives a day the order back that it had before the last change, once.
  func undoRoute(on day: RouteDay, of team: TeamID) async throws -> RouteChange

  /// Which pools of a team were visited from `start` to `end`.
  func serviced(of team: TeamID, from start: Timestamp, to end: Timestamp) async throws -> Set<PoolID>

  /// Nil where the team has none.
  func travelTable(of team: TeamID) async throws -> StoredTravelTable?

  /// Puts a table in the place of the one there is; nil takes it away.
  func setTravelTable(_ table: StoredTravelTable?, of team: TeamID) async throws
}

extension Store: People, Pools, Visits, Stock, PoolEquipment, Water, Routes {}
