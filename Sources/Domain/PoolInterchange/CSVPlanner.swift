import FoundationEssentials
import PoolModel

/// Applies the rows one after the other, in the order of the file.
struct CSVPlanner {
  private let table: CSVTable
  private let defaults: NewPoolDefaults
  private let now: Timestamp
  private let original: [Pool]
  private var pools: [Pool]
  /// The first pool of each name and address.
  private var places: [String: Int] = [:]
  private var routes: RouteEnds
  private var profiles: CSVProfiles
  private var repeated: CSVRepeatedRows
  private var issues: [CSVIssue] = []
  private var notices: [CSVIssue] = []
  /// One for each new pool that is put on Monday because its row names no day.
  private var daysMissing: [CSVIssue] = []
  private var preview: [CSVPreviewRow] = []
  private var (creates, updates, skips, inactive) = (0, 0, 0, 0)
  private var (usesDecimalComma, hasNumericDays) = (false, false)
  private var room = CSVRoom()

  init(
    _ table: CSVTable, existing: [Pool], profiles: [CustomerProfile], defaults: NewPoolDefaults, repeats: CSVRepeats,
    now: Timestamp
  ) {
    self.table = table
    self.defaults = defaults
    repeated = CSVRepeatedRows(repeats, existing: existing.count, rows: table.rowCount)
    self.now = now
    original = existing
    pools = existing
    self.profiles = CSVProfiles(known: profiles, pools: existing.count + table.rowCount)
    routes = RouteEnds(existing)
    pools.reserveCapacity(existing.count + table.rowCount)
    places.reserveCapacity(existing.count + table.rowCount)
    for (index, pool) in existing.enumerated() {
      let key = room.key(Array(pool.customerName.utf8)[...], Array(pool.address.utf8)[...])
      if places[key] == nil { places[key] = index }
    }
  }

  mutating func take(_ row: consuming CSVRow, makeID: (Weekday) -> UUID) {
    var outcome: (CSVPreviewRow.Outcome, index: Int?)
    if row.isInactive {
      inactive += 1
      outcome = (.inactive, nil)
    } else if let error = row.error {
      issues.append(error)
      skips += 1
      outcome = (.skipped, nil)
    } else {
      outcome = apply(&row, makeID: makeID)
      if row.usesDecimalComma { usesDecimalComma = true }
      if row.hasNumericDay { hasNumericDays = true }
      issues.append(contentsOf: row.issues)
      notices.append(contentsOf: row.notices)
    }
    guard preview.count < CSVPreviewRow.count else { return }
    let pool = outcome.index.map { pools[$0] }
    preview.append(
      CSVPreviewRow(
        row: row.number, outcome: outcome.0, pool: pool,
        profile: outcome.index.map { profiles.profile(pools[$0].id, at: $0) }))
  }

  private mutating func apply(
    _ row: inout CSVRow, makeID: (Weekday) -> UUID
  ) -> (CSVPreviewRow.Outcome, index: Int?) {
    let index = index(of: &row)
    guard index < pools.count else {
      if row.serviceDay == nil {
        daysMissing.append(CSVIssue(row: row.number, severity: .warning, field: .serviceDay, fault: .noDay))
      }
      let day = row.serviceDay ?? .monday
      repeated.take(row, at: index)
      create(PoolID(makeID(day)), on: day, &row)
      creates += 1
      return (.created, index)
    }
    repeated.compare(&row, with: pools[index], profiles.profile(pools[index].id, at: index), at: index)
    update(index, &row)
    updates += 1
    return (.updated, index)
  }

  func plan(freePlanRemaining: Int?) -> CSVPlan {
    var pools = pools
    var updated: [PoolID] = []
    for index in original.indices where pools[index] != original[index] {
      pools[index].updatedAt = now
      updated.append(pools[index].id)
    }
    let (profiles, profilePools) = profiles.changed
    let hasDays = issues.contains { $0.field == .serviceDay } || daysMissing.count < creates
    return CSVPlan(
      delimiter: table.delimiter, encoding: table.encoding, creates: creates, updates: updates, skips: skips,
      inactive: inactive, issues: issues, notices: hasDays ? notices + daysMissing : notices,
      remarks: remarks(namesNoDay: !hasDays), columns: table.layout.uses, preview: preview, pools: pools,
      createdIDs: pools[original.count...].map(\.id), updatedIDs: updated, profiles: profiles,
      profilePools: profilePools, beyondFreePlan: freePlanRemaining.map { max(0, creates - $0) } ?? 0)
  }

  private func remarks(namesNoDay: Bool) -> [CSVRemark] {
    let layout = table.layout
    var remarks: [CSVRemark] = []
    if !layout.unused.isEmpty { remarks.append(.unusedColumns(layout.unused)) }
    if namesNoDay, !daysMissing.isEmpty { remarks.append(.noDayColumn(daysMissing.count)) }
    if inactive > 0 { remarks.append(.inactiveRows(inactive)) }
    if table.units == .metric, layout.has(.poolVolume), layout.volumeUnit == nil {
      remarks.append(layout.isOwnExport ? .volumesInGallons : .volumesInLitres)
    }
    if usesDecimalComma { remarks.append(.decimalComma) }
    if hasNumericDays { remarks.append(.numericDays) }
    return remarks
  }

