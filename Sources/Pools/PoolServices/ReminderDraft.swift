import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowServices
import FlowWork
import PoolDigests
import PoolJobs

extension Limits {
  /// Occurrences after which a reminder ends by itself.
  static let reminderOccurrences = 10_000
}

/// A new or changed reminder of one team, parsed from text.
struct ReminderDraft: Sendable {
  let team: Team
  let technicians: [Technician]
  let zone: Zone
  let now: Timestamp
  /// Name of the user who asks.
  let caller: String

  /// Keys of a reminder's values, in the order in which changes are applied.
  enum Key: String, CaseIterable {
    case rule, at, title, text
    case technician, severity
    case condition = "when"
    case until, times

    /// Clients before 0.2 send `for`.
    init?(asked word: String) { self.init(rawValue: word == "for" ? "technician" : word) }
  }

  /// The values of a reminder while changes are applied to them.
  private struct Values {
    var rule: JobRule = .never
    var title: ReminderText?
    var text: ReminderText?
    var technicianID: TechnicianID?
    var severity = Severity.notice
    var condition = Reminder.Condition.always
    var timesLeft: Int?
  }

  /// The reminder with these changes applied.
  ///
  /// - Parameter old: the reminder before the changes; nil for a new one.
  /// - Throws: `ControlError` that names the value; no change is made then.
  func applied(
    _ changes: [ReminderChangeView], named name: ReminderName?, to old: TeamReminder?
  ) throws(ControlError) -> TeamReminder {
    var values = Values()
    if let old {
      values = Values(
        rule: old.rule, title: old.reminder.title, text: old.reminder.text, technicianID: old.reminder.technicianID,
        severity: old.reminder.severity, condition: old.reminder.condition, timesLeft: old.reminder.timesLeft)
    }
    var given: [Key: FieldValue] = [:]
    for change in changes {
      let value = FieldValue(change.key, change.value)
      guard let key = Key(asked: change.key) else { throw value.unknown(among: Key.allCases.map(\.rawValue)) }
      guard given.updateValue(value, forKey: key) == nil else {
        throw ControlError.badValue(field: key.rawValue, value: value.text, why: "it is given twice")
      }
    }
    for key in Key.allCases { if let value = given[key] { try parse(value, of: key, into: &values) } }
    // A reminder that had ended starts again with a new rule.
    if given[.times] == nil, given[.at] != nil || (given[.rule] != nil && values.timesLeft == 0) {
      values.timesLeft = nil
    }
    try checkTimes(values, given)
    guard let text = values.text, !text.isEmpty else {
      throw ControlError.badValue(
        field: "text", value: "", why: "write the text of the reminder, such as 'Order cartridges'")
    }
    let named: ReminderName
    if let name { named = name } else { named = try self.name(for: values.rule) }
    return TeamReminder(
      Reminder(
        name: named, title: values.title ?? .empty, text: text, technicianID: values.technicianID,
        severity: values.severity, condition: values.condition, timesLeft: values.timesLeft),
      rule: values.rule, setBy: old?.setBy ?? caller)
  }

  /// Parses one value into `values`.
  private func parse(_ value: FieldValue, of key: Key, into values: inout Values) throws(ControlError) {
    switch key {
    case .rule: values.rule = .calendar(try rule(value.text).description)
    case .at: values.rule = .once(try instant(value.text))
    case .title: values.title = try template(value, .reminderTitle)
    case .text: values.text = try template(value, .reminderText)
    case .technician: values.technicianID = try technician(value.text)
    case .severity: values.severity = try FieldValue.word(value.text, field: key.rawValue)
    case .condition: values.condition = try FieldValue.word(value.text, field: key.rawValue)
    case .until: values.rule = try ending(values.rule, value.text)
    case .times:
      values.timesLeft = value.text == "always" ? nil : try value.wholeNumber(in: 1...Limits.reminderOccurrences)
    }
  }

