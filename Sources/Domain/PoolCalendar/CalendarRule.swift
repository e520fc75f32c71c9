package import PoolModel

/// An expression in a zone, with what to do when clocks change: a set of instants.
///
/// The set depends on nothing but the rule. `next` and `previous` only look into it, so no history of questions can make a
/// slot come twice or get lost. A value of one reference; the work is done once, in `init`.
package struct CalendarRule: Hashable, Sendable {
  let compiled: CompiledRule

  /// - Parameter zone: already looked up: the expression's own `zoneName` where it has one, else the owner's zone.
  package init(_ expression: CalendarExpression, zone: Zone, policy: DaylightPolicy = .standard) {
    compiled = CompiledRule(expression, zone, policy)
  }

  /// Looks the zone up that the expression names; `zone` applies where it names none.
  /// - Throws: `ZoneError` of the named zone.
  package init(
    _ expression: CalendarExpression, in zone: Zone, zones: some ZoneSource, policy: DaylightPolicy = .standard
  ) throws(ZoneError) {
    guard let name = expression.zoneName else {
      self.init(expression, zone: zone, policy: policy)
      return
    }
    self.init(expression, zone: try zones.zone(named: name), policy: policy)
  }

  package var expression: CalendarExpression { compiled.expression }
  package var zone: Zone { compiled.zone }
  package var policy: DaylightPolicy { compiled.policy }

  /// The first occurrence strictly after `instant`; nil when there is none up to the end of 2199.
  package func next(after instant: Timestamp) -> Occurrence? {
    compiled.next(atOrAfter: instant.seconds + 1)
  }

  /// The last occurrence strictly before `instant`; nil when there is none since 1970.
  package func previous(before instant: Timestamp) -> Occurrence? {
    compiled.previous(atOrBefore: instant.millisecondOfSecond > 0 ? instant.seconds : instant.seconds - 1)
  }

  package static func == (left: CalendarRule, right: CalendarRule) -> Bool {
    left.compiled === right.compiled
      || left.policy == right.policy && left.expression == right.expression && left.zone == right.zone
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(expression)
    hasher.combine(zone)
    hasher.combine(policy)
  }
}
