import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import PoolControl
import PoolModel
import PoolStore

// Recurring work at pools.
extension FieldAnswers {
  func listWork(_ call: FieldCall.ListWork, _ caller: Caller) async throws -> FieldCall.ListWork.Reply {
    let team = try await finder.team(named: call.team)
    var only: Pool?
    if let name = call.pool { only = try await finder.pool(name, of: team) }
    let pools = if let only { [only] } else { try await store.allPools(of: team.id) }
    let names = Dictionary(pools.map { ($0.id, $0.customerName) }, uniquingKeysWith: { first, _ in first })
    let list = try await mappingErrors { [only] in try await store.workList(of: team.id, at: only?.id) }
    let today = try self.today(of: team)
    let works = list.works.sorted {
      ($0.due, names[$0.poolID] ?? "", $0.name) < ($1.due, names[$1.poolID] ?? "", $1.name)
    }
    return FieldCall.ListWork.Reply(
      works: works.compactMap { work in
        names[work.poolID].map { WorkView(work, customer: $0, last: list.last(of: work), today: today) }
      })
  }

  func addWork(_ call: FieldCall.AddWork, _ caller: Caller) async throws -> FieldCall.AddWork.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let today = try self.today(of: team)
    let work = PoolWork(
      poolID: pool.id, name: try FieldValue("name", call.name).workName(),
      every: try FieldValue("every", call.every).interval(),
      due: try call.from.map { try workDate(FieldValue("from", $0), of: team, today: today) } ?? today)
    let change = try await mappingErrors {
      try await store.changeWork(at: pool.id, of: team.id) { list in
        guard list.works.count < Limits.worksPerPool else {
          throw ControlError.badValue(
            field: "name", value: work.name,
            why: "the pool of \(pool.customerName) has \(list.works.count) recurring works, the limit is "
              + "\(Limits.worksPerPool); remove some with `pfctl work remove`")
        }
        try list.checkIsFree(work.name, at: pool)
        return .add(work)
      }
    }
    guard let change else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("recurring work of team '\(team.name)' added by \(caller.words)")
    return FieldCall.AddWork.Reply(
      work: WorkView(change.work, customer: pool.customerName, last: nil, today: today))
  }

  func setWork(_ call: FieldCall.SetWork, _ caller: Caller) async throws -> FieldCall.SetWork.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let today = try self.today(of: team)
    var edit = WorkEdit()
    for value in try FieldValue.unique(call.changes) {
      switch value.key {
      case "name": edit.name = try value.workName()
      case "every": edit.every = try value.interval()
      case "from": edit.due = try workDate(value, of: team, today: today)
      default: throw value.unknown(among: WorkEdit.keys)
      }
    }
    let change = try await mappingErrors { [edit] in
      try await store.changeWork(at: pool.id, of: team.id) { list in
        let work = try list.work(call.work, at: pool)
        let changed = edit.applied(to: work, last: list.last(of: work))
        if changed.name.lowercased() != work.name.lowercased() { try list.checkIsFree(changed.name, at: pool) }
        return .set(work, to: changed)
      }
    }
    guard let change else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("recurring work of team '\(team.name)' changed by \(caller.words)")
    let last = try await store.workList(of: team.id, at: pool.id).last(of: change.work)
    return FieldCall.SetWork.Reply(
      work: WorkView(change.work, customer: pool.customerName, last: last, today: today))
  }

  func removeWork(_ call: FieldCall.RemoveWork, _ caller: Caller) async throws -> FieldCall.RemoveWork.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let list = try await mappingErrors { try await store.workList(of: team.id, at: pool.id) }
    let work = try list.work(call.work, at: pool)
    if call.dryRun != true {
      let change = try await mappingErrors {
        try await store.changeWork(at: pool.id, of: team.id) { .remove(try $0.work(work.name, at: pool)) }
      }
      guard change != nil else { throw ControlError.noSuchPool(call.pool, team: team.name) }
      log.notice("recurring work of team '\(team.name)' removed by \(caller.words)")
    }
    return FieldCall.RemoveWork.Reply(
      work: WorkView(work, customer: pool.customerName, last: list.last(of: work), today: try today(of: team)))
  }

  func finishWork(_ call: FieldCall.FinishWork, _ caller: Caller) async throws -> FieldCall.FinishWork.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let now = clock.now()
    let instant = try VisitDraft.instant(call.at, team: team, now: now, zones: zones)
    let marks = try workMarks([call.work], at: instant, pool, team)
    let all = try await mappingErrors { try await store.markDone(marks, at: pool.id, of: team.id) }
    guard let done = all?.first else {
      throw ControlError.noSuchPool(call.pool, team: team.name)
    }
    log.notice("recurring work of team '\(team.name)' marked as done by \(caller.words)")
    return FieldCall.FinishWork.Reply(customer: pool.customerName, done: WorkDoneView(done, in: marks.zone))
  }

  /// The work and machines that `texts` name, done at an instant.
  func workMarks(_ texts: [String], at instant: Timestamp, _ pool: Pool, _ team: Team) throws -> WorkMarks {
    guard texts.count <= Limits.worksPerPool else {
      throw ControlError.badValue(
        field: "done", value: String(texts.count),
        why: "at most \(Limits.worksPerPool) works are marked as done at once")
    }
    let zone = try zones.zone(asked: team.zone)
    return WorkMarks(date: zone.local(at: instant).date, zone: zone) { list in
      try list.targets(texts, at: pool)
    }
  }

  private func today(of team: Team) throws -> CivilDate {
    try zones.zone(asked: team.zone).local(at: clock.now()).date
  }

  /// A date in the team's zone, at most ten years from today.
  private func workDate(_ value: FieldValue, of team: Team, today: CivilDate) throws -> CivilDate {
    let date = try zones.date(value.text, team: team, now: clock.now(), field: value.key)
    let distance = date.daysSince1970 - today.daysSince1970
    guard abs(distance) <= Limits.workDateDays else {
      throw value.refusal(
        "\(date) is more than ten years \(distance < 0 ? "ago" : "ahead"); write the first date on which the work is due, "
          + "such as \(today)")
    }
    return date
  }
}

