package import FlowModel

/// A care event of a horse. An event dated after today is planned; on its day it counts as done.
package struct CareEvent: Hashable, Sendable {
  package var id: CareEventID
  package var horseID: HorseID
  package var type: CareType
  package var date: CivilDate
  package var notes: String
  /// The date on which the next event of this type is due; later than `date`.
  package var nextDue: CivilDate?
  package var cost: Cost?
  /// The person who provided the care; may be empty.
  package var provider: String

  package init(
    id: CareEventID, horseID: HorseID, type: CareType, date: CivilDate, notes: String = "", nextDue: CivilDate? = nil,
    cost: Cost? = nil, provider: String = ""
  ) {
    self.id = id
    self.horseID = horseID
    self.type = type
    self.date = date
    self.notes = notes
    self.nextDue = nextDue
    self.cost = cost
    self.provider = provider
  }
}

/// The types of care, in display order.
package enum CareType: String, Sendable, CaseIterable, Codable, Comparable {
  case vet, farrier, dental, vaccination, deworming, medication, injury, other

  package static func < (left: CareType, right: CareType) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The default number of days until the next event of this type; nil for no proposal.
  package var usualInterval: Int? {
    switch self {
    case .farrier: 42
    case .deworming: 90
    case .vaccination, .dental: 365
    case .vet, .medication, .injury, .other: nil
    }
  }
}

/// An exact amount of money in the team's currency: 0 to 1,000,000 with at most four decimals. Sums may exceed this
/// range.
package struct Cost: Hashable, Comparable, Sendable {
  /// Ten-thousandths of the currency unit.
  package let tenThousandths: Int64

  package init(tenThousandths: Int64) { self.tenThousandths = tenThousandths }

  package static let zero = Cost(tenThousandths: 0)
  package static let largest = Cost(tenThousandths: 1_000_000 * 10_000)

  /// Parses `85`, `85.5` or `120.5025`: digits with at most one point. Nil for anything else, and for more than
  /// `largest`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : ""
    guard !parts[0].isEmpty, parts[0].utf8.count <= 7, decimals.utf8.count <= 4, parts.count == 1 || !decimals.isEmpty,
      (parts[0].utf8.allSatisfy { (48...57).contains($0) }), (decimals.utf8.allSatisfy { (48...57).contains($0) }),
      let number = Int64("\(parts[0])\(decimals)" + String(repeating: "0", count: 4 - decimals.utf8.count)),
      number <= Self.largest.tenThousandths
    else { return nil }
    self.init(tenThousandths: number)
  }

  package static func < (left: Cost, right: Cost) -> Bool { left.tenThousandths < right.tenThousandths }
  package static func + (left: Cost, right: Cost) -> Cost {
    Cost(tenThousandths: left.tenThousandths + right.tenThousandths)
  }

  /// The amount in cents, rounded half up, for display.
  package var cents: Int64 { (tenThousandths + 50) / 100 }
}

extension Cost: CustomStringConvertible {
  /// The exact amount with two to four decimals: `85.00`, `120.5025`.
  package var description: String {
    var decimals = padded(Int(tenThousandths % 10_000), 4)
    while decimals.utf8.count > 2, decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(tenThousandths / 10_000).\(decimals)"
  }
}
