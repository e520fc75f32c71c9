package import FlowCalendar
package import FlowModel

/// Work at a pool that comes back after an interval, such as cleaning its filter.
package struct PoolWork: Hashable, Sendable {
  package let poolID: PoolID
  /// Unique at the pool, ignoring case.
  package var name: String
  package var every: WorkInterval
  /// The first date on which it is due; it is shown at the first stop on or after this date.
  package var due: CivilDate

  package init(poolID: PoolID, name: String, every: WorkInterval, due: CivilDate) {
    self.poolID = poolID
    self.name = name
    self.every = every
    self.due = due
  }
}

/// The dates that move when work is done: those of recurring work, or those of a machine's service.
package enum WorkDates: Hashable, Sendable {
  case due(CivilDate)
  /// The last and the next service of a machine; nil if unknown.
  case service(last: Timestamp?, next: Timestamp?)
}

extension WorkDates: CustomStringConvertible {
  /// `2026-06-01`, or the last and the next service: `2026-03-02T07:00:00Z/-`.
  package var description: String {
    switch self {
    case .due(let date): "\(date)"
    case .service(let last, let next): [last, next].map { $0?.description ?? "-" }.joined(separator: "/")
    }
  }

  /// Parses `description`; nil for any other text.
  package init?(stored text: String) {
    if let date = CivilDate(text) {
      self = .due(date)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let instants = parts.map { Timestamp(rfc3339: $0) }
    for (part, instant) in zip(parts, instants) where instant == nil && part != "-" { return nil }
    self = .service(last: instants[0], next: instants[1])
  }

  /// Removes fractions of a second, which archives do not have.
  fileprivate mutating func truncateToSeconds() {
    func whole(_ instant: Timestamp?) -> Timestamp? { instant.map { Timestamp(seconds: $0.seconds) } }
    if case .service(let last, let next) = self { self = .service(last: whole(last), next: whole(next)) }
  }
}

/// Recurring work, or the service of a machine, that was done.
package struct WorkDone: Hashable, Sendable {
  package let poolID: PoolID
  /// The name of the work or of the machine when it was done.
  package var name: String
  /// The machine that was serviced; nil for recurring work.
  package let equipmentID: EquipmentID?
  /// The visit during which it was done; nil if it was marked as done without one.
  package var visitID: ServiceEventID?
  /// The local date.
  package let date: CivilDate
  /// The dates of the work before it was done, and after it.
  package var before: WorkDates
  package var after: WorkDates

  package init(
    poolID: PoolID, name: String, equipmentID: EquipmentID? = nil, visitID: ServiceEventID? = nil, date: CivilDate,
    before: WorkDates, after: WorkDates
  ) {
    self.poolID = poolID
    self.name = name
    self.equipmentID = equipmentID
    self.visitID = visitID
    self.date = date
    self.before = before
    self.after = after
  }
}

/// The executions of one work in order of their dates, and its present dates.
///
/// Each execution knows the dates before and after it, so that a removed one restores those before it, unless they were
/// changed since.
package struct WorkHistory: Sendable {
  package private(set) var done: [WorkDone]
  package private(set) var present: WorkDates

  /// - Parameter done: sorted by date.
  package init(_ done: [WorkDone], present: WorkDates) {
    self.done = done
    self.present = present
  }

  /// Adds an execution. If a later one is recorded already, the present dates stay.
  ///
  /// - Parameter make: returns the execution; takes the dates before it.
  /// - Returns: the index of the execution.
  package mutating func add(on date: CivilDate, _ make: (WorkDates) -> WorkDone) -> Int {
    let index = done.lastIndex { $0.date <= date }.map { $0 + 1 } ?? 0
    guard index < done.count else {
      let one = make(present)
      present = one.after
      done.append(one)
      return index
    }
    let one = make(done[index].before)
    done[index].before = one.after
    done.insert(one, at: index)
    return index
  }

  /// Removes an execution and restores the dates before it, unless they were changed since.
  package mutating func remove(at index: Int) {
    let one = done.remove(at: index)
    if index < done.count {
      if done[index].before == one.after { done[index].before = one.before }
    } else if present == one.after {
      present = one.before
    }
  }
}

/// Recurring work of a pool or of a team, and the machines whose service moves on in the same way.
package struct PoolWorkList: Hashable, Sendable {
  /// Sorted by pool and name.
  package let works: [PoolWork]
  package let machines: [Equipment]
  /// The intervals of service of machines that have one of their own.
  package let intervals: [EquipmentID: WorkInterval]
  /// The newest execution of each work.
  package let last: [Key: CivilDate]

  /// Names a work of a team.
  package struct Key: Hashable, Sendable {
    package let poolID: PoolID
    package let name: String

    package init(poolID: PoolID, name: String) {
      self.poolID = poolID
      self.name = name
    }
  }

  package init(
    works: [PoolWork] = [], machines: [Equipment] = [], intervals: [EquipmentID: WorkInterval] = [:],
    last: [Key: CivilDate] = [:]
  ) {
    self.works = works
    self.machines = machines
    self.intervals = intervals
    self.last = last
  }

  /// The newest execution of a work; nil if it was never done.
  package func last(of work: PoolWork) -> CivilDate? { last[Key(poolID: work.poolID, name: work.name)] }
}

extension Equipment {
  /// The dates after a service on `date`: midnights in the team's zone.
  ///
  /// - Parameter every: the interval of its own; nil for the time from its last service to its next one. If that is unknown,
  ///   the next service is unknown, too.
  package func serviced(on date: CivilDate, every: WorkInterval?, before: WorkDates, in zone: Zone) -> WorkDates {
    func midnight(_ date: CivilDate) -> Timestamp {
      zone.resolve(LocalDateTime(date: date, time: .midnight)).standard
    }
    var interval = every
    if interval == nil, case .service(let last?, let next?) = before {
      interval = WorkInterval(from: zone.local(at: last).date, to: zone.local(at: next).date)
    }
    return .service(last: midnight(date), next: interval.map { midnight($0.date(after: date)) })
  }
}

/// The recurring work of an archive's pools.
package struct PoolWorkRecords: Hashable, Sendable {
  package var works: [PoolWork]
  package var intervals: [EquipmentID: WorkInterval]
  /// Sorted by date.
  package var done: [WorkDone]

  package init(works: [PoolWork] = [], intervals: [EquipmentID: WorkInterval] = [:], done: [WorkDone] = []) {
    self.works = works
    self.intervals = intervals
    self.done = done
  }

  /// The records of some pools; intervals of all machines.
  package func only(at pools: Set<PoolID>) -> PoolWorkRecords {
    PoolWorkRecords(
      works: works.filter { pools.contains($0.poolID) }, intervals: intervals,
      done: done.filter { pools.contains($0.poolID) })
  }

  /// Removes fractions of a second, which archives do not have.
  package mutating func truncateToSeconds() {
    for index in done.indices {
      done[index].before.truncateToSeconds()
      done[index].after.truncateToSeconds()
    }
  }
}
