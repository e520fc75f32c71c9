import PoolInterchange

/// The kind of a stable's CSV file, derived from its columns.
package enum StableFileKind: String, Sendable, CaseIterable, Codable {
  case horses, feed, care
}

/// The meaning of a column in a stable's file. The raw value is the column's canonical heading.
package enum StableColumn: String, Sendable, CaseIterable, Codable {
  case horse, owner, clipped
  case dateAdded = "date_added"
  case amGrain = "am_grain"
  case amSupplements = "am_supplements"
  case amMedications = "am_medications"
  case pmGrain = "pm_grain"
  case pmSupplements = "pm_supplements"
  case pmMedications = "pm_medications"
  case type, date
  case nextDue = "next_due"
  case cost, provider, notes
}

extension StableColumn {
  static let feed: Set<StableColumn> = [
    .amGrain, .amSupplements, .amMedications, .pmGrain, .pmSupplements, .pmMedications,
  ]
  private static let careColumns: Set<StableColumn> = [.type, .date, .nextDue]

  /// The kind of a file: `care` if it has a column that only care files have, else `feed` if it has a feed column, else
  /// `horses`.
  static func kind(of columns: [StableColumn?]) -> StableFileKind {
    let columns = Set(columns.compactMap { $0 })
    if !columns.isDisjoint(with: careColumns) { return .care }
    return columns.isDisjoint(with: feed) ? .horses : .feed
  }

  /// The columns that a file of this kind must have.
  static func required(_ kind: StableFileKind) -> [StableColumn] {
    switch kind {
    case .horses, .feed: [.horse]
    case .care: [.horse, .type, .date]
    }
  }

  /// The meaning of each column of a header; nil for unused columns. If two columns have the same meaning, the left one
  /// counts.
  static func meanings(of header: [String]) -> [StableColumn?] {
    var seen: Set<StableColumn> = []
    return header.map { cell in
      guard let column = aliases[CSVColumn.normalized(cell)], seen.insert(column).inserted else { return nil }
      return column
    }
  }

  private static let aliases: [String: StableColumn] = {
    var aliases: [String: StableColumn] = [:]
    for column in allCases {
      aliases[column.rawValue] = column
      for alias in column.otherNames.split(separator: " ") { aliases[String(alias)] = column }
    }
    return aliases
  }()

  /// Further headings of the column. Source: the stable's rules, the three CSVs.
  private var otherNames: String {
    switch self {
    case .horse: "horse_name name"
    case .owner: "owner_name client"
    case .clipped: "is_clipped"
    case .dateAdded: "added arrived arrival_date"
    case .amGrain: "morning_grain am_feed morning_feed"
    case .pmGrain: "evening_grain pm_feed evening_feed"
    case .amSupplements: "morning_supplements am_supps"
    case .pmSupplements: "evening_supplements pm_supps"
    case .amMedications: "morning_medications am_meds morning_meds"
    case .pmMedications: "evening_medications pm_meds evening_meds"
    case .type: "care_type event_type care event"
    case .date: "event_date done done_on"
    case .nextDue: "next_due_date due due_date"
    case .cost: "price amount"
    case .provider: "provider_name"
    case .notes: "note comments"
    }
  }
}