  // MARK: One row

  /// The index of the row's pool; that of the next new one where there is none, which has the key from now on.
  private mutating func index(of row: inout CSVRow) -> Int {
    if let street = row.streetKey, places[row.key] == nil, let known = places[street], known < original.count,
      repeated.isFirst(at: known)
    {
      // An earlier import had the street alone.
      places[street] = nil
      places[row.key] = known
      pools[known].address = row.address
      row.note(.address, .completesAddress)
      return known
    }
    let index = index(of: row.key)
    guard index < pools.count, let name = repeated.otherBody(row, at: index) else { return index }
    row.rename(name, room: &room)
    row.note(.bodyOfWater, .anotherBody(row: repeated.row(at: index)), value: row.bodyOfWater)
    return self.index(of: row.key)
  }

  private mutating func index(of key: String) -> Int {
    // A look and a change in one, for which the key is hashed once.
    func looked(at place: inout Int) -> Int { place }
    return looked(at: &places[key, default: pools.count])
  }

  private mutating func create(_ id: PoolID, on day: Weekday, _ row: inout CSVRow) {
    let place = row.place ?? (latitude: 0, longitude: 0)
    pools.append(
      Pool(
        id: id, customerName: row.customerName, address: row.address,
        notes: mergedNotes("", &row, pool: id, at: pools.count), latitude: place.latitude, longitude: place.longitude,
        volumeGallons: row.volume ?? defaults.volumeGallons, monthlyServiceFee: row.fee ?? defaults.monthlyServiceFee,
        serviceDay: day, routeOrder: routes.append(day), readings: defaults.readings, cachedLSI: nil, createdAt: now,
        updatedAt: now))
  }

  /// What the row does not say stays; the route order stays too, on another day as well (R-CSV-13).
  private mutating func update(_ index: Int, _ row: inout CSVRow) {
    var pool = pools[index]
    if let day = row.serviceDay, day != pool.serviceDay, !row.serviceDays.contains(pool.serviceDay) {
      routes.move(pool.routeOrder, from: pool.serviceDay, to: day, among: pools)
      pool.serviceDay = day
    }
    if let fee = row.fee { pool.monthlyServiceFee = fee }
    if let volume = row.volume { pool.volumeGallons = volume }
    if let place = row.place { (pool.latitude, pool.longitude) = place }
    pool.notes = mergedNotes(pool.notes, &row, pool: pool.id, at: index)
    pools[index] = pool
  }

  /// Notes beyond what a pool may hold stay as they were, with a warning.
  private mutating func mergedNotes(_ notes: String, _ row: inout CSVRow, pool: PoolID, at place: Int) -> String {
    let profile = profiles.merged(pool, at: place, row)
    if TextRule.tags.lengthFault(in: profile.tagsCSV) != nil {
      row.warn(.tags, .tooLongTogether(.tags))
    } else {
      profiles.set(profile, at: place)
    }
    let merged = CSVNotes.merged(notes, row.notes)
    guard TextRule.notes.lengthFault(in: merged) != nil else { return merged }
    row.warn(.notes, .tooLongTogether(.notes))
    return notes
  }
}

/// The highest route order of each day, while pools come and move.
private struct RouteEnds {
  /// Sunday first; nil for a day without pools.
  private var highest: [Int?] = Array(repeating: nil, count: 7)
  /// Of each day how many pools have each order; counted when the first pool moves, which few files have one do.
  private var counts: [[Int: Int]]?

  init(_ pools: [Pool]) {
    for pool in pools { raise(pool.serviceDay.rawValue - 1, to: pool.routeOrder) }
  }

  /// The route order of a new pool: one more than the highest of the day, 0 on an empty day (R-CSV-13).
  mutating func append(_ day: Weekday) -> Int {
    let place = day.rawValue - 1
    let order = highest[place].map { $0 + 1 } ?? 0
    highest[place] = order
    counts?[place][order] = 1
    return order
  }

  /// - Parameter pools: all of them, as they are before the move.
  mutating func move(_ order: Int, from old: Weekday, to new: Weekday, among pools: [Pool]) {
    var counts = self.counts ?? Self.counts(pools)
    self.counts = nil
    let (from, to) = (old.rawValue - 1, new.rawValue - 1)
    let left = (counts[from][order] ?? 0) - 1
    counts[from][order] = left > 0 ? left : nil
    if left <= 0, highest[from] == order { highest[from] = counts[from].keys.max() }
    counts[to][order, default: 0] += 1
    raise(to, to: order)
    self.counts = counts
  }

  private static func counts(_ pools: [Pool]) -> [[Int: Int]] {
    var counts: [[Int: Int]] = Array(repeating: [:], count: 7)
    for pool in pools { counts[pool.serviceDay.rawValue - 1][pool.routeOrder, default: 0] += 1 }
    return counts
  }

  private mutating func raise(_ place: Int, to order: Int) { highest[place] = max(highest[place] ?? order, order) }
}
