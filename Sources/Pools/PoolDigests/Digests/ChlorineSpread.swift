package import FlowModel
import PoolChemistry

/// The pools whose free chlorine was measured in a month, relative to the ideal range of each, by the last reading.
package struct ChlorineSpread: Hashable, Sendable {
  /// A pool with too little free chlorine.
  package struct Line: Hashable, Sendable {
    package let customer: String
    /// Parts per million.
    package let ppm: Double
  }

  package let low: Int
  package let ideal: Int
  package let high: Int
  /// The pools with the least free chlorine among those that are too low, at most `MonthDigest.worstListed`.
  package let lowest: [Line]

  /// - Parameter readings: the last reading of each pool with its customer; nil without any.
  init?(_ readings: [(customer: String, chlorine: PeriodFacts.Chlorine)]) {
    guard !readings.isEmpty else { return nil }
    func count(_ status: ReadingStatus) -> Int { readings.count { $0.chlorine.status == status } }
    (low, ideal, high) = (count(.low), count(.ideal), count(.high))
    lowest = readings.filter { $0.chlorine.status == .low }.map { Line(customer: $0.customer, ppm: $0.chlorine.ppm) }
      .sorted { ($0.ppm, $0.customer) < ($1.ppm, $1.customer) }.prefix(MonthDigest.worstListed).map(\.self)
  }
}

extension ChlorineSpread: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("high", high)
    json.member("ideal", ideal)
    json.member("low", low)
    json.member("lowest", lowest)
  }
}

extension ChlorineSpread.Line: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("customer", customer)
    json.member("ppm", ppm)
  }
}
