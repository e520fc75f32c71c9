import FlowModel
import FlowStore
import PoolChemistry
import PoolDigests
import PoolModel

/// A summary of a pool's last visits.
struct PoolHistory {
  var lastVisit: Timestamp?
  /// The newest visit that measured something; may be older than the last visit.
  var measured: ServiceEvent?
  /// For each chlorine product, the median dose of the last visits.
  var usualChlorine: [UsualDose] = []
}

/// Reads a team's visits for several purposes at once: each pool's visits are read through an index, newest first, and only as
/// far back as needed.
struct TeamVisitReader {
  /// A visit with its chlorine doses.
  private struct Visit {
    let row: Int64
    let id: ServiceEventID
    let at: Timestamp
    var chlorine: [UsualDose] = []
  }

  private let team: TeamID
  private let connection: Connection
  private let chlorines: [InventoryItem]
  private let usedSince: Timestamp?
  private let last: Timestamp
  private let low: [InventoryItemID]
  private var used: [InventoryItemID: Double] = [:]
  private var readPools: Set<PoolID> = []

  /// - Parameters:
  ///   - stock: the team's whole stock, to find chlorine products and low items.
  ///   - usedSince: use of low items is counted from this instant; nil: it is not counted.
  ///   - last: visits dated later are ignored.
  init(team: TeamID, stock: [InventoryItem], usedSince: Timestamp?, until last: Timestamp, connection: Connection) {
    self.last = last
    self.team = team
    self.connection = connection
    chlorines = stock.filter { $0.chemicalType == ChemicalType.chlorine.rawValue }
    low = usedSince == nil ? [] : stock.filter(\.isLowStock).map(\.id)
    self.usedSince = low.isEmpty ? nil : usedSince
  }

  /// The summary of a pool's last visits.
  mutating func history(of pool: PoolID) throws(StoreError) -> PoolHistory {
    var visits = try readVisits(at: pool, chlorines.isEmpty ? 1 : StopCare.visitsOfMedian)
    // At the same instant the lower id counts as newer; visits beyond the count are dropped by that order.
    visits.sort { ($1.at, $0.id) < ($0.at, $1.id) }
    guard let newest = visits.first else { return PoolHistory() }
    let visit = try connection.first(
      "SELECT \(Connection.visitColumns) FROM service_events AS visit WHERE visit.rowid = ?", .integer(newest.row)
    ) { row throws(StoreError) in try Connection.visit(row) }
    let measured =
      visit?.measured.isEmpty == false ? visit : try connection.lastMeasured(at: pool, team: team, until: newest.at)
    return PoolHistory(
      lastVisit: newest.at, measured: measured,
      usualChlorine: UsualDose.medians(visits.prefix(StopCare.visitsOfMedian).map(\.chlorine)))
  }

  /// Ounces of each low item used by visits to all pools since `usedSince`.
  mutating func chemicalUse() throws(StoreError) -> [InventoryItemID: Double] {
    guard usedSince != nil else { return [:] }
    let pools = try connection.rows("SELECT pool_id FROM pools WHERE team_id = ?", .integer(team.number)) {
      row throws(StoreError) in try row.id(0, table: "pools", name: "pool_id") as PoolID
    }
    for pool in pools where !readPools.contains(pool) { _ = try readVisits(at: pool, 0) }
    return used
  }

  /// Reads a pool's visits and adds up their use of low items.
  ///
  /// - Returns: the last `count` visits, newest first, plus any visits at the same instant as the last of them.
  private mutating func readVisits(at pool: PoolID, _ count: Int) throws(StoreError) -> [Visit] {
    let isFirst = readPools.insert(pool).inserted
    let statement = try connection.statement(
      """
      SELECT visit.rowid AS visit, visit.at_ms, visit.event_id, dose.chemical_id, dose.quantity_oz
      FROM service_events AS visit LEFT JOIN chemical_doses AS dose
        ON dose.team_id = visit.team_id AND dose.event_id = visit.event_id
      WHERE visit.team_id = ? AND visit.pool_id = ? AND visit.at_ms <= ? ORDER BY visit.at_ms DESC
      """)
    defer { statement.reset() }
    try statement.bind([.integer(team.number), .id(pool), .at(last)])
    var visits: [Visit] = []
    while try statement.step() {
      let (row, at) = (statement.integer("visit"), statement.instant("at_ms"))
      if visits.last?.row != row, visits.count < count || visits.last?.at == at {
        visits.append(Visit(row: row, id: try statement.id("event_id", table: "service_events"), at: at))
      }
      let isLast = visits.last?.row == row
      let isUse = isFirst && usedSince.map { at >= $0 } ?? false
      if let damage = statement.damage() { throw damage }
      guard isLast || isUse else { break }
      guard !statement.isNull("chemical_id") else { continue }
      let item: InventoryItemID = try statement.id("chemical_id", table: "chemical_doses")
      let ounces = statement.real("quantity_oz")
      if isUse, low.contains(item) { used[item, default: 0] += ounces }
      if isLast, let chlorine = chlorines.first(where: { $0.id == item }) {
        visits[visits.count - 1].chlorine.append(
          UsualDose(
            name: chlorine.name, ounces: ounces, isDry: ChemicalType.chlorine.isDry(percent: chlorine.concentration)))
      }
    }
    return visits
  }
}
