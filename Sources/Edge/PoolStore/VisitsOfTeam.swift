import PoolChemistry
import PoolDigests
import PoolModel

/// What the last visits of a pool tell.
struct PoolPast {
  var lastVisit: Timestamp?
  /// The newest visit at which anything was measured: that one, or one before it.
  var measured: ServiceEvent?
  /// By name, the median of the last visits.
  var usualChlorine: [UsualDose] = []
}

/// What visits tell of a team's pools: each pool's are read once for all questions, by index, newest first, and no further
/// back than one of them asks.
struct VisitsOfTeam {
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
  private var looked: Set<PoolID> = []

  /// - Parameters:
  ///   - stock: all of the team's: what is a chlorine, and what is low.
  ///   - usedSince: the use of what is low is counted from then on; nil for none.
  ///   - last: visits that are dated later are passed over.
  init(team: TeamID, stock: [InventoryItem], usedSince: Timestamp?, until last: Timestamp, connection: Connection) {
    self.last = last
    self.team = team
    self.connection = connection
    chlorines = stock.filter { $0.chemicalType == ChemicalType.chlorine.rawValue }
    low = usedSince == nil ? [] : stock.filter(\.isLowStock).map(\.id)
    self.usedSince = low.isEmpty ? nil : usedSince
  }

  mutating func past(of pool: PoolID) throws(StoreError) -> PoolPast {
    var visits = try look(at: pool, chlorines.isEmpty ? 1 : StopCare.visitsOfMedian)
    // Of one instant the lesser identity is the newer, and those that come too late by it are none of the last.
    visits.sort { ($1.at, $0.id) < ($0.at, $1.id) }
    guard let newest = visits.first else { return PoolPast() }
    let visit = try connection.first(
      "SELECT \(Connection.visitColumns) FROM service_events AS visit WHERE visit.rowid = ?", .integer(newest.row)
    ) { row throws(StoreError) in try Connection.visit(row) }
    let measured =
      visit?.measured.isEmpty == false ? visit : try connection.lastMeasured(at: pool, team: team, until: newest.at)
    return PoolPast(
      lastVisit: newest.at, measured: measured,
      usualChlorine: UsualDose.medians(visits.prefix(StopCare.visitsOfMedian).map(\.chlorine)))
  }

  /// Ounces of each low item that the visits of all pools have poured since then.
  mutating func use() throws(StoreError) -> [InventoryItemID: Double] {
    guard usedSince != nil else { return [:] }
    let pools = try connection.rows("SELECT pool_id FROM pools WHERE team_id = ?", .integer(team.number)) {
      row throws(StoreError) in try row.id(0, table: "pools", name: "pool_id") as PoolID
    }
    for pool in pools where !looked.contains(pool) { _ = try look(at: pool, 0) }
    return used
  }

  /// - Returns: the last `count` visits, newest first, and those that are as old as the last of them.
  private mutating func look(at pool: PoolID, _ count: Int) throws(StoreError) -> [Visit] {
    let isFirst = looked.insert(pool).inserted
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
