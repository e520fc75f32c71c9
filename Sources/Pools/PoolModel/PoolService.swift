package import FlowCalendar
package import FlowModel

/// The dates on which a pool is served.
package struct PoolService: Hashable, Sendable {
  /// The weekday of the pool, which the app stores.
  package let weekday: Weekday
  /// The dates of service; nil for every week on `weekday`.
  package let rule: CalendarDates?
  /// Days on which the pool is not served although its rule or a change names them.
  package let pauses: [ServicePause]
  /// Changed dates, in the order in which they were made.
  package let changes: [ServiceDateChange]
  /// The rules that the pool had before this one, in order.
  package let earlier: [EarlierRule]
  private let changed: ChangedDates

  package init(
    weekday: Weekday, rule: CalendarDates? = nil, pauses: [ServicePause] = [], changes: [ServiceDateChange] = [],
    earlier: [EarlierRule] = []
  ) {
    self.weekday = weekday
    self.rule = rule
    self.pauses = pauses
    self.changes = changes
    self.earlier = earlier
    changed =
      changes.isEmpty
      ? .none : ChangedDates(changes) { Self.names($0, by: rule, on: weekday, after: earlier) }
  }

  /// True if the pool has a rule or a pause.
  package var hasOwnDates: Bool { rule != nil || !pauses.isEmpty }

  package func isServed(on date: CivilDate) -> Bool {
    guard changed.stops[date] != nil || (isByRule(date) && !changed.left.contains(date)) else { return false }
    return pause(on: date) == nil
  }

  private func isByRule(_ date: CivilDate) -> Bool { Self.names(date, by: rule, on: weekday, after: earlier) }

  /// Whether the rule of a date names it.
  private static func names(
    _ date: CivilDate, by rule: CalendarDates?, on weekday: Weekday, after earlier: [EarlierRule]
  ) -> Bool {
    guard let before = earlier.first(where: { date < $0.until }) else {
      return rule?.contains(date) ?? (date.weekday == weekday)
    }
    return before.rule?.contains(date) ?? (date.weekday == before.weekday)
  }

  /// The changes that gave a date its stop; nil if it has none, or one that nothing changed.
  package func changedStop(on date: CivilDate) -> ChangedStop? { changed.stops[date] }

  /// The stop that a date would have without a skip; nil if nothing was skipped there.
  package func skippedStop(on date: CivilDate) -> ChangedStop? { changed.skipped[date] }

  /// The stop that was taken from a date of the rule to another date.
  package func movedStop(from date: CivilDate) -> (date: CivilDate, stop: ChangedStop)? {
    changed.stops.first { $0.value.origin == date && $0.key != date }.map { ($0.key, $0.value) }
  }

  /// The first change that a later command made to the stop of a change; nil if there is none.
  package func laterChange(of change: ServiceDateChange) -> ServiceDateChange? {
    for stop in [changed.stops.values, changed.skipped.values].joined() {
      guard let index = stop.changes.firstIndex(where: { $0.id == change.id }) else { continue }
      return stop.changes[index...].first { $0.batch != change.batch }
    }
    return nil
  }

  /// The dates on which the stop is another one than by the rule, in order.
  package var changedDates: [CivilDate] { changed.stops.keys.sorted() }

  /// Whether a change has an effect: it has none if the rule no longer names its date.
  package func isEffective(_ change: ServiceDateChange) -> Bool { changed.effective.contains(change.id) }

  /// The pause that contains `date`; nil if there is none.
  package func pause(on date: CivilDate) -> ServicePause? { pauses.first { $0.days.contains(date) } }

  /// The first date of service at or after `date`; nil if none is left.
  package func next(onOrAfter date: CivilDate) -> CivilDate? {
    let changed = changed.stops.keys.filter { $0 >= date && pause(on: $0) == nil }.min()
    var day = date
    while let found = firstByRule(onOrAfter: day) {
      if let changed, changed <= found { return changed }
      guard pause(on: found) != nil || self.changed.left.contains(found) else { return found }
      day = found.adding(days: 1)
    }
    return changed
  }

  /// A date of service between two others: the one that a stop moved from `from` to `to` would pass first. Nil if there is none.
  func date(between from: CivilDate, and to: CivilDate) -> CivilDate? {
    guard to < from else { return next(onOrAfter: from.adding(days: 1)).flatMap { $0 < to ? $0 : nil } }
    var day = from.adding(days: -1)
    while day >= to {
      if isServed(on: day) { return day }
      day = day.adding(days: -1)
    }
    return nil
  }

  /// Whether the stop of `from` may be served on `to` instead: on no pause, on no date of service, and beyond none.
  package func mayMove(from: CivilDate, to: CivilDate) -> Bool {
    pause(on: to) == nil && !isServed(on: to) && date(between: from, and: to) == nil
  }

  /// The weekdays that the dates of the rule may have.
  package var weekdays: [Weekday] { rule?.weekdays ?? [weekday] }

  /// Whether a date of service may have this weekday, by the present or an earlier rule, or by a change.
  package func mayBeServed(on day: Weekday) -> Bool {
    weekdays.contains(day) || changed.stops.keys.contains { $0.weekday == day }
      || earlier.contains { ($0.rule?.weekdays ?? [$0.weekday]).contains(day) }
  }

  /// The first date at or after `date` that the rule names, pauses not considered.
  private func firstByRule(onOrAfter date: CivilDate) -> CivilDate? {
    var date = date
    if let last = earlier.last?.until {
      while date < last {
        if isByRule(date) { return date }
        date = date.adding(days: 1)
      }
    }
    guard let rule else {
      let found = date.adding(days: (weekday.rawValue - date.weekday.rawValue + 7) % 7)
      return found.year > Self.lastYear ? nil : found
    }
    return rule.next(onOrAfter: date)
  }

  /// The last year of calendar rules.
  private static let lastYear = 2_199
}

