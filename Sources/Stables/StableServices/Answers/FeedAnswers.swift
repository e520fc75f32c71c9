import StableControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import StableModel
import StableRules
import StableStore

/// Answers `org.poolflow.Feed`.
struct FeedAnswers: FeedService {
  let store: any CareBooks & FeedBooks & Horses
  let barn: BarnFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let log: DaemonLog

  // MARK: The board

  func board(_ call: FeedCall.Board, _ caller: Caller) async throws -> FeedCall.Board.Reply {
    let team = try await barn.team(named: call.team)
    let dates = FeedDates(at: clock.now(), in: try barn.zone(of: team))
    let date =
      if let text = call.date {
        if let near = dates.named(text) { near } else { try barn.date(text, of: team, field: "date") }
      } else { dates.today }
    guard date <= dates.today else {
      throw ControlError.badValue(
        field: "date", value: call.date ?? "", why: "\(date) is in the future: today is \(dates.today)"
      )
    }
    let days = try await mappingErrors { try await store.feedDays([date], of: team.id) }
    let day = days.first ?? FeedDay(date: date)
    let board = day.board()
    func rows(of slot: FeedSlot) -> Int { board.rows.count { $0[slot] == .open || $0[slot] == .missed } }
    return FeedCall.Board.Reply(
      date: date.description, closed: board.isClosed,
      horses: board.rows.map { row in
        FeedRowView(
          horse: row.horse, id: row.horseID.description, am: cell(row, .am, of: day, team),
          pm: cell(row, .pm, of: day, team))
      }, openAm: rows(of: .am), openPm: rows(of: .pm))
  }

  func mark(_ call: FeedCall.Mark, _ caller: Caller) async throws -> FeedCall.Marked {
    let team = try await barn.team(named: call.team)
    let by = try FieldValue("by", call.by ?? "").words(.name, isSensitive: true)
    let now = clock.now()
    let date = try date(call.date, of: team, now: now)
    let slot = FeedSlot(asked: call.slot)
    var horse: Horse?
    if let name = call.horse { horse = try await barn.horse(name, of: team) }
    let (outcome, day) = try await mappingErrors { [horse] in
      try await store.changeFeedDay(date, of: team.id) { day in
        let outcome =
          if let horse { day.mark(horse.name, slot, at: now, by: by) } else { day.markAll(slot, at: now, by: by) }
        return (outcome, day)
      }
    }
    switch outcome {
    case .marked(let change), .corrected(let change):
      log.notice("feed board of team '\(team.name)' marked by \(caller.words)")
      return marked(outcome.code, change.date, slot, change.horses)
    case .alreadyFed:
      var reply = (at: Timestamp?.none, by: String?.none)
      if let row = day.board().rows.first(where: { $0.horseID == horse?.id }), case .fed(let at, let by) = row[slot] {
        reply = (at, by)
      }
      return marked(
        outcome.code, date, slot, [horse?.name ?? ""], at: reply.at,
        atLocal: reply.at.map { zones.local($0, zone: team.zone) }, by: reply.by)
    case .nothingOpen: return marked(outcome.code, date, slot, [])
    case .noSchedule:
      throw notMarkable(
        horse, outcome,
        "has nothing to be fed in the \(slot == .am ? "morning" : "evening")"
          + "\(day.closed == nil ? "; `pfctl feed set` says what it gets" : ", as its day was closed")")
    case .notOnBoard:
      throw notMarkable(horse, outcome, "was added later and is not on the board of \(date)")
    case .unknownHorse:
      throw ControlError.noSuchHorse(call.horse ?? "", team: team.name, suggestion: nil)
    case .badDate, .undone, .nothingToUndo, .closed, .alreadyClosed:
      throw ControlError(.internal, "marking came to \(outcome.code)")
    }
  }

  func undo(_ call: FeedCall.Undo, _ caller: Caller) async throws -> FeedCall.Marked {
    let team = try await barn.team(named: call.team)
    let date = try date(call.date, of: team, now: clock.now())
    let outcome = try await mappingErrors {
      try await store.changeFeedDay(date, of: team.id) { day in day.undo() }
    }
    guard case .undone(let change) = outcome else {
      throw ControlError(
        .noMarking, "there is no marking on the board of \(date) to undo", facts: ["date": "\(date)"])
    }
    log.notice("feed board of team '\(team.name)': a marking was undone by \(caller.words)")
    return marked(outcome.code, change.date, change.slot, change.horses)
  }

