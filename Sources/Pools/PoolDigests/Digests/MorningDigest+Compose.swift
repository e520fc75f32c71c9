import FlowCalendar
package import FlowModel
package import FlowNotices
import PoolChemistry
import PoolModel
import PoolRouting

/// The estimated times of a day without a nightly plan.
package enum DayEstimate {
  /// Minutes from the morning notice to the first stop, for reading, loading and driving.
  package static let minutesToFirstStop = 60
  /// Minutes of a drive to or from a stop without coordinates.
  package static let unknownLegMinutes = 10.0
  /// Arrival times are rounded to this many minutes; a finer value would suggest a precision that the estimate does not have.
  static let roundingMinutes = 5.0

  /// The time of day of the first stop: the team's setting, or an hour after the morning notice.
  package static func firstStop(_ settings: TeamSettings) -> TimeOfDay {
    settings.dayStart
      ?? DayTime(minutes: min(1_435, Double(settings.morningTime.secondOfDay / 60 + minutesToFirstStop))).time
  }
}

/// A time on a day or, if the route takes longer, on a following day.
package struct DayTime: Hashable, Sendable {
  package let time: TimeOfDay
  /// The number of midnights between the day and this time.
  package let daysLater: Int

  private static let minutesOfDay = 1_440

  /// - Parameter minutes: minutes after the day's midnight; rounded to `DayEstimate.roundingMinutes`.
  package init(minutes: Double) {
    let rounded = (minutes / DayEstimate.roundingMinutes).rounded() * DayEstimate.roundingMinutes
    // Clamped to a year, because a measured travel time may be any number.
    let whole = rounded.isNaN ? 0 : Int(min(Double(365 * Self.minutesOfDay), max(0, rounded)))
    time = TimeOfDay(secondOfDay: whole % Self.minutesOfDay * 60) ?? .sevenInTheMorning
    daysLater = whole / Self.minutesOfDay
  }

  /// Minutes after midnight at the start of the day.
  var minutes: Int { daysLater * Self.minutesOfDay + time.secondOfDay / 60 }
}

extension MorningDigest {
  package init(_ facts: TeamFacts, at moment: DigestMoment) {
    let date = moment.date
    let stops = facts.stops(on: date)
    let rules = facts.doseRules(on: date, in: moment.zone)
    let crossings = Self.newest(facts.waterChanges)
    var loads = LoadList(facts.stock)
    var sections: [Section] = []
    var places: [SentRoute.Stop] = []
    let names = Dictionary(facts.technicians.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    for technician in facts.technicians {
      let own = stops.filter { $0.technicianID == technician.id }
      if own.isEmpty { continue }
      let plan = facts.plannedRoutes[technician.id].flatMap { $0.fits(own) ? $0 : nil }
      places += own.map { .init(poolID: $0.poolID, customer: $0.customerName, technician: technician.name) }
      let isAway = facts.daysOff.absence(of: technician.id, on: date) != nil
      let load = isAway ? [] : loads.lines(for: technician.id, need: ChemicalNeed(own, by: rules))
      let day = DayTimes(own, plan: plan, settings: facts.team.settings)
      sections.append(
        Section(
          technician: technician.name,
          stops: own.enumerated().map { index, stop in
            StopLine(
              stop, order: index + 1, eta: day.arrivals[index], at: moment, by: rules, crossing: crossings[stop.poolID],
              load: load, window: day.windows[index], work: facts.work[stop.poolID] ?? [],
              wasDue: facts.services.isServed(stop.poolID, from: moment.staleDate, before: date), names: names)
          },
          done: day.done.time.description, doneDays: day.done.daysLater > 0 ? day.done.daysLater : nil,
          miles: day.miles, isPlanned: plan != nil,
          load: load,
          isAway: isAway ? true : nil, better: isAway ? nil : plan.flatMap { RouteImprovement($0) }))
    }
    // Changes of the last 24 hours; older ones are shown at their stops.
    let yesterday = moment.asOf.advanced(by: .hours(-24))
    let water = facts.waterChanges.filter { $0.at > yesterday }.prefix(Limits.waterChangesListed).map {
      WaterLine(
        poolID: $0.poolID.description, customer: $0.customerName, before: $0.before, after: $0.after, lsi: $0.lsi)
    }
    self.init(
      team: facts.team.name, technician: nil, speaks: DigestLocale(facts.team), date: date.description,
      weekday: date.weekday,
      asOf: moment.asOf.description, sections: sections,
      changes: facts.lastRoute.map { RouteChanges(from: $0, to: places, on: date, by: facts.services) },
      lowStock: Self.lowStock(facts, at: moment),
      waterChanges: water.isEmpty ? nil : water, late: moment.late,
      dataAsOf: Self.newestRecord(stops).map { moment.zone.local(at: $0).minuteText }, run: moment.run,
      isPreview: moment.daysAhead > 0 ? true : nil, stopMinutes: facts.team.settings.stopMinutes,
      weather: moment.daysAhead > 0 ? EveningWeather(facts, at: moment) : nil)
  }

  /// The low-stock lines, if this notice is the one that lists them: a preview for its own day, a morning notice for the next
  /// working day.
  private static func lowStock(_ facts: TeamFacts, at moment: DigestMoment) -> [LowStockLine] {
    guard facts.team.settings.lowStockForTomorrow else { return [] }
    let isPreview = moment.daysAhead > 0
    switch facts.team.settings.lowStockNotice {
    case .preview: return isPreview ? LowStockLine.lines(facts, before: moment.date, in: moment.zone) : []
    case .morning:
      return LowStockLine.lines(
        facts, before: facts.nextWorkingDay(after: moment.date), from: moment.date, isMorning: true, in: moment.zone)
    case .itself: return []
    }
  }

  /// The newest change of each pool.
  private static func newest(_ changes: [WaterChange]) -> [PoolID: WaterChange] {
    Dictionary(
      changes.map { ($0.poolID, $0) }, uniquingKeysWith: { first, second in first.at >= second.at ? first : second })
  }

  /// The newest change or visit of any stop; nil if care data was not read.
  private static func newestRecord(_ stops: [DayStop]) -> Timestamp? {
    stops.compactMap(\.care).map { max($0.updatedAt, $0.lastVisit ?? $0.updatedAt) }.max()
  }
}

extension LocalDateTime {
  /// The format `2026-03-01T17:05`.
  var minuteText: String { "\(date)T\(padded(time.hour, 2)):\(padded(time.minute, 2))" }

