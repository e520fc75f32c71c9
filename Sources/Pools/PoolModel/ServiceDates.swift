package import FlowCalendar
package import FlowModel

/// Everything that a change of service dates is checked against, as of one moment.
package struct ServiceDates: Sendable {
  /// A pool and its own technician.
  package struct Line: Hashable, Sendable {
    package let pool: Pool
    package let technicianID: TechnicianID

    package init(pool: Pool, technicianID: TechnicianID) {
      self.pool = pool
      self.technicianID = technicianID
    }
  }

  /// In route order within each weekday.
  package let lines: [Line]
  package let services: ServiceCalendar
  package let technicians: [Technician]
  package let daysOff: DaysOff
  /// The pools that were visited today.
  package let visited: Set<PoolID>
  /// The local date in the team's zone.
  package let today: CivilDate

  package init(
    lines: [Line], services: ServiceCalendar, technicians: [Technician], daysOff: DaysOff, visited: Set<PoolID>,
    today: CivilDate
  ) {
    self.lines = lines
    self.services = services
    self.technicians = technicians
    self.daysOff = daysOff
    self.visited = visited
    self.today = today
  }

  package func service(of pool: Pool) -> PoolService { services[pool.id] ?? PoolService(weekday: pool.serviceDay) }

  /// The stops of a date, in route order.
  ///
  /// - Parameter technician: only the stops that this technician serves on the date; nil for all.
  package func stops(on date: CivilDate, of technician: TechnicianID? = nil) -> [Line] {
    lines.filter { line in
      services.isServed(line.pool.id, weekday: line.pool.serviceDay, on: date)
        && (technician.map { $0 == self.technician(of: line, on: date) } ?? true)
    }
  }

  /// The stops of a date that were visited already.
  package func visitedStops(on date: CivilDate, of technician: TechnicianID? = nil) -> [Line] {
    date == today ? stops(on: date, of: technician).filter { visited.contains($0.pool.id) } : []
  }

  /// The technician who serves a pool on a date.
  package func technician(of line: Line, on date: CivilDate) -> TechnicianID {
    services.technician(of: line.pool.id, own: line.technicianID, on: date)
  }

  package func name(of technician: TechnicianID) -> String {
    technicians.first { $0.id == technician }?.name ?? ""
  }

  // MARK: Checks

  /// Checks that a stop may be taken from a date: it is served then, it is not past, and the pool was not visited yet.
  ///
  /// - Throws: `ServiceDateError`.
  package func checkStop(of line: Line, on date: CivilDate) throws(ServiceDateError) {
    let (pool, service) = (line.pool, service(of: line.pool))
    guard date >= today else { throw .past(date, today: today) }
    guard service.isServed(on: date) else {
      if let moved = service.movedStop(from: date) {
        throw .moved(
          customer: pool.customerName, from: date, to: moved.date, batch: moved.stop.changes.last?.batch ?? 0)
      }
      if let skipped = service.skippedStop(on: date) {
        throw .skipped(customer: pool.customerName, date, batch: skipped.changes.last?.batch ?? 0)
      }
      if let pause = service.pause(on: date) { throw .paused(customer: pool.customerName, date, pause) }
      throw .notServed(
        customer: pool.customerName, date, next: service.next(onOrAfter: max(date, today)))
    }
    guard date != today || !visited.contains(pool.id) else {
      throw .visited(customer: pool.customerName, date)
    }
  }

  /// Checks that a stop of `from` may be served on `to` by a technician.
  ///
  /// - Parameter technician: nil for the pool's own.
  /// - Throws: `ServiceDateError`.
  package func checkMove(
    of line: Line, from: CivilDate, to: CivilDate, technician: TechnicianID?
  ) throws(ServiceDateError) {
    try checkStop(of: line, on: from)
    let (pool, service) = (line.pool, service(of: line.pool))
    guard to >= today else { throw .past(to, today: today) }
    if let off = daysOff.closure(on: to) { throw .closed(to, off) }
    let driver = technician ?? line.technicianID
    if let off = daysOff.absence(of: driver, on: to) {
      throw .away(customer: pool.customerName, technician: name(of: driver), to, off)
    }
    guard to != from else {
      guard driver != self.technician(of: line, on: from) else {
        throw .sameDate(customer: pool.customerName, from, technician: name(of: driver))
      }
      return
    }
    if let pause = service.pause(on: to) { throw .paused(customer: pool.customerName, to, pause) }
    guard !service.isServed(on: to) else { throw .alreadyServed(customer: pool.customerName, to) }
    if let other = service.date(between: from, and: to) {
      throw .passes(customer: pool.customerName, from: from, to: to, other: other)
    }
  }

  /// The stops of a date that can be moved to another one: those that were not visited yet.
  ///
  /// - Parameter technician: only the stops of this technician; nil for all.
  /// - Throws: `ServiceDateError` if there is none, or if one of them cannot be moved.
  package func checkDay(
    _ date: CivilDate, to: CivilDate, of technician: TechnicianID?
  ) throws(ServiceDateError) -> [Line] {
    guard date >= today else { throw .past(date, today: today) }
    guard date != to else { throw .sameDay(date) }
    let all = stops(on: date, of: technician)
    guard !all.isEmpty else { throw .noStops(date, technician: technician.map(name)) }
    let done = visitedStops(on: date, of: technician)
    let rest = all.filter { !done.contains($0) }
    guard !rest.isEmpty else { throw .allVisited(date, stops: done.count) }
    var refusals: [ServiceDateError] = []
    for line in rest {
      do throws(ServiceDateError) {
        try checkMove(of: line, from: date, to: to, technician: nil)
      } catch { refusals.append(error) }
    }
    if let first = refusals.first {
      // A reason that is the same for every stop is told once.
      throw Set(refusals).count == 1 && refusals.count == rest.count
        ? first : .someOf(stops: rest.count, refused: refusals.count, first: "\(first)")
    }
    return rest
  }

  // MARK: Changes

  /// Moves a stop to another date, or gives it to another technician on its date.
  ///
  /// - Parameter technician: who serves it then; nil for the pool's own.
  /// - Throws: `ServiceDateError`.
  package func move(
    _ pool: PoolID, from: CivilDate, to: CivilDate, technician: TechnicianID?, _ note: ServiceChangeNote
  ) throws(ServiceDateError) -> [ServiceDateChange] {
    let line = try line(of: pool)
    try checkMove(of: line, from: from, to: to, technician: technician)
    return [change(of: line, from: from, to: to, technician: technician, note)]
  }

  /// Skips a stop.
  ///
  /// - Throws: `ServiceDateError`.
  package func skip(
    _ pool: PoolID, on date: CivilDate, _ note: ServiceChangeNote
  ) throws(ServiceDateError) -> [ServiceDateChange] {
    let line = try line(of: pool)
    try checkStop(of: line, on: date)
    return [change(of: line, from: date, to: nil, technician: nil, note)]
  }

  /// Moves the stops of a date that were not visited yet, to the pools' own technicians on another date.
  ///
  /// - Parameter technician: only the stops of this technician; nil for all.
  /// - Throws: `ServiceDateError`.
  package func moveDay(
    _ date: CivilDate, to: CivilDate, of technician: TechnicianID?, _ note: ServiceChangeNote
  ) throws(ServiceDateError) -> [ServiceDateChange] {
    try checkDay(date, to: to, of: technician).map { line in
      change(of: line, from: date, to: to, technician: nil, note)
    }
  }

  private func line(of pool: PoolID) throws(ServiceDateError) -> Line {
    guard let line = lines.first(where: { $0.pool.id == pool }) else { throw .poolRemoved }
    return line
  }

  private func change(
    of line: Line, from: CivilDate, to: CivilDate?, technician: TechnicianID?, _ note: ServiceChangeNote
  ) -> ServiceDateChange {
    ServiceDateChange(
      pool: line.pool.id, from: from, to: to, technician: technician == line.technicianID ? nil : technician,
      reason: note.reason, setBy: note.setBy, madeAt: note.madeAt)
  }

  /// Checks that a batch can be undone.
  ///
  /// - Parameter lastVisits: the date of the last visit to each pool of the batch that was visited since its stop's new date. It
  ///   is needed only for stops whose new date is past; `visited` is enough for those of today.
  /// - Throws: `ServiceDateError` if a later change builds on the batch, a date is past, or a stop was visited.
  package func checkUndo(
    of batch: [ServiceDateChange], lastVisits: [PoolID: CivilDate] = [:]
  ) throws(ServiceDateError) {
    let byPool = Dictionary(grouping: batch, by: \.pool).values.sorted { ($0.first?.id ?? 0) < ($1.first?.id ?? 0) }
    for own in byPool {
      guard let line = lines.first(where: { $0.pool.id == own.first?.pool }) else { continue }
      let service = service(of: line.pool)
      for change in own where service.isEffective(change) {
        // A later change of the same stop begins with the date, the technician and the position that this one gave it.
        if let later = service.laterChange(of: change) {
          throw .builtUpon(batch: change.batch, later: later.batch, customer: line.pool.customerName)
        }
        guard change.from >= today else {
          throw .undoPast(batch: change.batch, change.from, today: today)
        }
        guard change.isCover || !service.isServed(on: change.from) else {
          throw .alreadyServed(customer: line.pool.customerName, change.from)
        }
        if let date = visitDate(of: change, lastVisits) {
          throw .undoVisited(
            batch: change.batch, customer: line.pool.customerName, date,
            remedy: remedy(instead: batch.filter { visitDate(of: $0, lastVisits) == nil }))
        }
      }
    }
  }
}