  /// Refuses contradictory times: a rule and an instant, neither of them, or a count for a single instant.
  private func checkTimes(_ values: Values, _ given: [Key: FieldValue]) throws(ControlError) {
    if given[.rule] != nil, let at = given[.at] {
      throw ControlError.badValue(field: "at", value: at.text, why: "a reminder has a rule or one time, not both")
    }
    switch values.rule {
    case .never:
      throw ControlError.badValue(
        field: "rule", value: "", why: "say when: by a rule such as 'Mon 09:00', or once, such as 'tomorrow 15:00'")
    case .once:
      if let times = given[.times], values.timesLeft != nil {
        throw ControlError.badValue(field: "times", value: times.text, why: "it is sent once, at its time")
      }
    case .calendar: break
    }
  }

  // MARK: When

  private func rule(_ text: String) throws(ControlError) -> CalendarExpression {
    do throws(RuleRefusal) {
      return try CalendarRule(ofJob: text, in: zone, now: now).expression
    } catch {
      throw ControlError.badValue(
        field: "rule", value: text,
        why: "\(error); `pfctl calendar` tests a rule, `pfctl help calendar` explains how to write one")
    }
  }

  private func time(_ text: String, field: String) throws(ControlError) -> TypedInstant {
    guard let time = TypedInstant(text, now: now, zone: zone) else {
      throw ControlError.badValue(
        field: field, value: text, why: "this is not a time; write \(TypedInstant.forms), in the team's time zone")
    }
    return time
  }

  /// A future instant with a time of day.
  private func instant(_ text: String) throws(ControlError) -> Timestamp {
    let time = try time(text, field: "at")
    guard !time.isWholeDay else {
      throw ControlError.badValue(
        field: "at", value: text, why: "add a time of day, such as '\(text) 09:00'")
    }
    guard time.instant > now else {
      throw ControlError.badValue(
        field: "at", value: text, why: "\(zone.dateText(at: time.instant)) is past; name a time in the future")
    }
    return time.instant
  }

  /// The rule with `text` as its last day; `always` removes the end.
  private func ending(_ rule: JobRule, _ text: String) throws(ControlError) -> JobRule {
    guard case .calendar(let words) = rule, let expression = try? CalendarExpression(words) else {
      throw ControlError.badValue(field: "until", value: text, why: "only a reminder with a rule can have an end")
    }
    if text == "always" { return .calendar(expression.ending(on: nil).description) }
    let end = try time(text, field: "until")
    let last = end.date ?? zone.local(at: end.instant).date
    return .calendar(try self.rule(expression.ending(on: last).description).description)
  }

  // MARK: Text and recipient

  private func template(_ value: FieldValue, _ rule: TextRule) throws(ControlError) -> ReminderText {
    let text = try value.words(rule, isRequired: true)
    do throws(ReminderTextError) {
      return try ReminderText(text)
    } catch {
      throw ControlError.badValue(field: value.key, value: text, why: "\(error)")
    }
  }

  /// The technician of that name; `all` is nil and means the whole team.
  private func technician(_ name: String) throws(ControlError) -> TechnicianID? {
    if name == Technician.everybody { return nil }
    guard let found = technicians.first(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw ControlError.noSuchTechnician(
        name, team: team.name, suggestion: Suggestion.nearest(to: name, among: technicians.map(\.name)))
    }
    return found.id
  }

  /// A name such as `20261124-1500` for a one-time reminder without a name.
  private func name(for rule: JobRule) throws(ControlError) -> ReminderName {
    guard case .once(let instant) = rule else {
      throw ControlError.badValue(field: "name", value: "", why: "a reminder with a rule needs a name, such as filters")
    }
    let local = zone.local(at: instant)
    let day = "\(local.date)".filter { $0 != "-" }
    let text = "\(day)-\(padded(local.time.hour, 2))\(padded(local.time.minute, 2))"
    guard let name = ReminderName(text) else { throw ControlError.badValue(field: "at", value: text, why: "no name") }
    return name
  }
}

extension ReminderName {
  /// Parses a reminder's name.
  ///
  /// - Throws: `ControlError` that explains valid names.
  init(asked text: String) throws(ControlError) {
    guard let name = ReminderName(text) else {
      throw ControlError.badValue(
        field: "name", value: text,
        why: "a reminder's name is 1 to \(Limits.reminderNameLength) lower-case letters, digits or '-', such as filters"
      )
    }
    self = name
  }

  /// The name with `-number` appended; nil if it gets too long.
  func numbered(_ number: Int) -> ReminderName? { ReminderName("\(text)-\(number)") }
}
