package import FlowModel
import FlowNotices
package import FlowStore
import PoolChemistry
package import PoolDigests
import PoolModel

/// Progress and results of a refresh of the saturation indexes.
package struct RefreshProgress: Hashable, Sendable {
  /// `rowid` of the last pool processed.
  package fileprivate(set) var row: Int64
  package fileprivate(set) var pools = 0
  /// Pools whose stored index differed from the computed one.
  package fileprivate(set) var changed = 0
  /// Pools whose water crossed a limit since the last refresh.
  package fileprivate(set) var crossed = 0
  /// Teams with pools whose index cannot be computed from their readings: the number of such pools and the id of one. These
  /// pools keep their index and are processed again every night.
  package var troubles: [TeamID: (pools: Int, example: String)] {
    troubled.mapValues { ($0.pools, $0.example) }
  }
  fileprivate var troubled: [TeamID: FailedPools] = [:]
  /// True when every pool is processed and every result written.
  package fileprivate(set) var isDone = false
  /// Results that are not written yet; one commit takes the results of many blocks.
  fileprivate var pending: [Finding] = []
  /// Estimated number of pages written to the log since the last checkpoint.
  fileprivate var pagesInLog = 0

  /// True if no result waits for a commit.
  package var isWritten: Bool { pending.isEmpty }

  /// A result to write, with the readings that the index was computed from.
  fileprivate struct Finding: Hashable, Sendable {
    let row: Int64
    let readings: WaterReadings
    let lsi: Double
    let isNew: Bool
    let before: Int?
  }

  /// A team's pools without a computable index: their number and the id of one.
  fileprivate struct FailedPools: Hashable, Sendable {
    var pools: Int
    let example: String
  }

  /// - Parameter row: `rowid` after which to continue; 0 to begin.
  package init(after row: Int64 = 0) { self.row = row }
}

/// Buffers of the refresh, reused for every block.
final class RefreshBlock {
  fileprivate let kernel = BalanceKernel()
  fileprivate var water = WaterColumns(capacity: Limits.refreshBlockPools)
  fileprivate var rows: [Row] = []
  fileprivate var lsi: [Double] = []
  /// `rowid` of the last pool read; nil at the end.
  fileprivate var lastRow: Int64?
  /// `rowid`s of pools with unusable readings.
  fileprivate var damaged: [Int64] = []
  /// The teams whose index is corrected by the pH.
  fileprivate var correctedTeams: Set<Int64> = []

  /// A pool's row, without its readings.
  fileprivate struct Row {
    let number: Int64
    /// NaN if no index is stored: it differs from every index.
    let cached: Double
    let condition: Int?
    let isStale: Bool
    let hasSolids: Bool
    let isCorrected: Bool
  }

  /// Computes the index of each row by the method of its team.
  fileprivate func computeIndexes() {
    lsi.removeAll(keepingCapacity: true)
    lsi.append(contentsOf: repeatElement(0, count: rows.count))
    kernel.lsi(of: water, into: &lsi)
    guard !correctedTeams.isEmpty else { return }
    for index in rows.indices where rows[index].isCorrected {
      lsi[index] = LSIResult(water.readings(at: index), by: .phCorrected).lsiValue
    }
  }
}

extension Store {
  package func poolsToRefresh(all: Bool) throws -> Int {
    try connection.first(
      all ? "SELECT count(*) FROM pools" : "SELECT count(*) FROM pools WHERE lsi_stale = 1"
    ) { row throws(StoreError) in row.number(0) } ?? 0
  }

  package func refreshBlockPools(after progress: RefreshProgress, all: Bool, now: Timestamp) throws -> RefreshProgress {
    let block = buffers.buffer { RefreshBlock() }
    var next = progress
    // One step per call (a checkpoint, a commit or a block of pools), so that other work of the store waits for no more than
    // that.
    if next.pagesInLog >= Limits.refreshCheckpointPages {
      try connection.checkpoint("PASSIVE")
      next.pagesInLog = 0
      return next
    }
    if next.pending.count >= Limits.refreshCommitPages {
      try write(&next, now: now)
      return next
    }
    try connection.readWater(into: block, after: progress.row, all: all)
    block.computeIndexes()
    next.note(block)
    for row in block.damaged { try connection.noteTroubled(row, in: &next) }
    if block.lastRow == nil { try write(&next, now: now) }
    if block.lastRow == nil, next.pending.isEmpty {
      try connection.run(
        "DELETE FROM water_crossings WHERE at_ms < ?",
        .at(try deletionTime(now: now).advanced(by: Limits.waterChangesRetention * -1)))
      next.isDone = true
    }
    return next
  }

  package func finishRefresh(_ progress: RefreshProgress, now: Timestamp) throws -> RefreshProgress {
    var next = progress
    try write(&next, now: now)
    return next
  }

