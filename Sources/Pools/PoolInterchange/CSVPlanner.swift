import FlowCalendar
import FlowModel
import FoundationEssentials
import PoolChemistry
import PoolModel

/// Applies the rows of a table to the pools one by one, in file order, and builds the plan.
struct CSVPlanner {
  private let table: CSVTable
  private let team: CSVTeam
  private let now: Timestamp
  /// The date of the import, in the team's zone.
  private let today: CivilDate
  private let services: ServiceCalendar
  /// True if most pools of the team are south of the equator; if none has coordinates, its zone decides.
  private let isTeamSouthern: Bool
  private var rules: [PoolID: CalendarDates?] = [:]
  private let original: [Pool]
  private var pools: [Pool]
  private var lookup = PoolLookup()
  private var routes: CSVRouteOrders
  private var profiles: CSVProfiles
  private var repeated: CSVRepeatedRows
  private var result = Result()
  private var buffer = CSVRowBuffer()

  private struct PoolLookup {
    /// The index of the first pool with each key (name and address).
    var positions: [String: Int] = [:]
    /// The index of each pool by id; filled only if the file has a `pool_id` column.
    var ids: [PoolID: Int] = [:]
    /// The indices of existing pools whose ids occur in the file.
    var named: Set<Int> = []
  }

  /// What the rows read so far did and told.
  private struct Result {
    var (creates, updates, skips, inactive) = (0, 0, 0, 0)
    var issues: [CSVIssue] = []
    var notices: [CSVIssue] = []
    /// One warning for each new pool that is assigned to Monday because its row has no day.
    var daysMissing: [CSVIssue] = []
    var preview: [CSVPreviewRow] = []
    var (usesDecimalComma, hasNumericDays, hasForeignIDs) = (false, false, false)
    /// The first currency of a fee that is not the team's.
    var otherCurrency: String?
  }

  init(
    _ table: CSVTable, existing: [Pool], profiles: [CustomerProfile], services: ServiceCalendar, team: CSVTeam,
    repeats: CSVRepeats, now: Timestamp, today: CivilDate
  ) {
    self.table = table
    self.team = team
    repeated = CSVRepeatedRows(repeats, existing: existing.count, rows: table.rowCount)
    self.now = now
    self.services = services
    self.today = today
    let located = existing.filter(\.hasCoordinates)
    isTeamSouthern =
      located.isEmpty ? team.isSouthern : located.count { $0.latitude < 0 } * 2 > located.count
    original = existing
    pools = existing
    self.profiles = CSVProfiles(known: profiles, pools: existing.count + table.rowCount)
    routes = CSVRouteOrders(existing)
    pools.reserveCapacity(existing.count + table.rowCount)
    lookup.positions.reserveCapacity(existing.count + table.rowCount)
    for (index, pool) in existing.enumerated() {
      let key = buffer.key(Array(pool.customerName.utf8)[...], Array(pool.address.utf8)[...])
      if lookup.positions[key] == nil { lookup.positions[key] = index }
    }
    if table.layout.has(.poolID) { readIDs() }
  }

  private mutating func readIDs() {
    for (index, pool) in original.enumerated() { lookup.ids[pool.id] = index }
    for piece in table.pieces {
      for row in 0..<piece.rowCount {
        let id = PoolID(String(decoding: piece.content(row, .poolID), as: UTF8.self))
        if let index = id.flatMap({ lookup.ids[$0] }) { lookup.named.insert(index) }
      }
    }
  }

  /// Applies the next row of the file.
  ///
  /// - Parameter makeID: makes the id of the next pool created on a day.
  mutating func take(_ row: consuming CSVRow, makeID: (Weekday) -> UUID) {
    var outcome: (CSVPreviewRow.Outcome, index: Int?)
    if row.isInactive {
      result.inactive += 1
      outcome = (.inactive, nil)
    } else if let error = row.error {
      result.issues.append(error)
      result.skips += 1
      outcome = (.skipped, nil)
    } else {
      outcome = table.isOfProfiles ? applyProfile(&row) : apply(&row, makeID: makeID)
      if let record = row.record { note(record, hasFee: row.fee != nil) }
      if row.usesDecimalComma { result.usesDecimalComma = true }
      if row.hasNumericDay { result.hasNumericDays = true }
      if !row.issues.isEmpty { result.issues.append(contentsOf: row.issues) }
      if !row.notices.isEmpty { result.notices.append(contentsOf: row.notices) }
    }
    guard result.preview.count < CSVPreviewRow.count else { return }
    let pool = outcome.index.map { pools[$0] }
    result.preview.append(
      CSVPreviewRow(
        row: row.number, outcome: outcome.0, pool: pool,
        profile: outcome.index.map { profiles.profile(pools[$0].id, at: $0) }))
  }