/// A rule that a pool had until another one was set.
package struct EarlierRule: Hashable, Sendable {
  /// The first date of the next rule.
  package let until: CivilDate
  /// The weekday of the pool then.
  package let weekday: Weekday
  /// Nil for every week on `weekday`.
  package let rule: CalendarDates?

  package init(until: CivilDate, weekday: Weekday, rule: CalendarDates?) {
    self.until = until
    self.weekday = weekday
    self.rule = rule
  }
}

/// Days on which a pool is not served, such as while a family is away.
package struct ServicePause: Hashable, Sendable {
  /// The number within the store, never reused.
  package let id: Int64
  package let days: DaySpan
  package let reason: String
  /// The person who entered it, such as `anna (uid 1000)`.
  package let setBy: String

  package init(id: Int64, days: DaySpan, reason: String, setBy: String) {
    self.id = id
    self.days = days
    self.reason = reason
    self.setBy = setBy
  }
}

/// The order of a pool on another weekday than its own.
package struct ServiceOrder: Hashable, Sendable, CustomStringConvertible {
  package let day: Weekday
  package let routeOrder: Int
  /// Pinned position, from 1; 0 if the pool is not pinned on this weekday; nil for the pin of its own weekday.
  package let pin: Int?

  package init(day: Weekday, routeOrder: Int, pin: Int?) {
    self.day = day
    self.routeOrder = routeOrder
    self.pin = pin
  }

  /// Parses `description`; nil for other texts.
  package init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard words.count == 2 || (words.count == 4 && words[2] == "pin"),
      let day = Weekday.allCases.first(where: { $0.abbreviation == words[0] }), let routeOrder = Int32(words[1])
    else { return nil }
    var pin: Int?
    if words.count == 4 {
      guard let place = Int(words[3]), (0...Limits.routeStops).contains(place) else { return nil }
      pin = place
    }
    self.init(day: day, routeOrder: Int(routeOrder), pin: pin)
  }

  /// The form in archives: `Thu 3`, or `Thu 3 pin 2`.
  package var description: String { "\(day.abbreviation) \(routeOrder)\(pin.map { " pin \($0)" } ?? "")" }
}

/// The rule, the pauses and the orders of one pool in an archive.
package struct PoolServiceRecord: Hashable, Sendable {
  package let poolID: PoolID
  /// Nil for every week on the pool's weekday.
  package let rule: CalendarDates?
  package let pauses: [ServicePause]
  /// The pool's orders on other weekdays than its own; nil if the archive does not have them, as one of an earlier version,
  /// and for a pool without a rule.
  package var orders: [ServiceOrder]?
  /// The rules that the pool had before, in order; empty if it had none, or if the archive does not have them.
  package let earlier: [EarlierRule]

  package init(
    poolID: PoolID, rule: CalendarDates?, pauses: [ServicePause], orders: [ServiceOrder]? = nil,
    earlier: [EarlierRule] = []
  ) {
    self.poolID = poolID
    self.rule = rule
    self.pauses = pauses
    self.orders = orders
    self.earlier = earlier
  }

  /// One record for each pool, sorted by pool; of several rules of a pool the first one.
  package static func merged(_ records: [PoolServiceRecord]) -> [PoolServiceRecord] {
    Dictionary(grouping: records, by: \.poolID).map { pool, own in
      let first = own.first { $0.rule != nil }
      return PoolServiceRecord(
        poolID: pool, rule: first?.rule, pauses: own.flatMap(\.pauses), orders: first?.orders,
        earlier: own.flatMap(\.earlier).sorted { $0.until < $1.until })
    }.sorted { $0.poolID < $1.poolID }
  }
}

