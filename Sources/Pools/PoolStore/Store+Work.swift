package import FlowCalendar
package import FlowModel
package import FlowStore
package import PoolModel

/// Reads and changes recurring work at pools. Each change is one transaction; an error thrown by a closure is rethrown and
/// nothing is changed.
package protocol RecurringWork: Sendable {
  /// The recurring work and the machines of one pool, or of all pools of the team (nil).
  func workList(of team: TeamID, at pool: PoolID?) async throws -> PoolWorkList

  /// Changes the recurring work of a pool.
  ///
  /// - Parameter change: returns the change; takes the pool's recurring work.
  /// - Returns: nil if the pool no longer exists.
  func changeWork(
    at pool: PoolID, of team: TeamID, change: @Sendable (PoolWorkList) throws -> WorkChange
  ) async throws -> WorkChange?

  /// Marks work as done without a visit, and moves its next dates.
  ///
  /// - Returns: nil if the pool no longer exists.
  func markDone(_ marks: WorkMarks, at pool: PoolID, of team: TeamID) async throws -> [WorkDone]?

  /// The work done during a visit, by name.
  func workDone(during visit: ServiceEventID, team: TeamID) async throws -> [WorkDone]

  /// The work done from `first` to `last`, both inclusive, by date.
  func workDone(of team: TeamID, from first: CivilDate, to last: CivilDate) async throws -> [WorkDone]
}

/// A change of a pool's recurring work.
package enum WorkChange: Sendable {
  case add(PoolWork)
  case set(PoolWork, to: PoolWork)
  case remove(PoolWork)

  /// The work after the change; for a removal before it.
  package var work: PoolWork {
    switch self {
    case .add(let work), .set(_, to: let work), .remove(let work): work
    }
  }
}

/// Recurring work, or a machine whose service is due at intervals.
package enum WorkTarget: Sendable {
  case work(PoolWork)
  case machine(Equipment)

  /// The present dates.
  var dates: WorkDates {
    switch self {
    case .work(let work): .due(work.due)
    case .machine(let machine): .service(last: machine.lastServiceDate, next: machine.nextServiceDate)
    }
  }
}

/// The work that is marked as done.
package struct WorkMarks: Sendable {
  /// The local date.
  package let date: CivilDate
  package let zone: Zone
  /// Returns the work; takes what the pool has. An error that it throws is rethrown.
  package let choose: @Sendable (PoolWorkList) throws -> [WorkTarget]

  package init(date: CivilDate, zone: Zone, choose: @escaping @Sendable (PoolWorkList) throws -> [WorkTarget]) {
    self.date = date
    self.zone = zone
    self.choose = choose
  }
}

extension PoolWorkList {
  /// The work or machine that was done; nil if it no longer exists.
  func target(of done: WorkDone) -> WorkTarget? {
    if let id = done.equipmentID { return machines.first { $0.id == id }.map { .machine($0) } }
    return works.first { $0.poolID == done.poolID && $0.name == done.name }.map { .work($0) }
  }
}

extension Store: RecurringWork {
  package nonisolated func workList(of team: TeamID, at pool: PoolID?) async throws -> PoolWorkList {
    try await readConcurrently { try $0.workList(of: team, at: pool) }
  }

  package func changeWork(
    at pool: PoolID, of team: TeamID, change: @Sendable (PoolWorkList) throws -> WorkChange
  ) throws -> WorkChange? {
    try connection.transaction(of: [team]) {
      guard try connection.poolState(pool, team: team) != nil else { return nil }
      let change = try change(try connection.workList(of: team, at: pool))
      switch change {
      case .add(let work): try connection.insert(work, team: team)
      case .set(let work, to: let changed): try connection.replace(work, by: changed, team: team)
      case .remove(let work): try connection.remove(work, team: team)
      }
      return change
    }
  }

  package func markDone(_ marks: WorkMarks, at pool: PoolID, of team: TeamID) throws -> [WorkDone]? {
    try connection.transaction(of: [team]) {
      guard try connection.poolState(pool, team: team) != nil else { return nil }
      return try connection.markDone(marks, at: pool, during: nil, team: team)
    }
  }

  package nonisolated func workDone(during visit: ServiceEventID, team: TeamID) async throws -> [WorkDone] {
    try await readConcurrently { try $0.workDone(during: visit, team: team) }
  }

  package nonisolated func workDone(
    of team: TeamID, from first: CivilDate, to last: CivilDate
  ) async throws -> [WorkDone] {
    try await readConcurrently { try $0.workDone(of: team, from: first, to: last) }
  }
}

extension Connection {
  /// Marks the work that `marks` chooses as done.
  func markDone(
    _ marks: WorkMarks, at pool: PoolID, during visit: ServiceEventID?, team: TeamID
  ) throws -> [WorkDone] {
    let list = try workList(of: team, at: pool)
    return try marks.choose(list).map { target in
      var interval: WorkInterval?
      if case .machine(let machine) = target { interval = list.intervals[machine.id] }
      return try markDone(
        target, on: marks.date, during: visit, interval: interval, in: marks.zone, team: team)
    }
  }
}
