package import FlowModel

/// A warning or error about one row of a stable's file.
package struct StableIssue: Hashable, Sendable {
  /// The effect of the issue on the row.
  package enum Severity: String, Sendable, Codable {
    /// The row is left out.
    case error
    /// The row is imported without this value.
    case warning
  }
  /// The row number: the header is row 1 and blank records are not counted.
  package let row: Int
  package let severity: Severity
  package let field: StableColumn
  /// Never contains the cell's text, which may be private.
  package let fault: StableRowFault
}

/// The kind of issue.
package enum StableRowFault: Hashable, Sendable {
  case empty
  case tooLong(TextRule)
  case controlCharacters
  case unknownHorse
  case tooManyHorses(limit: Int)
  case noType
  case noDate
  case noYesOrNo
  case dueNotAfterDate
  case noCost
  case tooManyEntries(limit: Int)
  case entryTooLong(limit: Int)
}

extension StableRowFault: CustomStringConvertible {
  /// A predicate such as "is empty", to follow the field's name.
  package var description: String {
    switch self {
    case .empty: "is empty"
    case .tooLong(let rule): "is longer than \(rule.maxCharacters) characters"
    case .controlCharacters: "has control characters, which are left out"
    case .unknownHorse: "does not name a horse of this team"
    case .tooManyHorses(let limit): "is one more than the \(limit) horses that a team may have"
    case .noType: "must be one of vet, farrier, dental, vaccination, deworming, medication, injury or other"
    case .noDate: "is not a date such as 2026-03-02"
    case .noYesOrNo: "is neither yes nor no"
    case .dueNotAfterDate: "is not after the event's date"
    case .noCost: "is not an amount from 0 to 1000000 with at most four decimals"
    case .tooManyEntries(let limit): "has more than \(limit) entries"
    case .entryTooLong(let limit): "has an entry of more than \(limit) characters"
    }
  }
}