  private mutating func note(_ record: CSVPoolRecord, hasFee: Bool) {
    if record.hasUnknownID { result.hasForeignIDs = true }
    guard hasFee, result.otherCurrency == nil, !record.currency.isEmpty, record.currency != team.currency?.rawValue
    else {
      return
    }
    result.otherCurrency = record.currency
  }

  private mutating func apply(
    _ row: inout CSVRow, makeID: (Weekday) -> UUID
  ) -> (CSVPreviewRow.Outcome, index: Int?) {
    let index = index(of: &row)
    guard index < pools.count else {
      if row.serviceDay == nil {
        result.daysMissing.append(CSVIssue(row: row.number, severity: .warning, field: .serviceDay, fault: .noDay))
      }
      let day = row.serviceDay ?? .monday
      repeated.take(row, at: index)
      create(row.record?.id ?? PoolID(makeID(day)), on: day, &row)
      setRule(index, &row)
      result.creates += 1
      return (.created, index)
    }
    let day = pools[index].serviceDay
    if repeated.isFirst(at: index) { updateRecord(index, &row) }
    repeated.compare(&row, with: pools[index], profiles.profile(pools[index].id, at: index), at: index)
    update(index, &row)
    setRule(index, &row, dayBefore: day)
    result.updates += 1
    return (.updated, index)
  }

  /// Sets the dates of service that the row's frequency names. An empty or unknown frequency changes nothing.
  ///
  /// - Parameter dayBefore: the weekday of an existing pool before the row; nil for a new pool.
  private mutating func setRule(_ index: Int, _ row: inout CSVRow, dayBefore: Weekday? = nil) {
    let pool = pools[index]
    let present = rules[pool.id] ?? services[pool.id]?.rule
    guard let frequency = row.frequency else {
      if let present, let dayBefore, dayBefore != pool.serviceDay, !present.weekdays.contains(pool.serviceDay) {
        row.note(.serviceDay, .ruleStays(present.description), value: pool.serviceDay.abbreviation)
      }
      return
    }
    let isSouthern = pool.hasCoordinates ? pool.latitude < 0 : isTeamSouthern
    switch frequency.rule(
      on: pool.serviceDay, days: row.serviceDays, present: present, today: today, isSouthern: isSouthern)
    {
    case .failure:
      row.note(.frequency, .otherFrequency, value: row.frequencyText)
      let notes = CSVNotes.merged(pool.notes, "Frequency: \(row.frequencyText)")
      if TextRule.notes.lengthFault(in: notes) == nil { pools[index].notes = notes }
    case .success(let rule):
      if let rule, !rule.weekdays.contains(pool.serviceDay), let day = rule.next(onOrAfter: today)?.weekday {
        routes.move(pool.routeOrder, from: pool.serviceDay, to: day, as: pool.routeOrder, among: pools)
        pools[index].serviceDay = day
        if row.serviceDay != nil { row.note(.serviceDay, .weekdayOfRule(day), value: pool.serviceDay.abbreviation) }
      }
      if let rule, row.serviceDays.count > 1, row.serviceDays.allSatisfy(rule.weekdays.contains) { row.keepAllDays() }
      guard rule != present else { return }
      rules[pool.id] = .some(rule)
      if let rule, rule.description != row.frequencyText {
        row.note(.frequency, .frequency(rule.description), value: row.frequencyText)
      }
    }
  }