/// A change of recurring work; nil leaves a value as it is.
private struct WorkEdit: Sendable {
  static let keys = ["name", "every", "from"]
  var name: String?
  var every: WorkInterval?
  var due: CivilDate?

  /// The changed work. With a new interval and no date, the next date is counted again from the last execution.
  func applied(to work: PoolWork, last: CivilDate?) -> PoolWork {
    var changed = work
    changed.name = name ?? work.name
    changed.every = every ?? work.every
    changed.due = due ?? every.flatMap { every in last.map { every.date(after: $0) } } ?? work.due
    return changed
  }
}

extension FieldValue {
  fileprivate func workName() throws(ControlError) -> String { try words(.name, isRequired: true) }

  /// The interval of recurring work or of a machine's service.
  func interval() throws(ControlError) -> WorkInterval {
    do throws(WorkIntervalError) { return try WorkInterval(text) } catch { throw refusal("\(error)") }
  }
}

extension PoolWorkList {
  /// Refuses a name that recurring work of the pool has.
  fileprivate func checkIsFree(_ name: String, at pool: Pool) throws(ControlError) {
    guard works.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return }
    throw ControlError.badValue(
      field: "name", value: name,
      why: "the pool of \(pool.customerName) has recurring work of this name; `pfctl work set` changes it")
  }

  /// The recurring work whose name is `text`, or begins with it.
  fileprivate func work(_ text: String, at pool: Pool) throws(ControlError) -> PoolWork {
    try Self.only(text, works.map { Named(names: [$0.name], target: $0) }, at: pool)
  }

  /// The recurring work and machines that each text names.
  fileprivate func targets(_ texts: [String], at pool: Pool) throws(ControlError) -> [WorkTarget] {
    let named =
      works.map { Named(names: [$0.name], target: WorkTarget.work($0)) }
      + machines.map { Named(names: ["\($0.name) service", $0.name], target: WorkTarget.machine($0)) }
    var seen: Set<String> = []
    var targets: [WorkTarget] = []
    for text in texts {
      let target = try Self.only(text, named, at: pool)
      let key =
        switch target {
        case .work(let work): "work \(work.name)"
        case .machine(let machine): "machine \(machine.id)"
        }
      guard seen.insert(key).inserted else {
        throw ControlError.badValue(field: "done", value: text, why: "this work is named twice; leave one of them out")
      }
      targets.append(target)
    }
    return targets
  }

  /// Something with a name in lists, and further names by which it is found.
  private struct Named<Target> {
    let names: [String]
    let target: Target
  }

  /// The only target with a name that is `text`, or begins with it; an exact match wins. Case is ignored.
  private static func only<Target>(
    _ text: String, _ all: [Named<Target>], at pool: Pool
  ) throws(ControlError) -> Target {
    let wanted = trimmingSpaces(text).lowercased()
    func found(_ matches: (String) -> Bool) -> [Named<Target>] {
      all.filter { $0.names.contains { matches($0.lowercased()) } }
    }
    let exact = wanted.isEmpty ? [] : found { $0 == wanted }
    let matches = exact.isEmpty && !wanted.isEmpty ? found { $0.hasPrefix(wanted) } : exact
    guard let match = matches.first else {
      let names = all.compactMap(\.names.first)
      let near = Suggestion.nearest(to: text, among: all.flatMap(\.names))
      let rest =
        near.map { "did you mean '\($0)'?" }
        ?? (names.isEmpty
          ? "it has none; `pfctl work add` adds some" : "it has \(names.map { "'\($0)'" }.joined(separator: ", "))")
      var facts = ["name": text]
      facts["suggestion"] = near
      throw ControlError(
        .noSuchItem,
        "the pool of \(pool.customerName) has no recurring work '\(TextRule.shown.truncated(text))'; \(rest)",
        facts: facts)
    }
    guard matches.count == 1 else {
      throw ControlError.ambiguous(
        .ambiguousItem, text, "recurring works", matches.compactMap { $0.names.first.map { ("'\($0)'", $0) } },
        isNamed: true)
    }
    return match.target
  }
}

extension WorkView {
  init(_ work: PoolWork, customer: String, last: CivilDate?, today: CivilDate) {
    self.init(
      pool: work.poolID.description, customer: customer, name: work.name, every: work.every.description,
      due: work.due.description, isDue: work.due <= today, last: last?.description)
  }
}

extension WorkDoneView {
  init(_ done: WorkDone, in zone: Zone) {
    let next: String? =
      switch done.after {
      case .due(let date): date.description
      case .service(last: _, let next): next.map { zone.local(at: $0).date.description }
      }
    self.init(name: done.name, machine: done.equipmentID != nil, date: done.date.description, next: next)
  }
}
