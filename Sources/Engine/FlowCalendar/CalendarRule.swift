package import FlowModel

/// A calendar expression, a zone and a daylight-saving policy, which define a fixed set of instants.
///
/// The set depends only on the rule. `next` and `previous` are pure queries, so no sequence of calls can lose or repeat a slot.
/// Copies share one compiled object, which `init` builds.
package struct CalendarRule: Hashable, Sendable {
  let compiled: CompiledRule

  /// - Parameter zone: the zone named in the expression, if any, otherwise the owner's zone.
  package init(_ expression: CalendarExpression, zone: Zone, policy: DaylightPolicy = .standard) {
    compiled = CompiledRule(expression, zone, policy)
  }

  /// Loads the zone that the expression names from `zones`; `zone` applies if it names none.
  /// - Throws: the `ZoneError` of the named zone.
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

  /// - Returns: the first occurrence strictly after `instant`, or nil if there is none until the end of 2199.
  package func next(after instant: Timestamp) -> Occurrence? {
    compiled.next(atOrAfter: instant.seconds + 1)
  }

  /// - Returns: the last occurrence strictly before `instant`, or nil if there is none since 1970.
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