  /// Writes as many pending results as fit in one commit.
  private func write(_ progress: inout RefreshProgress, now: Timestamp) throws {
    guard !progress.pending.isEmpty else { return }
    let (findings, pages) = progress.nextCommit()
    let written = try connection.transaction {
      var changed = 0
      var crossed = 0
      for finding in findings where try connection.setWater(of: finding) {
        if finding.isNew { changed += 1 }
        guard let before = finding.before, before != WaterCondition(lsi: finding.lsi).side else { continue }
        crossed += 1
        try connection.insertCrossing(finding, before: before, now: now)
      }
      return (changed: changed, crossed: crossed)
    }
    progress.changed += written.changed
    progress.crossed += written.crossed
    progress.pending.removeFirst(findings.count)
    progress.pagesInLog += pages
  }

  package func lastRefresh() throws -> Timestamp? {
    try connection.first("SELECT refreshed_ms FROM store") { row throws(StoreError) in row.optionalInstant(0) } ?? nil
  }

  package func noteRefresh(at now: Timestamp) throws {
    try connection.run("UPDATE store SET refreshed_ms = ?", .at(now))
  }

  package func crossings(of team: TeamID, since start: Timestamp) throws -> [WaterChange] {
    try connection.crossings(of: team, since: start)
  }
}

extension Connection {
  /// The pools of a team that crossed a limit after `start`, newest first.
  func crossings(of team: TeamID, since start: Timestamp) throws(StoreError) -> [WaterChange] {
    try rows(
      """
      SELECT crossing.pool_id, customer_name, at_ms, before, after, lsi FROM water_crossings AS crossing
      JOIN pools ON pools.team_id = crossing.team_id AND pools.pool_id = crossing.pool_id
      WHERE crossing.team_id = ? AND at_ms > ? ORDER BY at_ms DESC, customer_name, crossing.pool_id LIMIT ?
      """, .integer(team.number), .at(start), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      WaterChange(
        poolID: try row.id("pool_id", table: "water_crossings"), customerName: row.text("customer_name"),
        at: row.instant("at_ms"),
        before: WaterCondition(side: row.number("before")), after: WaterCondition(side: row.number("after")),
        lsi: row.real("lsi"))
    }
  }
}

extension RefreshProgress {
  /// The results for one commit: limited to a number of pages for scattered rows, and to a number of rows for adjacent ones.
  fileprivate func nextCommit() -> (findings: ArraySlice<Finding>, pages: Int) {
    var pages = 0
    var last: Int64 = -1
    for (index, finding) in pending.prefix(Limits.refreshCommitRows).enumerated() {
      let page = finding.row / Self.rowsPerPage
      guard page != last else { continue }
      if pages == Limits.refreshCommitPages { return (pending[..<index], pages) }
      pages += 1
      last = page
    }
    return (pending.prefix(Limits.refreshCommitRows), pages)
  }

  /// A pool with address and notes takes about 400 bytes of a page of 4 kB.
  private static let rowsPerPage: Int64 = 10

  /// Adds the results of a block.
  fileprivate mutating func note(_ block: RefreshBlock) {
    guard let last = block.lastRow else { return }
    row = last
    pools += block.rows.count
    let water = block.water
    for index in block.rows.indices {
      let row = block.rows[index]
      let lsi = block.lsi[index]
      // Readings that are valid numbers can still yield an impossible index.
      guard lsi.magnitude <= Limits.largestStoredNumber else {
        block.damaged.append(row.number)
        continue
      }
      guard row.isStale || row.cached != lsi || row.condition != WaterCondition(lsi: lsi).side else { continue }
      var readings = water.readings(at: index)
      if !row.hasSolids { readings.totalDissolvedSolids = nil }
      pending.append(
        Finding(row: row.number, readings: readings, lsi: lsi, isNew: row.cached != lsi, before: row.condition))
    }
  }
}

extension WaterCondition {
  fileprivate init(side: Int) { self = side < 0 ? .corrosive : side > 0 ? .scaleForming : .balanced }

  /// The stored form: -1, 0 or 1.
  fileprivate var side: Int {
    switch self {
    case .corrosive: -1
    case .balanced: 0
    case .scaleForming: 1
    }
  }
}