/// The services of a team's pools: it decides which pools are served on a date.
///
/// It holds only the pools with a rule, a pause or a changed date; every other pool is served each week on its weekday.
package struct ServiceCalendar: Hashable, Sendable {
  private let services: [PoolID: PoolService]

  /// Every pool is served each week on its weekday.
  package static let weekly = ServiceCalendar([:])

  package init(_ services: [PoolID: PoolService]) { self.services = services }

  /// True if no pool has a rule, a pause or a changed date.
  package var isWeekly: Bool { services.isEmpty }

  /// The pools with a rule, a pause or a changed date.
  package var pools: Dictionary<PoolID, PoolService>.Keys { services.keys }

  /// The service of a pool with a rule, a pause or a changed date; nil for every other pool.
  package subscript(pool: PoolID) -> PoolService? { services[pool] }

  /// The records of an archive of `pools`, sorted by pool. An archive has no numbers of pauses.
  package func records(of pools: [Pool]) -> [PoolServiceRecord] {
    pools.compactMap { pool -> PoolServiceRecord? in
      guard let service = services[pool.id], service.hasOwnDates || !service.earlier.isEmpty else { return nil }
      return PoolServiceRecord(
        poolID: pool.id, rule: service.rule,
        pauses: service.pauses.map { ServicePause(id: 0, days: $0.days, reason: $0.reason, setBy: $0.setBy) },
        earlier: service.earlier)
    }.sorted { $0.poolID < $1.poolID }
  }

  /// The changed dates of an archive of `pools`, in the order in which they were made. Batches have the same numbers in all
  /// archives of a team.
  package func changeRecords(of pools: [Pool], _ technicians: [Technician]) -> [ServiceChangeRecord] {
    let names = Dictionary(technicians.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let known = Set(pools.map(\.id))
    var batches: [Int64: Int] = [:]
    return changes.compactMap { change in
      let batch = batches[change.batch, default: batches.count + 1]
      batches[change.batch] = batch
      guard known.contains(change.pool) else { return nil }
      return ServiceChangeRecord(
        poolID: change.pool, batch: batch, from: change.from, to: change.to,
        technician: change.technician.flatMap { names[$0] }, routeOrder: change.routeOrder, reason: change.reason,
        setBy: change.setBy, madeAt: change.madeAt)
    }
  }

  /// Whether a pool is served on `date`. Every list of stops is made by this function.
  ///
  /// - Parameter weekday: the pool's weekday.
  package func isServed(_ pool: PoolID, weekday: Weekday, on date: CivilDate) -> Bool {
    services.isEmpty
      ? date.weekday == weekday : services[pool]?.isServed(on: date) ?? (date.weekday == weekday)
  }

  /// The technician who serves a pool on `date`. Every list of a technician's stops is made by this function.
  ///
  /// - Parameter own: the pool's technician.
  package func technician(of pool: PoolID, own: TechnicianID, on date: CivilDate) -> TechnicianID {
    services.isEmpty ? own : services[pool]?.changedStop(on: date)?.technician ?? own
  }

  /// The changes that gave a pool its stop on `date`; nil if nothing changed there.
  package func changedStop(of pool: PoolID, on date: CivilDate) -> ChangedStop? {
    services.isEmpty ? nil : services[pool]?.changedStop(on: date)
  }

  /// The changes that put stops on a date, and the positions that give the stops their order.
  ///
  /// - Parameter order: the stops of one technician on the date, in their order.
  package func placed(
    _ order: [PoolID], on date: CivilDate
  ) -> [PoolID: (change: ServiceDateChange, position: Int)] {
    let changes = order.map { changedStop(of: $0, on: date)?.changes.last }
    var placed: [PoolID: (change: ServiceDateChange, position: Int)] = [:]
    for (index, pool) in order.enumerated() {
      guard let change = changes[index] else { continue }
      // Stops of later changes come in after this one.
      placed[pool] = (change, changes[..<index].count { $0.map { $0.id < change.id } ?? true })
    }
    return placed
  }

  /// The dates from `today` on of the stops that changes gave to a technician, one for each stop.
  package func changedDates(of technician: TechnicianID, from today: CivilDate) -> [CivilDate] {
    services.values.flatMap { service in
      service.changedDates.filter {
        $0 >= today && service.changedStop(on: $0)?.technician == technician && service.isServed(on: $0)
      }
    }
  }

  /// The changed dates of all pools, in the order in which they were made.
  package var changes: [ServiceDateChange] { services.values.flatMap(\.changes).sorted { $0.id < $1.id } }

  /// The changed dates that have an effect, in the order in which they were made.
  package var effectiveChanges: [ServiceDateChange] {
    changes.filter { services[$0.pool]?.isEffective($0) ?? false }
  }

  /// Whether a pool has a date of service from `first` on and before `end`, which must be at least a week later. A pool
  /// without one needs no visit in that time.
  package func isServed(_ pool: PoolID, from first: CivilDate, before end: CivilDate) -> Bool {
    guard let service = services[pool] else { return true }
    return service.next(onOrAfter: first).map { $0 < end } ?? false
  }

  /// The number of dates of service among the `days` days, whole weeks, from `first` on.
  package func visits(to pool: PoolID, from first: CivilDate, days: Int) -> Int {
    guard let service = services[pool] else { return days / 7 }
    return (0..<days).count { service.isServed(on: first.adding(days: $0)) }
  }
}