/// Why, by whom and when dates of service are changed.
package struct ServiceChangeNote: Hashable, Sendable {
  package let reason: String
  /// The person who entered it, such as `anna (uid 1000)`.
  package let setBy: String
  package let madeAt: Timestamp

  package init(reason: String, setBy: String, madeAt: Timestamp) {
    self.reason = reason
    self.setBy = setBy
    self.madeAt = madeAt
  }
}

/// Reason why a date of service cannot be changed.
package enum ServiceDateError: Error, Hashable, Sendable, CustomStringConvertible {
  case past(CivilDate, today: CivilDate)
  case notServed(customer: String, CivilDate, next: CivilDate?)
  case paused(customer: String, CivilDate, ServicePause)
  case moved(customer: String, from: CivilDate, to: CivilDate, batch: Int64)
  case skipped(customer: String, CivilDate, batch: Int64)
  case visited(customer: String, CivilDate)
  case closed(CivilDate, DayOff)
  case away(customer: String, technician: String, CivilDate, DayOff)
  /// Neither the date nor the technician would change.
  case sameDate(customer: String, CivilDate, technician: String)
  case sameDay(CivilDate)
  case alreadyServed(customer: String, CivilDate)
  /// The stop would come after the pool's next date of service, or before the one before it: `other`.
  case passes(customer: String, from: CivilDate, to: CivilDate, other: CivilDate)
  case noStops(CivilDate, technician: String?)
  case allVisited(CivilDate, stops: Int)
  case someOf(stops: Int, refused: Int, first: String)
  case noCover
  case coversItself(technician: String)
  case coverAway(technician: String, CivilDate, DayOff)
  /// Others serve all stops of the technician on this date already.
  case covered(CivilDate, technician: String, batch: Int64)
  case poolRemoved
  case noSuchBatch(Int64)
  case builtUpon(batch: Int64, later: Int64, customer: String)
  case undoPast(batch: Int64, CivilDate, today: CivilDate)
  /// The stop was visited. `remedy` takes one of the other stops back; nil if the batch has no other one.
  case undoVisited(batch: Int64, customer: String, CivilDate, remedy: UndoRemedy?)

  package var description: String {
    switch self {
    case .past(let date, let today):
      "\(Self.day(date)) is past: today is \(today) in the team's time zone; name today or a later date"
    case .notServed(let customer, let date, let next):
      "the pool of \(customer) is not served on \(Self.day(date)); "
        + (next.map { "its next date of service is \(Self.day($0))" } ?? "no date of service is left")
    case .paused(let customer, let date, let pause):
      "the pool of \(customer) is paused on \(Self.day(date)) (\(pause.days.inWords)); end the pause with `pfctl pool "
        + "resume` first"
    case .moved(let customer, let from, let to, let batch):
      "the stop of \(customer) was moved from \(Self.day(from)) to \(Self.day(to)) by change \(batch); name \(to) as its "
        + "date, or undo the change with `pfctl stop undo \(batch)`"
    case .skipped(let customer, let date, let batch):
      "the stop of \(customer) on \(Self.day(date)) is skipped by change \(batch); undo it with `pfctl stop undo \(batch)` "
        + "first"
    case .visited(let customer, let date):
      "the pool of \(customer) was already visited on \(Self.day(date)); `pfctl visit list` shows the visit"
    case .closed(let date, let off):
      "the team is closed on \(Self.day(date))\(Self.note(off)); name another date, or see `pfctl closed list`"
    case .away(let customer, let technician, let date, let off):
      "\(technician) is away on \(Self.day(date))\(Self.note(off)) and cannot serve the pool of \(customer); name another "
        + "date, or another technician"
    case .sameDate(let customer, let date, let technician):
      "the stop of \(customer) is on \(Self.day(date)) with \(technician) already; name another date or another technician"
    case .sameDay(let date): "the stops are on \(Self.day(date)) already; name another date to move them to"
    case .alreadyServed(let customer, let date):
      "the pool of \(customer) is served on \(Self.day(date)) anyway; skip the other date with `pfctl stop skip` instead"
    case .passes(let customer, let from, let to, let other):
      "the stop of \(customer) cannot be moved from \(Self.day(from)) to \(Self.day(to)), because the pool is also served "
        + "between the two, on \(Self.day(other)), and this service would come \(from < to ? "after" : "before") that one; "
        + "name a date \(from < to ? "before" : "after") \(other), or skip the stop with `pfctl stop skip`"
    case .noStops(let date, let technician):
      "\(technician ?? "the team") has no stop on \(Self.day(date)); `pfctl digest --at \(date)` shows the day"
    case .allVisited(let date, let stops):
      "all \(countText(stops, "stop")) of \(Self.day(date)) were already visited; there is nothing to move"
    case .someOf(let stops, let refused, let first):
      "\(refused) of \(countText(stops, "stop")) cannot be moved, so none was: \(first)"
    case .noCover: "name at least one other technician who takes the stops, such as --by dan,keisha"
    case .coversItself(let technician):
      "\(technician) is the technician whose stops are covered; name only others with --by"
    case .coverAway(let technician, let date, let off):
      "\(technician) is away on \(Self.day(date))\(Self.note(off)) and cannot take stops; leave that name out of --by"
    case .covered(let date, let technician, let batch):
      "the stops of \(technician) on \(Self.day(date)) are covered already by change \(batch); undo it with `pfctl stop "
        + "undo \(batch)` first"
    case .poolRemoved: "the pool was removed meanwhile; `pfctl pool list` shows the pools"
    case .noSuchBatch(let batch):
      "there is no change \(batch) of this team; `pfctl stop list` shows their numbers"
    case .builtUpon(let batch, let later, let customer):
      "change \(later) of \(customer) builds on change \(batch); undo it first with `pfctl stop undo \(later)`"
    case .undoPast(let batch, let date, let today):
      "change \(batch) took a stop from \(Self.day(date)), which is past: today is \(today) in the team's time zone; move "
        + "the stop again with `pfctl stop move`, or skip it"
    case .undoVisited(let batch, let customer, let date, let remedy):
      "the pool of \(customer) was already visited on \(Self.day(date)), so change \(batch) cannot be undone"
        + (remedy.map { " as a whole; \($0) takes back only the stop of \($0.customer), and so on for the others" }
          ?? "; `pfctl visit list` shows the visit")
    }
  }

  /// `Tue 2026-03-03`.
  private static func day(_ date: CivilDate) -> String { "\(date.weekday.abbreviation) \(date)" }

  private static func note(_ off: DayOff) -> String { off.note.isEmpty ? "" : " (\(off.note))" }
}
