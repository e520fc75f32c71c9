import FlowCalendar
import FlowControl
import FlowModel
import FlowServices
import PoolModel
import PoolStore

/// A change of a pool's dates of service: a rule, a weekday, or both.
struct ServiceChange: Sendable {
  /// Nil leaves the rule as it is.
  let text: FieldValue?
  /// Nil leaves the weekday as it is, if the rule has it.
  let day: Weekday?

  static let key = "service"

  /// The settings that restore the dates of service before a change; nil if they did not change, or if none is left of them.
  static func restoring(_ changed: ChangedPool, today: CivilDate) -> [SettingChangeView]? {
    let (before, weekday) = (changed.before, changed.pool.serviceDay)
    guard before.rule != changed.rule || before.weekday != weekday,
      before.rule.map({ $0.next(onOrAfter: today) != nil }) ?? true
    else { return nil }
    let service = SettingChangeView(key: key, value: before.rule?.description ?? ServiceRule.weeklyWord)
    return [service] + (before.weekday == weekday ? [] : [.init(key: "day", value: before.weekday.abbreviation)])
  }

  /// The changed dates from today on that lose their stop, one sentence each; nil for none.
  static func losses(from before: PoolService, to after: PoolService, today: CivilDate) -> [String]? {
    let lost = before.changedDates.filter { $0 >= today && before.isServed(on: $0) && !after.isServed(on: $0) }
    let texts = lost.compactMap { date -> String? in
      guard let stop = before.changedStop(on: date), let batch = stop.changes.last?.batch else { return nil }
      let moved = stop.origin == date ? "" : ", moved there from \(stop.origin)"
      return "the stop on \(date.weekday.abbreviation) \(date)\(moved) (change \(batch)), is not served any more"
    }
    return texts.isEmpty ? nil : texts
  }

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
