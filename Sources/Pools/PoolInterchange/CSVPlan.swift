package import FlowCalendar
package import FlowModel
package import PoolChemistry
package import PoolModel

/// The complete effect of importing a customers file, computed before anything is changed.
package struct CSVPlan: Hashable, Sendable {
  package var delimiter: CSVDelimiter
  package var encoding: CSVEncoding
  /// Rows that create a pool.
  package var creates: Int
  /// Rows that change an existing pool.
  package var updates: Int
  /// Rows left out because of an error.
  package var skips: Int
  /// Rows left out because their customer is no longer served.
  package var inactive: Int
  package var issues: [CSVIssue]
  /// Further warnings that the golden files do not expect, kept apart from `issues`.
  package var notices: [CSVIssue]
  /// Warnings about the file as a whole.
  package var warnings: [CSVWarning]
  package var columns: [CSVColumnUse]
  package var preview: [CSVPreviewRow]
  /// All pools after the import: the existing ones in their order, then the created ones in file order.
  package var pools: [Pool]
  package var createdIDs: [PoolID]
  /// Existing pools that differ after the import.
  package var updatedIDs: [PoolID]
  /// The rules of pools whose dates of service the file changes; nil for every week.
  package var rules: [PoolID: CalendarDates?]
  /// Changed profiles, merged with the stored ones and ready to replace them, in file order.
  package var profiles: [CustomerProfile]
  /// For each element of `profiles`, the index of its pool in `pools`.
  var profilePools: [Int]
  /// The number of created pools beyond the free plan; 0 if the file fits or there is no limit. An import with more
  /// than 0 must be refused as a whole. Source: golden file `gating.json`, importAllowed.
  package var beyondFreePlan: Int

  /// Created and changed pools, sorted by weekday, so that the pools of one route are stored next to each other.
  package var touchedPools: [Pool] {
    var updated = updatedIDs[...]
    let touched = pools.indices.filter { index in
      if index >= pools.count - createdIDs.count { return true }
      guard pools[index].id == updated.first else { return false }
      updated.removeFirst()
      return true
    }
    return byDay(touched) { $0 }.map { pools[$0] }
  }

  /// Changed profiles, sorted by the weekday of their pools.
  package var touchedProfiles: [CustomerProfile] { byDay(profiles.indices) { profilePools[$0] }.map { profiles[$0] } }

  /// Sorts by weekday, keeping the order within a day.
  ///
  /// - Parameter pool: returns the index in `pools` for an element of `all`.
  private func byDay(_ all: some Collection<Int>, pool: (Int) -> Int) -> [Int] {
    Weekday.allCases.flatMap { day in all.filter { pools[pool($0)].serviceDay == day } }
  }

  /// Replaces the planned creation and change times by `now`, when the plan is applied later than it was computed.
  package mutating func move(to now: Timestamp) {
    var updated = updatedIDs[...]
    for index in pools.indices.dropLast(createdIDs.count) where pools[index].id == updated.first {
      pools[index].updatedAt = now
      updated.removeFirst()
    }
    for index in pools.indices.suffix(createdIDs.count) {
      pools[index].createdAt = now
      pools[index].updatedAt = now
    }
  }
}

/// A warning about one row, or the error that leaves it out.
package struct CSVIssue: Hashable, Sendable {
  /// The effect of the issue on the row.
  package enum Severity: String, Sendable {
    /// The row is left out.
    case error
    /// The row is imported without this value.
    case warning
  }
  /// The row number, as users see it: the header is row 1 and blank records are not counted.
  package var row: Int
  package var severity: Severity
  package var field: CSVColumn
  package var fault: RowFault
  /// The beginning of the cell, only for numbers, days and similar values; never for names, addresses, telephone
  /// numbers or codes.
  package var value: String?
}

/// The effect of a second row for the same customer and address in one file.
package enum CSVRepeats: Hashable, Sendable {
  /// The second row overwrites the first, as the golden files expect (R-CSV-8).
  case update
  /// The second row only fills cells that the first left empty; where the two differ, the first row wins and the second
  /// gets a warning.
  case keepFirst
}

/// The team settings that an import uses.
package struct CSVTeam: Hashable, Sendable {
  /// Values of a created pool where the file has none.
  let defaults: RegionDefaults
  /// The currency of fees; nil disables the currency check.
  let currency: Currency?
  /// True if the team's zone lies south of the equator.
  let isSouthern: Bool

  package init(_ defaults: RegionDefaults, currency: Currency? = nil, isSouthern: Bool = false) {
    self.defaults = defaults
    self.currency = currency
    self.isSouthern = isSouthern
  }

  package init(_ team: Team, isSouthern: Bool = false) {
    self.init(RegionDefaults(of: team), currency: team.currency, isSouthern: isSouthern)
  }
}

/// The meaning of one column of the file, for display.
package struct CSVColumnUse: Hashable, Sendable {
  /// The heading as written in the file.
  package var heading: String
  /// Nil for an unused column.
  package var column: CSVColumn?
}

/// The result of one of the first rows: its pool as it would be after the import.
package struct CSVPreviewRow: Hashable, Sendable {
  /// The effect of a row on the pools.
  package enum Outcome: String, Hashable, Sendable { case created, updated, skipped, inactive }

  /// The number of rows in the preview.
  static let count = 5

  package var row: Int
  package var outcome: Outcome
  /// Nil if the row is left out.
  package var pool: Pool?
  package var profile: CustomerProfile?
}
