package import PoolModel

extension CalendarExpression {
  /// How many clock times a day of the rule has, 1 to 86,400.
  package var timesOfDay: Int {
    parts.hour.mask(.hour).nonzeroBitCount * parts.minute.mask(.minute).nonzeroBitCount
      * parts.second.mask(.second).nonzeroBitCount
  }
}

/// Why a rule that can be read may not be a job's.
package enum RuleRefusal: Error, Hashable, CustomStringConvertible {
  case unreadable(CalendarError)
  case zoned(String)
  case neverComes
  case isOver(last: Occurrence)
  case tooOften(Int)

  package var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .zoned(let zone): "a job's rule goes by its team's clocks; leave the zone '\(zone)' out"
    case .neverComes: "no date ever fits this rule"
    case .isOver(let last): "this rule never comes again; the last time was \(last.nominal.date) \(last.nominal.time)"
    case .tooOften(let times):
      "it falls \(times) times a day, and a job may fall \(Limits.slotsPerDay) times; name minutes and leave the seconds out"
    }
  }
}

extension CalendarRule {
  /// A rule that somebody sets for a job, from now on.
  ///
  /// - Throws: `RuleRefusal` for what cannot be read, never comes, names another zone or comes more than
  ///   `Limits.slotsPerDay` times a day.
  package init(
    ofJob text: String, in zone: Zone, now: Timestamp, policy: DaylightPolicy = .standard
  ) throws(RuleRefusal) {
    let expression: CalendarExpression
    do throws(CalendarError) { expression = try CalendarExpression(text) } catch { throw .unreadable(error) }
    if let zone = expression.zoneName { throw .zoned(zone) }
    guard expression.timesOfDay <= Limits.slotsPerDay else { throw .tooOften(expression.timesOfDay) }
    self.init(expression, zone: zone, policy: policy)
    guard next(after: now) == nil else { return }
    throw previous(before: now.advanced(by: .seconds(1))).map { .isOver(last: $0) } ?? .neverComes
  }
}
