import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import PoolControl
import PoolModel
import PoolRouting
import PoolStore

// The stops of an absent technician, spread over others.
extension RoutesAnswers {
  func cover(_ call: RoutesCall.Cover, _ caller: Caller) async throws -> RoutesCall.Cover.Reply {
    let team = try await finder.team(named: call.team)
    let absent = try await finder.technician(call.technician, of: team)
    var others: [Technician] = []
    for name in call.by {
      let other = try await finder.technician(name, of: team)
      if !others.contains(where: { $0.id == other.id }) { others.append(other) }
    }
    let input = try StopInput(of: team, zones, now: clock.now())
    let date = try input.date(call.date, field: "date")
    let note = try input.note(call.reason, caller)
    let draft = try await self.draft(of: team, date, absent, others, call)
    let problem = try await draft.problem(try await planner.cachedTravelTimes(of: team).cache, call)
    let plan = CoverPlanner.plan(problem)
    let days = draft.days(of: plan)
    guard plan.refused.count < draft.covered.count else {
      throw ControlError.badValue(
        field: "by", value: call.by.joined(separator: ","),
        why: "these technicians can take none of \(countText(draft.covered.count, "stop")): "
          + draft.reason(for: plan.refused[0]))
    }
    let identity = CoverDraft.identity(of: days)
    guard !call.dryRun else { return draft.reply(plan, identity: identity, number: nil) }
    guard call.plan == nil || call.plan == identity else { throw draft.changedMeanwhileError() }
    let made = try await ServiceDateBatch.refusing(mappingErrors, scheduling, team) {
      try await store.changeDates(of: team.id, today: input.today) { dates in
        // The plan was made outside of the transaction.
        guard draft.isCurrent(dates) else { throw draft.changedMeanwhileError() }
        return try dates.cover(date, of: absent.id, by: days, note)
      }
    }
    announce(
      team,
      "\(countText(draft.covered.count - plan.refused.count, "stop")) of \(date) given to others by \(caller.words)")
    return draft.reply(plan, identity: identity, number: made.changes.first.map { Int($0.batch) })
  }

  /// The stops of the date, checked.
  private func draft(
    of team: Team, _ date: CivilDate, _ absent: Technician, _ others: [Technician], _ call: RoutesCall.Cover
  ) async throws -> CoverDraft {
    let input = try StopInput(of: team, zones, now: clock.now())
    for (field, number, range) in [
      ("max_minutes", call.maxMinutes, Limits.coverMinutes), ("max_late", call.maxLate, Limits.coverLateMinutes),
    ] {
      guard let number, !range.contains(number) else { continue }
      throw ControlError.badValue(
        field: field, value: "\(number)", why: "write \(range.lowerBound) to \(range.upperBound) minutes")
    }
    let dates = try await mappingErrors { try await store.serviceDates(of: team.id, today: input.today) }
    do throws(ServiceDateError) {
      _ = try dates.checkCover(date, of: absent.id, by: others.map(\.id))
    } catch { throw ControlError(error) }
    let stops = try await mappingErrors { try await store.routeStops(of: team.id) }.due(from: date, by: dates.services)
    return CoverDraft(
      team: team, date: date, absent: absent, others: others, dates: dates,
      stops: stops.filter { $0.day == date.weekday },
      now: date == dates.today ? try zones.zone(asked: team.zone).local(at: clock.now()).time : nil,
      mostMinutes: call.maxMinutes)
  }
}