  /// Applies a row of a profile list: it changes the profile of an existing pool and nothing else.
  private mutating func applyProfile(_ row: inout CSVRow) -> (CSVPreviewRow.Outcome, index: Int?) {
    let known =
      row.record?.id.flatMap { lookup.ids[$0] } ?? lookup.positions[row.key]
      ?? row.streetKey.flatMap { lookup.positions[$0] }
    guard let index = known else {
      result.issues.append(CSVIssue(row: row.number, severity: .error, field: .customerName, fault: .noSuchPool))
      result.skips += 1
      return (.skipped, nil)
    }
    repeated.compare(&row, with: pools[index], profiles.profile(pools[index].id, at: index), at: index)
    mergeProfile(&row, pool: pools[index].id, at: index)
    result.updates += 1
    return (.updated, index)
  }

  /// The plan after all rows.
  ///
  /// - Parameter freePlanRemaining: the number of pools that the free plan still allows, negative above the limit; nil
  ///   without a limit.
  func plan(freePlanRemaining: Int?) -> CSVPlan {
    var pools = pools
    var updated: [PoolID] = []
    for index in original.indices
    where pools[index] != original[index] || profiles.changesTechnician(of: pools[index].id, at: index) {
      pools[index].updatedAt = now
      updated.append(pools[index].id)
    }
    let (profiles, profilePools) = profiles.changed
    let hasDays = result.issues.contains { $0.field == .serviceDay } || result.daysMissing.count < result.creates
    return CSVPlan(
      delimiter: table.delimiter, encoding: table.encoding, creates: result.creates, updates: result.updates,
      skips: result.skips,
      inactive: result.inactive, issues: result.issues,
      notices: hasDays ? result.notices + result.daysMissing : result.notices,
      warnings: warnings(namesNoDay: !hasDays), columns: table.layout.uses, preview: result.preview, pools: pools,
      createdIDs: pools[original.count...].map(\.id), updatedIDs: updated, rules: rules, profiles: profiles,
      profilePools: profilePools, beyondFreePlan: freePlanRemaining.map { max(0, result.creates - $0) } ?? 0)
  }

  private func warnings(namesNoDay: Bool) -> [CSVWarning] {
    let layout = table.layout
    var warnings: [CSVWarning] = []
    let unused = unusedColumns
    if !unused.isEmpty { warnings.append(.unusedColumns(unused)) }
    if namesNoDay, !result.daysMissing.isEmpty { warnings.append(.noDayColumn(result.daysMissing.count)) }
    if result.inactive > 0 { warnings.append(.inactiveRows(result.inactive)) }
    if table.units == .metric, layout.has(.poolVolume), layout.volumeUnit == nil {
      warnings.append(layout.isOwnExport ? .volumesInGallons : .volumesInLitres)
    }
    if result.usesDecimalComma { warnings.append(.decimalComma) }
    if let other = result.otherCurrency, let own = team.currency { warnings.append(.otherCurrency(other, team: own)) }
    if result.hasNumericDays { warnings.append(.numericDays) }
    return warnings
  }

  private var unusedColumns: [String] {
    let layout = table.layout
    let isUnused = layout.meanings.map { column in
      guard let column else { return true }
      if table.isOfProfiles { return !column.isOfProfile }
      // Ids of another program are ignored, so their column counts as unused.
      return column == .poolID && result.hasForeignIDs
    }
    return CSVHeader.unused(layout.headings, where: isUnused)
  }

  // MARK: One row

  /// The index of the row's pool. For a row without an existing pool it is the index of the next new pool, and the
  /// row's key is registered for it.
  private mutating func index(of row: inout CSVRow) -> Int {
    if let id = row.record?.id { return index(of: id, key: row.key) }
    if let street = row.streetKey, lookup.positions[row.key] == nil, let known = lookup.positions[street],
      known < original.count,
      repeated.isFirst(at: known)
    {
      // An earlier import stored the street alone; complete the address of that pool.
      lookup.positions[street] = nil
      lookup.positions[row.key] = known
      pools[known].address = row.address
      row.note(.address, .completesAddress)
      return known
    }
    let index = index(of: row.key)
    guard index < pools.count, let name = repeated.separatePoolName(row, at: index) else { return index }
    row.rename(name, buffer: &buffer)
    row.note(.bodyOfWater, .anotherBody(row: repeated.row(at: index)), value: row.bodyOfWater)
    return self.index(of: row.key)
  }

