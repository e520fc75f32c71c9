import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import PoolControl
import PoolModel
import PoolStore

// Pauses of a pool's service.
extension FieldAnswers {
  func pausePool(_ call: FieldCall.PausePool, _ caller: Caller) async throws -> FieldCall.PausePool.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let now = ServiceToday(at: clock.now(), in: try zones.zone(asked: team.zone))
    let today = now.date
    let reason = try FieldValue("reason", call.reason ?? "").words(.holdNote, isSensitive: true)
    let days: DaySpan
    do throws(DaySpanError) {
      days = try DaySpan(call.days, today: today)
    } catch { throw ControlError.badValue(field: "days", value: call.days, why: "\(error)") }
    guard !days.isOver(on: today) else {
      throw ControlError.badValue(
        field: "days", value: call.days,
        why: "all of these days are past: today is \(today) in the team's time zone")
    }
    let pause = ServicePause(id: 0, days: days, reason: reason, setBy: caller.words)
    let before = try await service(of: pool, team)
    let change = try await changingStops(of: team) {
      try await store.changePauses(of: pool.id, team: team.id, today: now) { service in
        if let same = service.pauses.first(where: { $0.days == days }) {
          throw ControlError.badValue(
            field: "days", value: call.days,
            why: "the pool of \(pool.customerName) is paused on these days already, by pause \(same.id)")
        }
        let coming = service.pauses.count { !$0.days.isOver(on: today) }
        guard coming < Limits.pausesPerPool else {
          throw ControlError.badValue(
            field: "days", value: call.days,
            why: "this pool has \(coming) pauses that are not over, the limit is \(Limits.pausesPerPool); end some "
              + "with "
              + "`pfctl pool resume`")
        }
        let paused = PoolService(weekday: service.weekday, rule: service.rule, pauses: service.pauses + [pause])
        guard paused.next(onOrAfter: today) != nil else {
          throw ControlError.badValue(
            field: "days", value: call.days,
            why: "the pool would never be served again; remove the pool, or let the pause end before its last date "
              + "of service")
        }
        return PauseChange(added: [pause])
      }
    }
    guard let added = change?.added.first else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("pool of team '\(team.name)' paused by \(caller.words)")
    let after = try await service(of: pool, team)
    return FieldCall.PausePool.Reply(
      id: pool.id.description, customer: pool.customerName, pause: PauseView(added, today: today),
      next: after.next(onOrAfter: today)?.description,
      warnings: ServiceChange.losses(from: before, to: after, today: today))
  }

  func resumePool(_ call: FieldCall.ResumePool, _ caller: Caller) async throws -> FieldCall.ResumePool.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let now = ServiceToday(at: clock.now(), in: try zones.zone(asked: team.zone))
    let today = now.date
    let change = try await changingStops(of: team) {
      try await store.changePauses(of: pool.id, team: team.id, today: now) { service in
        let pause = try Self.pause(call.pause, of: service, pool, today: today)
        return PauseChange(added: pause.before(today).map { [$0] } ?? [], removed: [pause])
      }
    }
    guard let removed = change?.removed.first else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("pool of team '\(team.name)' resumed by \(caller.words)")
    return FieldCall.ResumePool.Reply(
      id: pool.id.description, customer: pool.customerName, pause: PauseView(removed, today: today),
      next: try await service(of: pool, team).next(onOrAfter: today)?.description)
  }

  /// The pause with a number; for nil the only one that is not over.
  private static func pause(
    _ number: Int?, of service: PoolService, _ pool: Pool, today: CivilDate
  ) throws(ControlError) -> ServicePause {
    if let number {
      if let pause = service.pauses.first(where: { $0.id == Int64(number) }) { return pause }
      throw ControlError(
        .noSuchPause,
        "the pool of \(pool.customerName) has no pause with number \(number); `pfctl service list` shows the numbers",
        facts: ["name": String(number)])
    }
    let coming = service.pauses.filter { !$0.days.isOver(on: today) }
    guard let pause = coming.first else {
      throw ControlError(
        .noSuchPause, "the pool of \(pool.customerName) is not paused; `pfctl service list` shows all pauses",
        facts: ["name": pool.customerName])
    }
    guard coming.count == 1 else {
      throw ControlError.badValue(
        field: "pause", value: "",
        why: "the pool of \(pool.customerName) has \(coming.count) pauses; name one of them: "
          + coming.map { "\($0.id) (\($0.days))" }.joined(separator: ", "))
    }
    return pause
  }
}

extension ServicePause {
  /// The days of a range before `today`, as a pause of their own; nil if there are none.
  fileprivate func before(_ today: CivilDate) -> ServicePause? {
    guard let range = days.range, range.first < today, range.last >= today else { return nil }
    do throws(DaySpanError) {
      let past = try DaySpan(first: range.first, last: today.adding(days: -1))
      return ServicePause(id: 0, days: past, reason: reason, setBy: setBy)
    } catch { return nil }
  }
}

extension PauseView {
  init(_ pause: ServicePause, today: CivilDate) {
    self.init(
      id: Int(pause.id), days: pause.days.description, words: pause.days.inWords, reason: pause.reason,
      setBy: pause.setBy, over: pause.days.isOver(on: today))
  }
}