  /// Parses `2026-03-01T17:05`; nil for any other format.
  init?(minuteText text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, let date = CivilDate(parts[0]), let time = TimeOfDay(parts[1]) else { return nil }
    self.init(date: date, time: time)
  }
}

extension PlannedRoute {
  /// Whether the plan was computed for exactly these stops in this order; otherwise it is from older data or an order that
  /// was changed since.
  fileprivate func fits(_ stops: [DayStop]) -> Bool {
    order == stops.map(\.poolID) && figures.isPossible && bestFigures.isPossible
  }
}

extension RouteFigures {
  /// The figures as displayed: whole minutes, and tenths of miles as whole numbers.
  fileprivate var rounded: RouteFigures {
    RouteFigures(minutes: minutes.rounded(), miles: (miles * 10).rounded(), late: late.rounded())
  }
}

extension MorningDigest.RouteImprovement {
  /// The improvement from a better order; nil if it saves less than a minute. Computed from displayed figures, so that
  /// readers can check it.
  init?(_ plan: PlannedRoute) {
    let (now, best) = (plan.figures.rounded, plan.bestFigures.rounded)
    guard best.gain(over: now) >= 1 else { return nil }
    func whole(_ minutes: Double) -> Int { Int(max(-100_000, min(minutes, 100_000))) }
    let late = whole(now.late - best.late)
    self.init(
      minutes: whole(now.minutes - best.minutes), miles: (now.miles - best.miles) / 10, late: late == 0 ? nil : late)
  }
}

/// The arrival times of a day's stops.
struct DayTimes {
  private(set) var arrivals: [DayTime] = []
  /// The customers' arrival windows; nil if the team ignores windows or the text contains no time.
  let windows: [RouteProblem.Window?]
  let done: DayTime
  /// Miles between consecutive located stops.
  let miles: Double

