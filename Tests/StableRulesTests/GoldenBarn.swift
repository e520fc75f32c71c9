import FlowCalendar
import FlowModel
import FlowTestKit
import StableModel
import StableRules
import Testing

/// A barn for the vectors of the feed board: a store's contents in dictionaries.
struct GoldenBarn {
  let zone: Zone
  private var horses: [Horse] = []
  private var schedules: [HorseID: FeedSchedule] = [:]
  private var marks: [FeedMark] = []
  private var closedDays: [CivilDate: [FeedRow]] = [:]
  private var lastMarking: Int64 = 0
  private var added = 0

  init(zone: Zone) { self.zone = zone }

  var history: [HistoryCase] {
    closedDays.values.joined().sorted { ($0.date, HorseName($0.horse)) < ($1.date, HorseName($1.horse)) }.map {
      HistoryCase(date: $0.date.description, horse: $0.horse, am: $0.am.rawValue, pm: $0.pm.rawValue)
    }
  }

  /// - Returns: false if the name is taken.
  mutating func add(_ given: GivenHorse, today: CivilDate? = nil) -> Bool {
    guard !horses.contains(where: { $0.nameKey == HorseName(given.name) }),
      let date = given.added.map({ CivilDate($0) }) ?? today
    else { return false }
    added += 1
    let horse = Horse(id: HorseID(Samples.uuid(added)), name: given.name, added: date)
    horses.append(horse)
    schedules[horse.id] = given.schedule?.feed
    return true
  }

  func board(_ view: FeedView) throws -> BoardCase {
    let date = try #require(FeedDates(at: try instant(view.at), in: zone).named(view.date))
    return BoardCase(day(date).board())
  }

  mutating func perform(_ step: FeedStep) throws -> FeedResultCase {
    let now = try instant(step.at)
    let dates = FeedDates(at: now, in: zone)
    switch step.op {
    case "close":
      let date = FeedDates.closed(by: try instant(step.for), in: zone)
      return FeedResultCase(change(date) { $0.close() })
    case "addHorse": return FeedResultCase(code: add(try given(step), today: dates.today) ? "added" : "name-taken")
    case "removeHorse": return FeedResultCase(code: remove(try name(step)) ? "removed" : "unknown-horse")
    case "setSchedule":
      guard let horse = horse(try name(step)) else { return FeedResultCase(code: "unknown-horse") }
      schedules[horse.id] = step.schedule?.feed
      return FeedResultCase(code: "set")
    case "remind":
      guard step.enabled ?? true else { return FeedResultCase(code: "disabled") }
      return FeedResultCase(day(dates.today).board().reminder(try slot(step)))
    default: break
    }
    guard let date = dates.named(step.date) else { return FeedResultCase(.badDate) }
    switch step.op {
    case "mark":
      let (name, slot) = (try name(step), try slot(step))
      return FeedResultCase(change(date) { $0.mark(name, slot, at: now, by: step.by ?? "") })
    case "markAll":
      let slot = try slot(step)
      return FeedResultCase(change(date) { $0.markAll(slot, at: now, by: step.by ?? "") })
    case "undo": return FeedResultCase(change(date) { $0.undo() })
    default:
      Issue.record("unknown step \(step.op)")
      return FeedResultCase(code: step.op)
    }
  }

  private func day(_ date: CivilDate) -> FeedDay {
    FeedDay(
      date: date, horses: horses, schedules: schedules, marks: marks.filter { $0.date == date },
      closed: closedDays[date], lastMarking: lastMarking)
  }

  private mutating func change(_ date: CivilDate, _ verb: (inout FeedDay) -> FeedOutcome) -> FeedOutcome {
    var day = day(date)
    let outcome = verb(&day)
    marks = marks.filter { $0.date != date } + day.marks
    closedDays[date] = day.closed
    lastMarking = day.lastMarking
    return outcome
  }

  private mutating func remove(_ name: String) -> Bool {
    guard let horse = horse(name) else { return false }
    horses.removeAll { $0.id == horse.id }
    schedules[horse.id] = nil
    marks.removeAll { $0.horseID == horse.id && closedDays[$0.date] == nil }
    return true
  }

  private func horse(_ name: String) -> Horse? { horses.first { $0.nameKey == HorseName(name) } }
  private func slot(_ step: FeedStep) throws -> FeedSlot { try #require(FeedSlot(rawValue: step.slot ?? "")) }

  private func name(_ step: FeedStep) throws -> String {
    guard case .name(let name) = step.horse else { throw NoHorse() }
    return name
  }

  private func given(_ step: FeedStep) throws -> GivenHorse {
    guard case .given(let horse) = step.horse else { throw NoHorse() }
    return horse
  }

  private struct NoHorse: Error {}
}