  /// The pool of a row with a poolflow id: the pool with that id; else the existing pool with the same name and address
  /// that no other row refers to; else a new pool, because a team may have several pools with one name and address.
  private mutating func index(of id: PoolID, key: String) -> Int {
    if let known = lookup.ids[id] { return known }
    let sameKey = lookup.positions[key]
    let index =
      sameKey.flatMap { $0 < original.count && !lookup.named.contains($0) && repeated.isFirst(at: $0) ? $0 : nil }
      ?? pools.count
    if sameKey == nil { lookup.positions[key] = index }
    lookup.ids[id] = index
    return index
  }

  private mutating func index(of key: String) -> Int {
    // Reading and writing through one `inout` access hashes the key only once.
    func read(at position: inout Int) -> Int { position }
    return read(at: &lookup.positions[key, default: pools.count])
  }

  private mutating func create(_ id: PoolID, on day: Weekday, _ row: inout CSVRow) {
    let position = row.position ?? (latitude: 0, longitude: 0)
    let readings = row.record?.readings(over: team.defaults.readings) ?? team.defaults.readings
    let order = routes.add(row.record?.routeOrder, on: day)
    pools.append(
      Pool(
        id: id, customerName: row.customerName, address: row.address,
        notes: mergedNotes("", &row, pool: id, at: pools.count), latitude: position.latitude,
        longitude: position.longitude,
        volumeGallons: row.volume ?? team.defaults.volumeGallons,
        monthlyServiceFee: row.fee ?? team.defaults.monthlyServiceFee, serviceDay: day, routeOrder: order,
        readings: readings, cachedLSI: row.record?.hasReadings == true ? LSIResult(readings).lsiValue : nil,
        createdAt: now, updatedAt: now))
  }

  /// Applies the columns that only poolflow's export has. An existing pool keeps its readings: they come from visits,
  /// which may be newer than the file.
  private mutating func updateRecord(_ index: Int, _ row: inout CSVRow) {
    guard let record = row.record else { return }
    var pool = pools[index]
    if record.id == pool.id { (pool.customerName, pool.address) = (row.customerName, row.address) }
    if let order = record.routeOrder, order != pool.routeOrder {
      routes.move(pool.routeOrder, from: pool.serviceDay, to: pool.serviceDay, as: order, among: pools)
      pool.routeOrder = order
    }
    if let solids = record.dissolvedSolids, solids != pool.readings.totalDissolvedSolids {
      pool.readings.totalDissolvedSolids = solids
      pool.cachedLSI = LSIResult(pool.readings).lsiValue
    }
    if let reading = record.firstDifference(from: pool.readings) { row.note(reading, .readingsStay) }
    pools[index] = pool
  }

  /// Updates a pool with the row's values. Empty cells change nothing. The route order stays, also on another day
  /// (R-CSV-13).
  private mutating func update(_ index: Int, _ row: inout CSVRow) {
    var pool = pools[index]
    if let day = row.serviceDay, day != pool.serviceDay, !row.serviceDays.contains(pool.serviceDay) {
      routes.move(pool.routeOrder, from: pool.serviceDay, to: day, as: pool.routeOrder, among: pools)
      pool.serviceDay = day
    }
    if let fee = row.fee { pool.monthlyServiceFee = fee }
    if let volume = row.volume { pool.volumeGallons = volume }
    if let position = row.position { (pool.latitude, pool.longitude) = position }
    pool.notes = mergedNotes(pool.notes, &row, pool: pool.id, at: index)
    pools[index] = pool
  }

  /// The pool's notes with those of the row added. If the result is longer than allowed, the old notes stay and the row
  /// gets a warning.
  private mutating func mergedNotes(_ notes: String, _ row: inout CSVRow, pool: PoolID, at position: Int) -> String {
    mergeProfile(&row, pool: pool, at: position)
    let merged = CSVNotes.merged(notes, row.notes)
    guard TextRule.notes.lengthFault(in: merged) != nil else { return merged }
    row.warn(.notes, .tooLongTogether(.notes))
    return notes
  }

  private mutating func mergeProfile(_ row: inout CSVRow, pool: PoolID, at position: Int) {
    let profile = profiles.merged(pool, at: position, row)
    if TextRule.tags.lengthFault(in: profile.tagsCSV) != nil {
      row.warn(.tags, .tooLongTogether(.tags))
    } else {
      profiles.set(profile, at: position)
    }
  }
}
