package import FlowModel
package import PoolChemistry

// Figures that the weekly and the monthly page share.

/// The amount and cost of one type of chemical used in a period and in the previous one.
package struct ChemicalLine: Hashable, Sendable, Decodable {
  /// The type of chemical; nil for an unknown one.
  package let type: ChemicalType?
  /// True for tablets or powder of a chemical that is usually liquid, which are weighed; otherwise nil.
  package let isDry: Bool?
  package let ounces: Double
  package let cost: Double
  package let ouncesBefore: Double
  package let costBefore: Double

  enum CodingKeys: String, CodingKey {
    case type, ounces, cost
    case isDry = "dry"
    case ouncesBefore = "ounces_before"
    case costBefore = "cost_before"
  }

  /// One line per type, ordered by cost in the period, highest first.
  static func lines(_ uses: [PeriodFacts.Use]) -> [ChemicalLine] {
    let kinds =
      ChemicalType.stockable.flatMap { type -> [(type: ChemicalType?, isDry: Bool)] in
        type.isLiquid ? [(type, false), (type, true)] : [(type, false)]
      } + [(nil, false)]
    let lines = kinds.compactMap { kind -> ChemicalLine? in
      let own = uses.filter { use in
        kind.type == ChemicalType.stockable.first { $0.rawValue == use.type } && kind.isDry == use.isDry
      }
      guard !own.isEmpty else { return nil }
      func sum(_ isBefore: Bool, _ value: (PeriodFacts.Use) -> Double) -> Double {
        finite(own.reduce(0) { $0 + ($1.isBefore == isBefore ? value($1) : 0) })
      }
      return ChemicalLine(
        type: kind.type, isDry: kind.isDry ? true : nil, ounces: sum(false, \.ounces), cost: sum(false, \.cost),
        ouncesBefore: sum(true, \.ounces),
        costBefore: sum(true, \.cost))
    }
    return lines.enumerated().sorted { (-$0.element.cost, $0.offset) < (-$1.element.cost, $1.offset) }.map(\.element)
  }
}

/// The distribution of a team's pools by water balance.
package struct BalanceSpread: Hashable, Sendable, Decodable {
  /// The number of pools whose saturation index is in a range; nil means that the range is open on that side.
  package struct Bin: Hashable, Sendable, Decodable {
    package let low: Double?
    package let high: Double?
    package let pools: Int
  }

  package let corrosive: Int
  package let balanced: Int
  package let scaleForming: Int
  /// From the lowest index to the highest; the three in the middle are balanced.
  package let bins: [Bin]

  enum CodingKeys: String, CodingKey {
    case corrosive, balanced, bins
    case scaleForming = "scale_forming"
  }

  /// The limits between the bins. They include the limits of balance, which count as balanced, as in `WaterCondition`.
  private static let bounds = [-0.7, -0.5, -WaterCondition.limit, -0.1, 0.1, WaterCondition.limit, 0.5, 0.7]

  /// - Parameter indexes: the saturation index of each pool.
  init(_ indexes: [Double]) {
    var pools = Array(repeating: 0, count: Self.bounds.count + 1)
    for lsi in indexes { pools[Self.bounds.count { $0 < 0 ? lsi >= $0 : lsi > $0 }] += 1 }
    let conditions = indexes.map { WaterCondition(lsi: $0) }
    corrosive = conditions.count { $0 == .corrosive }
    balanced = conditions.count { $0 == .balanced }
    scaleForming = conditions.count { $0 == .scaleForming }
    bins = pools.enumerated().map { place, pools in
      Bin(
        low: place > 0 ? Self.bounds[place - 1] : nil, high: place < Self.bounds.count ? Self.bounds[place] : nil,
        pools: pools)
    }
  }

  /// The number of pools. The sum wraps around, because a stored digest may contain any numbers.
  package var pools: Int { corrosive &+ balanced &+ scaleForming }
}

extension ChemicalLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("cost", cost)
    json.member("cost_before", costBefore)
    if let isDry { json.member("dry", isDry) }
    json.member("ounces", ounces)
    json.member("ounces_before", ouncesBefore)
    json.member("type", type)
  }
}

extension BalanceSpread: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("balanced", balanced)
    json.member("bins", bins)
    json.member("corrosive", corrosive)
    json.member("scale_forming", scaleForming)
  }
}

extension BalanceSpread.Bin: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("high", high)
    json.member("low", low)
    json.member("pools", pools)
  }
}
