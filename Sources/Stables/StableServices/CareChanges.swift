import StableControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowServices
import StableModel

/// Changes of a care event, parsed from text. No error quotes notes or providers.
struct CareChanges: Sendable {
  /// A parsed change of one field.
  private enum Change: Sendable {
    case type(CareType)
    case date(CivilDate)
    /// Kept as text, because a distance such as `+42d` counts from the date of the event.
    case due(FieldValue)
    case cost(Cost?)
    case provider(String)
    case notes(String)
  }

  static let keys = ["type", "date", "due", "cost", "provider", "notes"]
  private let changes: [Change]
  private let days: CareDays

  init(_ typed: [SettingChangeView], days: CareDays) throws(ControlError) {
    self.days = days
    var changes: [Change] = []
    for value in try FieldValue.unique(typed) {
      switch value.key {
      case "type":
        let type = try CareTypeView(asked: value.text.lowercased(), field: value.key)
        changes.append(.type(CareType(asked: type)))
      case "date": changes.append(.date(try days.date(value)))
      case "due": changes.append(.due(value))
      case "cost": changes.append(.cost(try value.cost()))
      case "provider": changes.append(.provider(try value.words(.name, isSensitive: true)))
      case "notes": changes.append(.notes(try value.words(.notes, isSensitive: true)))
      default: throw value.unknown(among: Self.keys)
      }
    }
    self.changes = changes
  }

  /// True if the next due date is among the changes, even as `none`.
  var setsDueDate: Bool { changes.contains { if case .due = $0 { true } else { false } } }

  /// Applies all changes to an event.
  ///
  /// - Throws: `ControlError` if the due date is not after the event's date.
  func apply(to event: inout CareEvent) throws(ControlError) {
    var due: FieldValue?
    for change in changes {
      switch change {
      case .type(let type): event.type = type
      case .date(let date): event.date = date
      case .due(let value): due = value
      case .cost(let cost): event.cost = cost
      case .provider(let provider): event.provider = provider
      case .notes(let notes): event.notes = notes
      }
    }
    if let due { event.nextDue = try days.due(due, after: event.date) }
    guard let next = event.nextDue, next <= event.date else { return }
    throw ControlError.badValue(
      field: due == nil ? "date" : "due", value: due?.text ?? "\(event.date)",
      why: "the next due date must be after the care: \(next) is not after \(event.date)")
  }
}

/// Parses days in a team's zone.
struct CareDays: Sendable {
  let zone: Zone
  let now: Timestamp

  /// Parses a day as `TypedInstant` does.
  func date(_ value: FieldValue) throws(ControlError) -> CivilDate { try day(value, from: now) }

  /// A due date, where `+42d` counts from the event's own date; nil for `none` and for empty text.
  func due(_ value: FieldValue, after date: CivilDate) throws(ControlError) -> CivilDate? {
    if value.text.isEmpty || value.text.lowercased() == "none" { return nil }
    let noon = TimeOfDay(hour: 12, minute: 0) ?? .midnight
    let start =
      value.text.hasPrefix("+") ? zone.resolve(LocalDateTime(date: date, time: noon)).standard : now
    return try day(value, from: start)
  }

  private func day(_ value: FieldValue, from instant: Timestamp) throws(ControlError) -> CivilDate {
    guard let time = TypedInstant(value.text, now: instant, zone: zone) else {
      throw ControlError.badValue(
        field: value.key, value: value.text, why: "this is not a day; write today, yesterday, 2026-03-02 or +42d")
    }
    return time.date ?? zone.local(at: time.instant).date
  }
}

extension FieldValue {
  /// An amount of money; nil for `none` and for empty text.
  fileprivate func cost() throws(ControlError) -> Cost? {
    if text.isEmpty || text.lowercased() == "none" { return nil }
    guard let cost = Cost(text) else {
      throw ControlError.badValue(
        field: key, value: text,
        why: "write an amount such as 85 or 120.50, from 0 to 1000000 with at most four decimals")
    }
    return cost
  }
}