  /// - Parameter plan: the nightly plan of exactly these stops; nil to estimate driving times by distance.
  init(_ route: [DayStop], plan: PlannedRoute?, settings: TeamSettings) {
    windows = route.map { settings.windows == .ignore ? nil : $0.window }
    let places = route.map(\.place)
    let legs = zip(places, places.dropFirst()).map { from, to in
      from.flatMap { from in to.map { from.miles(to: $0) } }
    }
    let estimate = legs.compactMap(\.self).reduce(0) { $0 + LegEstimate.minutes(miles: $1) }
    // The plan contains the total driving time; it is divided among the legs in proportion to their estimates.
    let scale = plan.map { estimate > 0 ? $0.figures.minutes / estimate : 1 } ?? 1
    var minutes = Double(DayEstimate.firstStop(settings).secondOfDay / 60)
    var miles = 0.0
    for index in route.indices {
      if index > 0 {
        minutes += Double(settings.stopMinutes)
        if let leg = legs[index - 1] {
          miles += leg
          minutes += LegEstimate.minutes(miles: leg) * scale
        } else {
          minutes += DayEstimate.unknownLegMinutes
        }
      }
      // Waiting for a window is included only for the optimised order, in which the technician waits if early.
      if settings.windows == .respect, settings.stopOrder == .best, let window = windows[index] {
        minutes = max(minutes, window.opens)
      }
      arrivals.append(DayTime(minutes: minutes))
    }
    done = DayTime(minutes: minutes + Double(route.isEmpty ? 0 : settings.stopMinutes))
    self.miles = ((plan?.figures.miles ?? miles) * 10).rounded() / 10
  }
}

extension MorningDigest.StopLine {
  init(
    _ stop: DayStop, order: Int, eta: DayTime, at moment: DigestMoment, by rules: DoseRules, crossing: WaterChange?,
    load: [LoadLine], window: RouteProblem.Window?, work: [PoolWork], wasDue: Bool, names: [TechnicianID: String]
  ) {
    let place = stop.place
    var (attention, asides) = Self.attention(
      stop, at: moment, by: rules, crossing: crossing, load: load, wasDue: wasDue)
    attention += work.filter { $0.due <= moment.date }.map { MorningDigest.Attention(work: $0) }
    let minute = Double(eta.minutes)
    if let window, minute < window.opens || minute > window.closes {
      attention.insert(MorningDigest.Attention(.outsideWindow), at: 0)
    }
    let water = stop.care?.water
    let lsi = water?.lsi(by: rules.index)
    self.init(
      order: order, poolID: stop.poolID.description, customer: stop.customerName, address: stop.address,
      latitude: place?.latitude, longitude: place?.longitude, eta: eta.time.description,
      etaDays: eta.daysLater > 0 ? eta.daysLater : nil,
      arrives: moment.zone.resolve(
        LocalDateTime(date: moment.date.adding(days: eta.daysLater), time: eta.time)
      ).standard.description,
      volumeGallons: stop.care?.volumeGallons, lsi: lsi.map { shown($0, places: 2) },
      water: lsi.map { WaterCondition(lsi: $0) }, readings: water.map { .init($0, days: moment.days(since: $0.at)) },
      usual: stop.care.flatMap { care in
        let usual = care.usualChlorine(at: stop.poolID, by: rules)
        return usual.isEmpty ? nil : usual.map { MorningDigest.Dose($0, load: load) }
      },
      opens: window.flatMap { $0.opens > 0 ? Self.time($0.opens) : nil },
      closes: window.flatMap { Self.time($0.closes) },
      daysSinceVisit: stop.care?.lastVisit.map { moment.days(since: $0) }.flatMap { $0 < 0 ? nil : $0 },
      attention: attention, asides: asides,
      changed: stop.changed.map { changed in
        MorningDigest.StopChange(
          from: changed.origin == moment.date ? nil : changed.origin.description,
          technician: stop.ownTechnicianID.flatMap { names[$0] }, reason: changed.reason)
      })
  }

  /// `10:00`; nil for the end of the day, which means no limit.
  private static func time(_ minutes: Double) -> String? { TimeOfDay(secondOfDay: Int(minutes) * 60)?.description }

  /// A warranty that ended longer ago moves from `attention` to `asides`, so that it does not hide current items.
  private static let warrantyNewsDays = 90

