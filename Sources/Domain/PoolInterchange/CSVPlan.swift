package import PoolChemistry
package import PoolModel

/// What importing a customers file would do, worked out in full before anything is changed.
package struct CSVPlan: Hashable, Sendable {
  package var delimiter: CSVDelimiter
  package var encoding: CSVEncoding
  /// Rows that make a pool, that change one, and that are left out for an error.
  package var creates: Int
  package var updates: Int
  package var skips: Int
  /// Rows of customers who are not served any more, which are left out.
  package var inactive: Int
  package var issues: [CSVIssue]
  /// Further warnings, about what the golden files take without a word.
  package var notices: [CSVIssue]
  /// What is said of the file as a whole.
  package var remarks: [CSVRemark]
  package var columns: [CSVColumnUse]
  package var preview: [CSVPreviewRow]
  /// The pools after the import: the existing ones in their order, then the created ones in the order of the file.
  package var pools: [Pool]
  package var createdIDs: [PoolID]
  /// Existing pools that differ after the import.
  package var updatedIDs: [PoolID]
  /// The profiles that the file says something about, merged with what was known: to be written over the old ones. In the
  /// order of the file.
  package var profiles: [CustomerProfile]
  /// The place of each profile's pool among `pools`.
  var profilePools: [Int]
  /// How many pools there would be beyond the free plan; 0 where it fits or there is no limit. An import with more than 0
  /// must be refused as a whole. Source: golden file `gating.json`, importAllowed.
  package var beyondFreePlan: Int

  /// The pools that the file makes or changes, by day: put into a store like this, those of a route lie side by side.
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

  /// The profiles by their pools' day.
  package var touchedProfiles: [CustomerProfile] { byDay(profiles.indices) { profilePools[$0] }.map { profiles[$0] } }

  /// - Parameter pool: the place of each one's pool.
  private func byDay(_ all: some Collection<Int>, pool: (Int) -> Int) -> [Int] {
    Weekday.allCases.flatMap { day in all.filter { pools[pool($0)].serviceDay == day } }
  }

  /// Has the pools made and changed at this moment instead of the one that was planned for.
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

/// A warning about one row, or the reason why it is left out.
package struct CSVIssue: Hashable, Sendable {
  package enum Severity: String, Sendable {
    /// The row is left out.
    case error
    /// The row counts, without this value.
    case warning
  }
  /// Counts the header as row 1 and leaves blank records out.
  package var row: Int
  package var severity: Severity
  package var field: CSVColumn
  package var fault: RowFault
  /// The beginning of the cell, of numbers, days and the like; never of names, addresses, telephone numbers or codes.
  package var value: String?
}

/// What a second row of the same customer and address does in one file.
package enum CSVRepeats: Hashable, Sendable {
  /// It is written over the first, as the golden files have it (R-CSV-8).
  case update
  /// It fills what the first left empty; where it says something else, the first row's word stays, and it is named.
  case keepFirst
}

/// What an import asks of the team that a file is for.
package struct CSVTeam: Hashable, Sendable {
  /// What a created pool has where the file says nothing.
  let defaults: RegionDefaults
  /// Fees are in it; nil where that is not asked.
  let currency: Currency?

  package init(_ defaults: RegionDefaults, currency: Currency? = nil) {
    self.defaults = defaults
    self.currency = currency
  }

  package init(_ team: Team) { self.init(RegionDefaults(of: team), currency: team.currency) }
}

/// How one column of a file is used.
package struct CSVColumnUse: Hashable, Sendable {
  /// As the file has it.
  package var heading: String
  /// Nil for one that is not used.
  package var column: CSVColumn?
}

/// How one of the first rows is read: the pool as it would be afterwards.
package struct CSVPreviewRow: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable { case created, updated, skipped, inactive }

  /// How many rows are shown.
  static let count = 5

  package var row: Int
  package var outcome: Outcome
  /// Nil where the row is left out.
  package var pool: Pool?
  package var profile: CustomerProfile?
}
