internal import FlowCommandKit

/// The columns of free chlorine and salt in a list of visits; only those that some visit has.
struct SanitiserColumns {
  private let hasFreeChlorine: Bool
  private let hasSalt: Bool

  /// - Parameter visits: free chlorine and salt of each visit, in parts per million.
  init(_ visits: [(freeChlorine: Double?, salt: Double?)]) {
    hasFreeChlorine = visits.contains { $0.freeChlorine != nil }
    hasSalt = visits.contains { $0.salt != nil }
  }

  var headings: [Table.Column] {
    (hasFreeChlorine ? [.init("FC", isNumber: true)] : []) + (hasSalt ? [.init("SALT", isNumber: true)] : [])
  }

  func cells(_ freeChlorine: Double?, _ salt: Double?) -> [Table.Cell] {
    (hasFreeChlorine ? [.init(freeChlorine.map { TextFormat.decimal($0, places: 1) } ?? "-")] : [])
      + (hasSalt ? [.init(salt.map { TextFormat.decimal($0, places: 0) } ?? "-")] : [])
  }
}
