import FlowCalendar
import FlowControl
import FlowModel
import FlowServices
import PoolModel

/// A change of a pool's dates of service: a rule, a weekday, or both.
struct ServiceChange: Sendable {
  /// Nil leaves the rule as it is.
  let text: FieldValue?
  /// Nil leaves the weekday as it is, if the rule has it.
  let day: Weekday?

  static let key = "service"

  /// The rule after the change, nil for every week; sets the pool's weekday to one that the rule has.
  ///
  /// - Parameter service: the service before the change.
  func apply(to weekday: inout Weekday, _ service: PoolService, today: CivilDate) throws(ControlError) -> CalendarDates?
  {
    guard let text else {
      guard let rule = service.rule, let day else { return service.rule }
      throw ControlError.badValue(
        field: "day", value: day.abbreviation,
        why: "this pool is served by the rule '\(rule)'; change the rule with --service, or set --service weekly, too")
    }
    let rule: ServiceRule
    do throws(ServiceRuleError) {
      rule = try ServiceRule(text.text, weekday: weekday, today: today)
    } catch { throw text.refusal("\(error)") }
    switch rule {
    case .weekly(let named):
      if let named, let day, named != day {
        throw text.refusal("it names \(named.abbreviation), but --day names \(day.abbreviation); leave one of them out")
      }
      weekday = named ?? weekday
      return nil
    case .dates(let dates):
      if let day, !dates.weekdays.contains(day) {
        throw text.refusal("it has no \(day.abbreviation), which --day names; leave --day out, or change the rule")
      }
      if !dates.weekdays.contains(weekday) { weekday = dates.next(onOrAfter: today)?.weekday ?? weekday }
      let changed = PoolService(weekday: weekday, rule: dates, pauses: service.pauses)
      guard changed.next(onOrAfter: today) != nil else {
        throw text.refusal("the pauses of this pool leave no date of it; end them with `pfctl pool resume` first")
      }
      return dates
    }
  }
}