  /// The reasons why a stop needs attention today, and facts that need no action.
  ///
  /// - Parameter wasDue: false for a pool with no earlier date of service in the time after which a visit is stale.
  private static func attention(
    _ stop: DayStop, at moment: DigestMoment, by rules: DoseRules, crossing: WaterChange?, load: [LoadLine],
    wasDue: Bool
  ) -> (now: [MorningDigest.Attention], asides: [MorningDigest.Attention]) {
    var list: [MorningDigest.Attention] = []
    var asides: [MorningDigest.Attention] = []
    if let crossing, crossing.after != .balanced {
      var one = MorningDigest.Attention(.waterCrossed)
      one.before = crossing.before
      one.after = crossing.after
      one.lsi = shown(crossing.lsi, places: 2)
      list.append(one)
    }
    if let care = stop.care {
      if let visit = care.lastVisit {
        if visit < moment.staleBefore, wasDue {
          var one = MorningDigest.Attention(.stale)
          one.days = moment.days(since: visit)
          list.append(one)
        }
      } else {
        list.append(MorningDigest.Attention(.neverVisited))
      }
      if let water = MorningDigest.Attention(water: care, of: stop, at: moment, by: rules, load: load) {
        list.append(water)
      }
      for machine in care.equipment {
        for (kind, due) in [
          (MorningDigest.Attention.Kind.serviceOverdue, machine.nextService), (.warrantyEnded, machine.warrantyEnd),
        ] {
          guard let due, due < moment.asOf else { continue }
          var one = MorningDigest.Attention(kind)
          one.name = machine.name
          one.date = moment.zone.local(at: due).date.description
          if kind == .warrantyEnded, moment.days(since: due) > warrantyNewsDays {
            asides.append(one)
          } else {
            list.append(one)
          }
        }
      }
    }
    if stop.place == nil { list.append(MorningDigest.Attention(.noCoordinates)) }
    return (list, asides)
  }
}

extension MorningDigest.Attention {
  /// Recurring work that is due.
  fileprivate init(work: PoolWork) {
    self.init(.workDue)
    name = work.name
    date = work.due.description
  }
}

extension DigestMoment {
  /// A pool whose last visit is before this counts as stale. Source: `DataHealth`, R-HEALTH-1.
  var staleBefore: Timestamp { zone.sameTime(-DataHealth.staleDays, daysAfter: asOf) }

  /// The date of `staleBefore`.
  var staleDate: CivilDate { zone.local(at: staleBefore).date }
}

extension MorningDigest.LowStockLine {
  /// The items below their threshold, and those of which `day` needs more than is in stock.
  ///
  /// - Parameters:
  ///   - date: the date of the notice; by default the day before `day`.
  ///   - isMorning: true in a morning notice, where "tomorrow" would be misread next to today's stops; the day's name is used
  ///     instead.
  ///   - zone: the team's zone.
  static func lines(
    _ facts: TeamFacts, before day: CivilDate, from date: CivilDate? = nil, isMorning: Bool = false, in zone: Zone
  ) -> [Self] {
    let tomorrow = ChemicalNeed(facts.stops(on: day), by: facts.doseRules(on: day, in: zone))
    let isTomorrow = !isMorning && (date ?? day.adding(days: -1)).adding(days: 1) == day
    var held: [LoadedChemical: Double] = [:]
    for one in facts.stock {
      if let chemical = LoadedChemical(one.item) { held[chemical, default: 0] += one.item.currentStockOz }
    }
    return facts.stock.compactMap { one in
      let item = one.item
      let chemical = LoadedChemical(item)
      let need = chemical.map { tomorrow.ounces(of: $0) }.flatMap { $0 > 0 ? $0 : nil }
      let shortFor = chemical.flatMap { tomorrow.customers(without: $0, from: held[$0] ?? 0) }
      let isShort = shortFor != nil
      guard item.isLowStock || isShort else { return nil }
      let perDay = (facts.usedOz[item.id] ?? 0) / Double(Self.useDays)
      return Self(
        name: item.name, type: item.chemicalType, stockOz: item.currentStockOz, thresholdOz: item.lowStockThresholdOz,
        daysLeft: perDay > 0 ? Int(max(0, min(9_999, item.currentStockOz / perDay))) : nil, tomorrowOz: need,
        shortFor: shortFor, isDry: item.isDry ? true : nil,
        needsOn: isTomorrow || need == nil ? nil : day.description)
    }
  }

  /// The number of days over which usage is measured.
  package static let useDays = 90
}