extension Connection {
  /// Reads the next block of pools into the buffers.
  fileprivate func readWater(into block: RefreshBlock, after row: Int64, all: Bool) throws(StoreError) {
    // Swift checks exclusive access to a class's property at each use, to a local variable not; so the buffers are moved out
    // while they are filled.
    var water = WaterColumns()
    var rows: [RefreshBlock.Row] = []
    swap(&water, &block.water)
    swap(&rows, &block.rows)
    defer {
      swap(&water, &block.water)
      swap(&rows, &block.rows)
    }
    water.removeAll()
    rows.removeAll(keepingCapacity: true)
    block.damaged.removeAll()
    block.lastRow = nil
    block.correctedTeams = Set(
      try self.rows("SELECT team_id FROM teams WHERE lsi_method = 'ph-corrected'") { row throws(StoreError) in
        row.integer(0)
      })
    let statement = try statement(all ? Self.allWater : Self.staleWater)
    defer { statement.reset() }
    try statement.bind([.integer(row), .integer(Limits.refreshBlockPools)])
    while try statement.step() {
      let solids = statement.optionalReal("total_dissolved_solids")
      let readings = statement.readings(dissolvedSolids: solids)
      let condition = statement.isNull("water_condition") ? nil : statement.number("water_condition")
      let number = statement.integer("rowid")
      block.lastRow = number
      // Damaged numbers of one pool must not stop the refresh of all others.
      guard statement.damage() == nil else {
        block.damaged.append(number)
        continue
      }
      let cached = statement.optionalReal("cached_lsi") ?? .nan
      // A damaged index is computed again like any other.
      let isNonsense = statement.damage() != nil
      water.append(readings)
      rows.append(
        RefreshBlock.Row(
          number: number, cached: isNonsense ? .nan : cached, condition: condition,
          isStale: statement.flag("lsi_stale"), hasSolids: solids != nil,
          isCorrected: !block.correctedTeams.isEmpty && block.correctedTeams.contains(statement.integer("team_id"))))
    }
  }

  /// Makes the refresh compute the index of a team's pools again, after its method has changed. Water that only the method
  /// moves across a limit is not reported.
  package func forgetIndexes(of team: TeamID) throws(StoreError) {
    try run("UPDATE pools SET lsi_stale = 1, water_condition = NULL WHERE team_id = ?", .integer(team.number))
  }

  /// The method of a team's saturation index.
  func lsiMethod(of team: TeamID) throws(StoreError) -> LSIMethod {
    try first("SELECT lsi_method FROM teams WHERE team_id = ?", .integer(team.number)) { row throws(StoreError) in
      try row.word("lsi_method", table: "teams")
    } ?? .app
  }

  /// Counts a pool whose index cannot be computed.
  fileprivate func noteTroubled(_ row: Int64, in progress: inout RefreshProgress) throws(StoreError) {
    let found = try first("SELECT team_id, pool_id FROM pools WHERE rowid = ?", .integer(row)) {
      row throws(StoreError) in (TeamID(row.integer(0)), row.text(1))
    }
    guard let (team, pool) = found else { return }
    progress.troubled[team, default: .init(pools: 0, example: pool)].pools += 1
  }

  /// Writes a result if the row still has the readings it was computed from.
  /// - Returns: false if the readings have changed; the next refresh processes the pool again.
  fileprivate func setWater(of finding: RefreshProgress.Finding) throws(StoreError) -> Bool {
    let water = finding.readings
    return try run(
      """
      UPDATE pools SET cached_lsi = ?, water_condition = ?, lsi_stale = 0
      WHERE rowid = ? AND ph = ? AND water_temp_f = ? AND calcium_hardness = ? AND total_alkalinity = ?
        AND cyanuric_acid = ? AND total_dissolved_solids IS ?
      """, .real(finding.lsi), .integer(WaterCondition(lsi: finding.lsi).side), .integer(finding.row),
      .real(water.pH), .real(water.waterTempF), .real(water.calciumHardness), .real(water.totalAlkalinity),
      .real(water.cyanuricAcid), .optional(water.totalDissolvedSolids)) == 1
  }

  /// Records that a pool's water crossed a limit.
  fileprivate func insertCrossing(
    _ finding: RefreshProgress.Finding, before: Int, now: Timestamp
  ) throws(StoreError) {
    try run(
      """
      INSERT INTO water_crossings (team_id, pool_id, at_ms, before, after, lsi)
      SELECT team_id, pool_id, ?, ?, water_condition, cached_lsi FROM pools WHERE rowid = ? AND lsi_stale = 0
      ON CONFLICT (team_id, pool_id, at_ms) DO UPDATE SET after = excluded.after, lsi = excluded.lsi
      """, .at(now), .integer(before), .integer(finding.row))
  }

  private static let waterColumns = """
    rowid, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid, total_dissolved_solids, cached_lsi,
    water_condition, lsi_stale, team_id
    """
  private static let allWater = "SELECT \(waterColumns) FROM pools WHERE rowid > ? ORDER BY rowid LIMIT ?"
  private static let staleWater = """
    SELECT \(waterColumns) FROM pools INDEXED BY pools_lsi_stale WHERE lsi_stale = 1 AND rowid > ? ORDER BY rowid LIMIT ?
    """
}