  // MARK: Schedules and history

  func set(_ call: FeedCall.Set, _ caller: Caller) async throws -> FeedCall.Set.Reply {
    let team = try await barn.team(named: call.team)
    guard !call.changes.isEmpty else {
      throw ControlError.badValue(
        field: "changes", value: "", why: "name what to set: \(FeedChanges.keys.joined(separator: ", "))")
    }
    let changes = try FeedChanges(try FieldValue.unique(call.changes))
    let horse = try await barn.horse(call.horse, of: team)
    let schedule = try await mappingErrors {
      try await store.changeSchedules(of: [horse.id], team: team.id) { _, schedule in
        var schedule = schedule ?? FeedSchedule()
        changes.apply(to: &schedule)
        return schedule
      }
      return try await store.schedules(of: team.id)[horse.id]
    }
    log.notice("feed schedule of a horse of team '\(team.name)' changed by \(caller.words)")
    return FeedCall.Set.Reply(schedule: FeedScheduleView(schedule, of: horse))
  }

  func history(_ call: FeedCall.History, _ caller: Caller) async throws -> FeedCall.History.Reply {
    try FieldValue.check(call.limit, in: 1...Limits.rowsPerAnswer, field: "limit")
    let team = try await barn.team(named: call.team)
    let since = try barn.day(call.since, of: team, field: "since")
    let until = try barn.day(call.until, of: team, field: "until")
    var horse: HorseID?
    if let name = call.horse { horse = try await barn.horse(name, of: team).id }
    let rows = try await mappingErrors { [horse] in
      try await store.feedHistory(
        of: team.id, horse: horse, from: since, to: until, limit: call.missed ? Limits.rowsPerAnswer : call.limit)
    }
    let kept = rows.filter { !call.missed || $0.am == .missed || $0.pm == .missed }
    return FeedCall.History.Reply(
      days: kept.prefix(call.limit).map {
        FeedHistoryView(date: $0.date.description, horse: $0.horse, am: $0.am.rawValue, pm: $0.pm.rawValue)
      })
  }

  // MARK: Shared helpers

  /// Today or yesterday, by name or as a date; older boards cannot be changed.
  private func date(_ text: String?, of team: Team, now: Timestamp) throws(ControlError) -> CivilDate {
    let dates = FeedDates(at: now, in: try barn.zone(of: team))
    guard let date = dates.named(text) else {
      throw ControlError.badValue(
        field: "date", value: text ?? "",
        why: "only the boards of today, \(dates.today), and of yesterday, \(dates.yesterday), can be changed")
    }
    return date
  }

  private func notMarkable(_ horse: Horse?, _ outcome: FeedOutcome, _ why: String) -> ControlError {
    let name = horse?.name ?? ""
    return ControlError(.notMarkable, "\(name) \(why)", facts: ["name": name, "why": outcome.code])
  }

  private func marked(
    _ outcome: String, _ date: CivilDate, _ slot: FeedSlot, _ horses: [String], at: Timestamp? = nil,
    atLocal: String? = nil, by: String? = nil
  ) -> FeedCall.Marked {
    FeedCall.Marked(
      outcome: FeedOutcomeView(
        outcome: outcome, date: date.description, slot: FeedSlotView(slot), horses: horses, at: at?.description,
        atLocal: atLocal, by: by))
  }

  /// One cell of the feed board, with the meal that the day's schedule has.
  private func cell(_ row: FeedBoard.Row, _ slot: FeedSlot, of day: FeedDay, _ team: Team) -> FeedCellView {
    let meal = FeedMealView(day.schedules[row.horseID]?[slot] ?? FeedMeal())
    return switch row[slot] {
    case .fed(let at, let by):
      FeedCellView(
        state: "fed", at: at?.description, atLocal: at.map { zones.local($0, zone: team.zone) }, by: by, meal: meal)
    case .open: FeedCellView(state: "open", meal: meal)
    case .noSchedule: FeedCellView(state: "no-schedule", meal: meal)
    case .missed: FeedCellView(state: "missed", meal: meal)
    }
  }
}
