package import PoolChemistry
package import PoolModel

/// How far a refresh of the saturation indexes is, and what it found.
package struct RefreshProgress: Hashable, Sendable {
  /// The last row looked at.
  package fileprivate(set) var row: Int64 = 0
  package fileprivate(set) var pools = 0
  /// Whose index was not what the readings say.
  package fileprivate(set) var changed = 0
  /// Whose water is another than at the last look.
  package fileprivate(set) var crossed = 0
  package fileprivate(set) var isDone = false

  package init() {}
}

/// A pool whose water crossed a limit.
package struct WaterCrossing: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let at: Timestamp
  package let before: WaterCondition
  package let after: WaterCondition
  package let lsi: Double
}

/// What the refresh works with, block after block: its memory is used again.
package final class RefreshBlock {
  fileprivate let kernel = BalanceKernel()
  fileprivate var water = WaterColumns(capacity: Limits.refreshBlock)
  fileprivate var rows: [Row] = []
  fileprivate var lsi: [Double] = []

  fileprivate struct Row {
    let number: Int64
    let cached: Double?
    let condition: Int?
    let isStale: Bool
  }

  package init() {}
}

extension Store {
  /// Pools that a refresh would look at.
  package func poolsToRefresh(all: Bool) throws -> Int {
    try connection.first(
      all ? "SELECT count(*) FROM pools" : "SELECT count(*) FROM pools WHERE lsi_stale = 1"
    ) { row throws(StoreError) in row.number(0) } ?? 0
  }

  /// Looks at the next block of pools, computes their indexes and writes what changed, in one transaction.
  ///
  /// A block is small, so that other work of the store waits for one block at most; nothing can come between its reading
  /// and its writing.
  ///
  /// - Parameters:
  ///   - progress: what the call before returned, an empty one at first.
  ///   - all: every pool; without it those whose readings changed since the last look.
  package func refreshBlock(after progress: RefreshProgress, all: Bool, now: Timestamp) throws -> RefreshProgress {
    let block = refresh
    try connection.readWater(into: block, after: progress.row, all: all)
    var next = progress
    guard let last = block.rows.last else {
      next.isDone = true
      return next
    }
    block.lsi.removeAll(keepingCapacity: true)
    block.lsi.append(contentsOf: repeatElement(0, count: block.rows.count))
    block.kernel.lsi(of: block.water, into: &block.lsi)
    next.row = last.number
    next.pools += block.rows.count
    let touched = block.rows.indices.filter { index in
      let row = block.rows[index]
      return row.isStale || row.cached != block.lsi[index]
        || row.condition != WaterCondition(lsi: block.lsi[index]).side
    }
    guard !touched.isEmpty else { return next }
    try connection.transaction {
      for index in touched {
        let row = block.rows[index]
        let lsi = block.lsi[index]
        let side = WaterCondition(lsi: lsi).side
        try connection.run(
          "UPDATE pools SET cached_lsi = ?, water = ?, lsi_stale = 0 WHERE rowid = ?", .real(lsi), .integer(side),
          .integer(row.number))
        if row.cached != lsi { next.changed += 1 }
        guard let before = row.condition, before != side else { continue }
        next.crossed += 1
        try connection.run(
          """
          INSERT INTO water_crossings (team_id, pool_id, at_ms, before, after, lsi)
          SELECT team_id, pool_id, ?, ?, ?, ? FROM pools WHERE rowid = ?
          ON CONFLICT (team_id, pool_id, at_ms) DO UPDATE SET after = excluded.after, lsi = excluded.lsi
          """, .at(now), .integer(before), .integer(side), .real(lsi), .integer(row.number))
      }
      try connection.run(
        "DELETE FROM water_crossings WHERE at_ms < ?", .at(now.advanced(by: Limits.crossingsKept * -1)))
    }
    return next
  }

  /// The pools of a team that crossed a limit after `start`, the newest first.
  package func crossings(of team: TeamID, since start: Timestamp) throws -> [WaterCrossing] {
    try connection.rows(
      """
      SELECT crossing.pool_id, customer_name, at_ms, before, after, lsi FROM water_crossings AS crossing
      JOIN pools ON pools.team_id = crossing.team_id AND pools.pool_id = crossing.pool_id
      WHERE crossing.team_id = ? AND at_ms > ? ORDER BY at_ms DESC, customer_name, crossing.pool_id LIMIT ?
      """, .integer(team.number), .at(start), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      WaterCrossing(
        poolID: try row.id(0, table: "water_crossings", name: "pool_id"), customerName: row.text(1), at: row.instant(2),
        before: WaterCondition(side: row.number(3)), after: WaterCondition(side: row.number(4)), lsi: row.real(5))
    }
  }
}

extension WaterCondition {
  fileprivate init(side: Int) { self = side < 0 ? .corrosive : side > 0 ? .scaleForming : .balanced }

  /// As the store writes it: -1, 0 or 1.
  fileprivate var side: Int {
    switch self {
    case .corrosive: -1
    case .balanced: 0
    case .scaleForming: 1
    }
  }
}

extension Connection {
  fileprivate func readWater(into block: RefreshBlock, after row: Int64, all: Bool) throws(StoreError) {
    block.water.removeAll()
    block.rows.removeAll(keepingCapacity: true)
    let statement = try statement(all ? Self.allWater : Self.staleWater)
    try statement.bind([.integer(row), .integer(Limits.refreshBlock)])
    defer { statement.reset() }
    while try statement.step() {
      block.water.append(
        WaterReadings(
          pH: statement.real(1), waterTempF: statement.real(2), calciumHardness: statement.real(3),
          totalAlkalinity: statement.real(4), cyanuricAcid: statement.real(5),
          totalDissolvedSolids: statement.optionalReal(6)))
      block.rows.append(
        RefreshBlock.Row(
          number: statement.integer(0), cached: statement.optionalReal(7),
          condition: statement.optionalInteger(8).map { Int($0) }, isStale: statement.flag(9)))
    }
  }

  private static let waterColumns = """
    rowid, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid, total_dissolved_solids, cached_lsi, water,
    lsi_stale
    """
  private static let allWater = "SELECT \(waterColumns) FROM pools WHERE rowid > ? ORDER BY rowid LIMIT ?"
  private static let staleWater = """
    SELECT \(waterColumns) FROM pools INDEXED BY pools_lsi_stale WHERE lsi_stale = 1 AND rowid > ? ORDER BY rowid LIMIT ?
    """
}
