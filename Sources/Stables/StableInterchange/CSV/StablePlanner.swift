import FlowModel
import PoolInterchange
import StableModel

/// Applies the rows of a stable's file one by one; later rows see the effect of earlier ones.
struct StablePlanner {
  let table: StableTable
  let today: CivilDate
  var plan: StablePlan
  /// The index of each horse in the plan, by name.
  var horseIndexes: [HorseName: Int]
  /// The indices of existing events in the plan, by horse, type and date.
  private var events: [CareKey: [Int]] = [:]
  /// The number of rows read so far for each horse, type and date: the n-th row updates the n-th existing event.
  private var rows: [CareKey: Int] = [:]

  /// The key by which rows of care match existing events.
  struct CareKey: Hashable {
    let horse: HorseID
    let type: CareType
    let date: CivilDate
  }

  init(table: StableTable, existing: StableRecords, today: CivilDate) {
    self.table = table
    self.today = today
    plan = StablePlan(kind: table.kind, encoding: table.encoding, delimiter: table.delimiter, after: existing)
    horseIndexes = Dictionary(
      zip(existing.horses.map(\.nameKey), existing.horses.indices), uniquingKeysWith: { first, _ in first })
    for (index, event) in existing.care.enumerated() {
      events[CareKey(horse: event.horseID, type: event.type, date: event.date), default: []].append(index)
    }
  }

  /// The finished plan, with the ids of all records that differ from `existing`.
  func finished(_ existing: StableRecords) -> StablePlan {
    var plan = plan
    plan.issues.sort { ($0.row, $0.field.rawValue) < ($1.row, $1.field.rawValue) }
    plan.touchedHorses = Self.touched(existing.horses, plan.after.horses).map(\.id)
    plan.touchedCare = Self.touched(existing.care, plan.after.care).map(\.id)
    plan.touchedSchedules = plan.after.horses.map(\.id).filter {
      existing.schedules[$0] != plan.after.schedules[$0]
    }
    return plan
  }

  private static func touched<Record: Equatable>(_ before: [Record], _ after: [Record]) -> [Record] {
    after.enumerated().filter { $0.offset >= before.count || before[$0.offset] != $0.element }.map(\.element)
  }

  // MARK: Rows of care

  /// Updates the matching care event, or creates one.
  mutating func takeCare(_ row: Int, makeID: () -> CareEventID) {
    guard let horse = knownHorse(row) else { return }
    let typeText = text(row, .type)
    guard let type = CareKeywords.type(typeText) else { return skip(row, .type, typeText.isEmpty ? .empty : .noType) }
    let dateText = text(row, .date)
    guard let date = CivilDate(dateText) else { return skip(row, .date, dateText.isEmpty ? .empty : .noDate) }
    let key = CareKey(horse: horse, type: type, date: date)
    let place = rows[key, default: 0]
    rows[key] = place + 1
    var event: CareEvent
    if let index = events[key]?.dropFirst(place).first {
      plan.updated += 1
      event = plan.after.care[index]
      fill(&event, row)
      plan.after.care[index] = event
    } else {
      plan.created += 1
      event = CareEvent(id: makeID(), horseID: horse, type: type, date: date)
      fill(&event, row)
      events[key, default: []].append(plan.after.care.count)
      plan.after.care.append(event)
    }
  }

  /// Filled cells overwrite the event's values; empty cells change nothing.
  private mutating func fill(_ event: inout CareEvent, _ row: Int) {
    let due = text(row, .nextDue)
    if !due.isEmpty {
      switch CivilDate(due) {
      case nil: warn(row, .nextDue, .noDate)
      case let date? where date <= event.date: warn(row, .nextDue, .dueNotAfterDate)
      case let date?: event.nextDue = date
      }
    }
    let cost = text(row, .cost)
    if !cost.isEmpty {
      if let cost = Cost(cost) { event.cost = cost } else { warn(row, .cost, .noCost) }
    }
    if let provider = line(row, .provider), !provider.isEmpty { event.provider = provider }
    if let notes = bounded(row, .notes, .notes), !notes.isEmpty { event.notes = notes }
  }

  // MARK: Cells

  /// The horse that a feed or care row names; nil, after recording an error for the row, if there is none.
  mutating func knownHorse(_ row: Int) -> HorseID? {
    let name = text(row, .horse)
    if let place = horseIndexes[HorseName(name)] { return plan.after.horses[place].id }
    skip(row, .horse, name.isEmpty ? .empty : .unknownHorse)
    return nil
  }

  /// The text of a cell; empty if the file does not have the column.
  mutating func text(_ row: Int, _ column: StableColumn) -> String {
    guard let cell = table.cell(row, column) else { return "" }
    if cell.hadControls { warn(row, column, .controlCharacters) }
    return cell.text
  }

  /// A text on one line: white space and line breaks become single blanks. Nil, with a warning, if it is too long.
  mutating func line(_ row: Int, _ column: StableColumn) -> String? {
    bounded(row, column, .name).map(Self.oneLine)
  }

  /// The text of a cell; nil, with a warning, if it violates the length limit of the rule.
  mutating func bounded(_ row: Int, _ column: StableColumn, _ rule: TextRule) -> String? {
    let text = text(row, column)
    guard rule.lengthFault(in: text) == nil else {
      warn(row, column, .tooLong(rule))
      return nil
    }
    return text
  }

  static func oneLine(_ text: String) -> String {
    text.contains(where: { $0.isNewline || $0 == "\t" })
      ? text.split(whereSeparator: \.isWhitespace).joined(separator: " ") : text
  }

  // MARK: Warnings

  /// Leaves the row out: all its issues are replaced by this error.
  mutating func skip(_ row: Int, _ field: StableColumn, _ fault: StableRowFault) {
    plan.issues.removeAll { $0.row == row + 2 }
    plan.issues.append(StableIssue(row: row + 2, severity: .error, field: field, fault: fault))
    plan.skipped += 1
  }

  mutating func warn(_ row: Int, _ field: StableColumn, _ fault: StableRowFault) {
    plan.issues.append(StableIssue(row: row + 2, severity: .warning, field: field, fault: fault))
  }
}
