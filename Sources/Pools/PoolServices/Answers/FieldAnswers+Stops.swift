import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowServices
import PoolControl
import PoolModel
import PoolStore

// Changed dates of single stops.
extension FieldAnswers {
  func moveStop(_ call: FieldCall.MoveStop, _ caller: Caller) async throws -> FieldCall.MoveStop.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    var technician: Technician?
    if let name = call.technician { technician = try await finder.technician(name, of: team) }
    let input = try StopInput(of: team, zones, now: clock.now())
    let from = try input.date(call.from, field: "from")
    let to = try input.date(call.to, field: "to")
    let note = try input.note(call.reason, caller)
    let made = try await refusing(team) { [technician] in
      try await store.changeDates(of: team.id, today: input.today) { dates in
        try dates.move(pool.id, from: from, to: to, technician: technician?.id, note)
      }
    }
    announce(
      team,
      from == to
        ? "a stop of \(from) given to another technician by \(caller.words)"
        : "a stop of \(from) moved to \(to) by \(caller.words)")
    return FieldCall.MoveStop.Reply(change: try input.view(of: made))
  }

  func skipStop(_ call: FieldCall.SkipStop, _ caller: Caller) async throws -> FieldCall.SkipStop.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let input = try StopInput(of: team, zones, now: clock.now())
    let date = try input.date(call.date, field: "date")
    let note = try input.note(call.reason, caller)
    guard !note.reason.isEmpty else {
      throw ControlError.badValue(
        field: "reason", value: "", why: "say why the stop is skipped, such as --reason 'gate locked'")
    }
    let made = try await refusing(team) {
      try await store.changeDates(of: team.id, today: input.today) { dates in
        try dates.skip(pool.id, on: date, note)
      }
    }
    announce(team, "a stop of \(date) skipped by \(caller.words)")
    return FieldCall.SkipStop.Reply(change: try input.view(of: made))
  }

  func moveDay(_ call: FieldCall.MoveDay, _ caller: Caller) async throws -> FieldCall.MoveDay.Reply {
    let team = try await finder.team(named: call.team)
    var technician: Technician?
    if let name = call.technician { technician = try await finder.technician(name, of: team) }
    let input = try StopInput(of: team, zones, now: clock.now())
    let date = try input.date(call.date, field: "date")
    let to = try input.date(call.to, field: "to")
    let note = try input.note(call.reason, caller)
    let made = try await refusing(team) { [technician] in
      try await store.changeDates(of: team.id, today: input.today) { dates in
        try dates.moveDay(date, to: to, of: technician?.id, note)
      }
    }
    announce(team, "\(countText(made.changes.count, "stop")) of \(date) moved to \(to) by \(caller.words)")
    return FieldCall.MoveDay.Reply(
      changes: input.views(of: made),
      visited: made.dates.visitedStops(on: date, of: technician?.id).map(\.pool.customerName))
  }

  func undoStops(_ call: FieldCall.UndoStops, _ caller: Caller) async throws -> FieldCall.UndoStops.Reply {
    let team = try await finder.team(named: call.team)
    let input = try StopInput(of: team, zones, now: clock.now())
    let undone = try await refusing(team) {
      try await store.undoDates(batch: Int64(call.number), of: team.id, today: input.today)
    }
    announce(
      team, "change \(call.number) of \(countText(undone.changes.count, "stop")) undone by \(caller.words)")
    let warnings = undone.dates.stopsOnDaysOff(afterUndoOf: undone.changes).map { stops in
      let technician = stops.technician.map(undone.dates.name)
      return stops.warning(technician: technician) + ": " + TradeTeams.stopsRemedy(team, stops.date, technician)
    }
    return FieldCall.UndoStops.Reply(changes: input.views(of: undone), warnings: warnings.isEmpty ? nil : warnings)
  }

  private func refusing(
    _ team: Team, _ body: () async throws -> ServiceDateBatch
  ) async throws -> ServiceDateBatch {
    try await ServiceDateBatch.refusing(mappingErrors, scheduling, team, body)
  }
}

extension StopsOnDayOff {
  /// The sentence of the warning, without the commands.
  fileprivate func warning(technician: String?) -> String {
    let note = off.note.isEmpty ? "" : " (\(off.note))"
    let day = "\(date.weekday.abbreviation) \(date)"
    return "\(technician.map { "\($0) is away" } ?? "the team is closed") on \(day)\(note), and has "
      + "\(countText(stops, "stop")) there again"
  }
}

extension ServiceDateBatch {
  /// Runs a change of dates, which may plan a notice; its refusal becomes an error for the caller.
  ///
  /// - Parameter scheduling: plans the notice; nil where there is no scheduler.
  static func refusing(
    _ mappingErrors: StoreErrorMapper, _ scheduling: TeamScheduling?, _ team: Team,
    _ body: () async throws -> ServiceDateBatch
  ) async throws -> ServiceDateBatch {
    do {
      guard let scheduling else { return try await mappingErrors { try await body() } }
      return try await scheduling.perform(.rules(of: team.id)) { _ in try await body() }
    } catch let error as ServiceDateError {
      throw ControlError(error)
    }
  }
}

/// The team's date and zone, for dates that a caller typed and changes that it gets.
struct StopInput: Sendable {
  let today: ServiceToday
  private let team: Team
  private let zones: SystemZones
  private let now: Timestamp

  init(of team: Team, _ zones: SystemZones, now: Timestamp) throws {
    today = ServiceToday(at: now, in: try zones.zone(asked: team.zone))
    (self.team, self.zones, self.now) = (team, zones, now)
  }

  func date(_ text: String, field: String) throws -> CivilDate {
    try zones.date(text, team: team, now: now, field: field)
  }

  func note(_ reason: String?, _ caller: Caller) throws -> ServiceChangeNote {
    ServiceChangeNote(
      reason: try FieldValue("reason", reason ?? "").words(.holdNote, isSensitive: true), setBy: caller.words,
      madeAt: now)
  }

  /// The only change of a batch.
  func view(of batch: ServiceDateBatch) throws -> StopChangeView {
    guard let view = views(of: batch).first else { throw ControlError(ServiceDateError.poolRemoved) }
    return view
  }

  func views(of batch: ServiceDateBatch) -> [StopChangeView] {
    batch.changes.compactMap { view(of: $0, batch.dates, isEffective: true) }
  }

  /// Nil if the pool does not exist any more.
  func view(of change: ServiceDateChange, _ dates: ServiceDates, isEffective: Bool) -> StopChangeView? {
    guard let line = dates.lines.first(where: { $0.pool.id == change.pool }) else { return nil }
    return StopChangeView(
      number: Int(change.batch), id: change.pool.description, customer: line.pool.customerName,
      from: change.from.description, to: change.to?.description,
      technician: dates.name(of: change.technician ?? line.technicianID), reason: change.reason, setBy: change.setBy,
      made: change.madeAt.description, madeLocal: zones.local(change.madeAt, zone: team.zone), effective: isEffective)
  }
}

extension ControlError {
  /// The refusal of a change of dates.
  init(_ error: ServiceDateError) {
    switch error {
    case .noSuchBatch(let number):
      self.init(.noSuchStopChange, "\(error)", facts: ["name": String(number)])
    default: self.init(.badValue, "\(error)", facts: ["field": "date", "value": "", "why": "\(error)"])
    }
  }
}
