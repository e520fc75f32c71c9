import PoolInterchange
import PoolModel
import StableModel

/// Goes through the rows of a stable's file, each over what those before it left.
struct StablePlanner {
  let table: StableTable
  let today: CivilDate
  var plan: StablePlan
  /// The place of each horse among the plan's.
  var places: [HorseName: Int]
  /// The events of each horse, type and date, by their place among the plan's.
  private var events: [CareKey: [Int]] = [:]
  /// How many rows of each there were.
  private var rows: [CareKey: Int] = [:]

  struct CareKey: Hashable {
    let horse: HorseID
    let type: CareType
    let date: CivilDate
  }

  init(table: StableTable, existing: StableRecords, today: CivilDate) {
    self.table = table
    self.today = today
    plan = StablePlan(kind: table.kind, encoding: table.encoding, delimiter: table.delimiter, after: existing)
    places = Dictionary(
      zip(existing.horses.map(\.nameKey), existing.horses.indices), uniquingKeysWith: { first, _ in first })
    for (index, event) in existing.care.enumerated() {
      events[CareKey(horse: event.horseID, type: event.type, date: event.date), default: []].append(index)
    }
  }

  /// The plan, with what differs from what was there.
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

  mutating func takeCare(_ row: Int, makeID: () -> CareEventID) {
    guard let horse = knownHorse(row) else { return }
    let typeText = text(row, .type)
    guard let type = CareWords.type(typeText) else { return skip(row, .type, typeText.isEmpty ? .empty : .noType) }
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

  /// Filled cells replace, empty ones keep.
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

  /// The horse that a row of feed or care is about; nil, having said so, where there is none.
  mutating func knownHorse(_ row: Int) -> HorseID? {
    let name = text(row, .horse)
    if let place = places[HorseName(name)] { return plan.after.horses[place].id }
    skip(row, .horse, name.isEmpty ? .empty : .unknownHorse)
    return nil
  }

  /// What stands under a column; empty where there is none.
  mutating func text(_ row: Int, _ column: StableColumn) -> String {
    guard let cell = table.cell(row, column) else { return "" }
    if cell.hadControls { warn(row, column, .controlCharacters) }
    return cell.text
  }

  /// A text of one line: its blanks and line ends become one blank each; nil, with a warning, where it is too long.
  mutating func line(_ row: Int, _ column: StableColumn) -> String? {
    bounded(row, column, .name).map(Self.oneLine)
  }

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

  // MARK: Remarks

  /// Leaves the row out: it has this one issue and no other.
  mutating func skip(_ row: Int, _ field: StableColumn, _ fault: StableRowFault) {
    plan.issues.removeAll { $0.row == row + 2 }
    plan.issues.append(StableIssue(row: row + 2, severity: .error, field: field, fault: fault))
    plan.skipped += 1
  }

  mutating func warn(_ row: Int, _ field: StableColumn, _ fault: StableRowFault) {
    plan.issues.append(StableIssue(row: row + 2, severity: .warning, field: field, fault: fault))
  }
}
