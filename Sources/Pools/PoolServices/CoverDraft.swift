import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import PoolControl
import PoolDigests
import PoolModel
import PoolRouting
import PoolStore

/// The stops of a date that others can take from an absent technician, and the days of these.
struct CoverDraft: Sendable {
  let team: Team
  let date: CivilDate
  let absent: Technician
  let others: [Technician]
  private let dates: ServiceDates
  /// The stops to cover, and the stops of each of `others`, in the order of the date.
  let covered: [DayStop]
  private let own: [[DayStop]]
  /// The customers of the absent technician who were visited already.
  private let visited: [String]
  /// The local time, if `date` is today.
  private let now: TimeOfDay?
  /// The limit of each day's minutes; nil if there is none.
  private let mostMinutes: Int?

  /// - Parameters:
  ///   - stops: the stops of the date, each with the technician of that date.
  ///   - now: the local time, if the date is today.
  init(
    team: Team, date: CivilDate, absent: Technician, others: [Technician], dates: ServiceDates,
    stops: [DayStop], now: TimeOfDay?, mostMinutes: Int?
  ) {
    self.mostMinutes = mostMinutes
    (self.team, self.date, self.absent, self.others, self.dates, self.now) = (team, date, absent, others, dates, now)
    let all = stops.filter { $0.technicianID == absent.id }
    covered = all.filter { now == nil || !dates.visited.contains($0.poolID) }
    visited = all.filter { now != nil && dates.visited.contains($0.poolID) }.map(\.customerName)
    own = others.map { other in stops.filter { $0.technicianID == other.id } }
  }

  /// - Throws: `ControlError.badValue` if there are too many stops.
  func problem(_ cache: TravelTimeCache, _ call: RoutesCall.Cover) async throws -> CoverProblem {
    let timing = DayRoute.Timing(team.settings)
    func stop(_ record: DayStop) -> CoverProblem.Stop {
      let routed = record.routed(team.settings)
      return CoverProblem.Stop(place: routed.place, minutes: timing.minutesAtStop, window: routed.window)
    }
    let days = own.map { stops in
      let done = now == nil ? nil : stops.lastIndex { dates.visited.contains($0.poolID) }
      return CoverProblem.Day(
        stops: stops.map(stop), begins: timing.beginsAtMinute, done: done.map { $0 + 1 } ?? 0,
        resumes: now.map { Double($0.secondOfDay / 60) } ?? 0)
    }
    let stops = covered.map(stop)
    let places = (stops + days.flatMap(\.stops)).compactMap(\.place)
    let legs = places.count > Limits.routeMatrixStops ? nil : await cache.legs(between: places)
    do throws(RouteError) {
      return try CoverProblem(
        covered: stops, days: days, legs: legs, unknownLegMinutes: DayEstimate.unknownLegMinutes,
        mostMinutes: mostMinutes.map(Double.init) ?? .infinity, mostLateMinutes: Double(call.maxLate ?? 0))
    } catch {
      throw ControlError.badValue(field: "date", value: call.date, why: "\(error)")
    }
  }

  /// The stop with a number of the problem.
  private func record(_ number: Int) -> DayStop { (covered + own.flatMap(\.self))[number] }

  /// Each technician's stops of the date in visiting order.
  func days(of plan: CoverPlan) -> [(technician: TechnicianID, stops: [PoolID])] {
    zip(others, plan.days).map { ($0.id, $1.visits.map { record($0.stop).poolID }) }
  }

  /// True if the technicians still have the stops of which the plan was made.
  func isCurrent(_ present: ServiceDates) -> Bool {
    func stops(_ technician: TechnicianID) -> Set<PoolID> {
      Set(present.stops(on: date, of: technician).map(\.pool.id)).subtracting(now == nil ? [] : present.visited)
    }
    func known(_ stops: [DayStop]) -> Set<PoolID> {
      Set(stops.map(\.poolID)).subtracting(now == nil ? [] : present.visited)
    }
    return stops(absent.id) == known(covered) && zip(others, own).allSatisfy { stops($0.id) == known($1) }
  }

  func changedMeanwhileError() -> ControlError {
    ControlError(
      .routeChanged,
      "the stops of \(date) or their order changed meanwhile, so the plan is another one; nothing was changed",
      facts: ["name": date.weekday.abbreviation])
  }

  // MARK: Texts

  /// `the day of ben would take 512 minutes, and the limit is 480`.
  func reason(for refusal: CoverPlan.Refusal) -> String {
    switch refusal.reason {
    case .noTechnicians: return "no technician takes stops"
    case .minutes(let day, let minutes):
      return
        "the day of \(others[day].name) would take \(Int(minutes.rounded(.up))) minutes, and the limit is "
        + "\(mostMinutes ?? 0)"
    case .window(let day, let stop, let late):
      let other = record(stop)
      let whose = stop == refusal.stop ? "its window" : "the window of \(other.customerName)"
      return "\(others[day].name) would miss \(whose) (\(other.arrivalWindow)) by \(Int(late.rounded(.up))) minutes"
    }
  }

  /// - Parameter number: the number of the change; nil for a plan that was not applied.
  func reply(_ plan: CoverPlan, identity: String, number: Int?) -> RoutesCall.Cover.Reply {
    RoutesCall.Cover.Reply(
      number: number, date: date.description, local: DateFormats(.english).shortDay(date), technician: absent.name,
      days: zip(others, zip(own, plan.days)).compactMap { other, day in view(other, own: day.0, day.1) },
      uncovered: plan.refused.map { refusal in
        let stop = record(refusal.stop)
        return UncoveredStopView(
          id: stop.poolID.description, customer: stop.customerName, why: reason(for: refusal))
      },
      visited: visited, plan: identity, proven: plan.isProvenOptimal)
  }

  /// Nil if the technician takes no stop.
  private func view(_ technician: Technician, own: [DayStop], _ day: CoverPlan.Day) -> CoverDayView? {
    let stops = day.visits.enumerated().filter { $0.element.stop < covered.count }.map { index, visit in
      let stop = covered[visit.stop]
      return CoverStopView(
        id: stop.poolID.description, customer: stop.customerName, address: stop.address, place: index + 1,
        arrives: Self.clock(visit.begins), lateMinutes: visit.late,
        window: stop.routed(team.settings).window == nil ? nil : stop.arrivalWindow)
    }
    guard !stops.isEmpty else { return nil }
    return CoverDayView(
      technician: technician.name, stops: stops, ownStops: own.count, minutes: day.minutes,
      addedMinutes: day.addedMinutes, addedDrivingMinutes: day.addedDriving, addedLateMinutes: day.addedLate)
  }

  /// `09:05`, rounded as in notices; hours go on after 24 on a day that ends after midnight.
  private static func clock(_ minutes: Double) -> String {
    let time = DayTime(minutes: minutes)
    let minutes = time.daysLater * 1_440 + time.time.secondOfDay / 60
    return "\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
  }

  /// Identifies a plan: equal for the same stops in the same order.
  ///
  /// 64-bit FNV-1a. Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm".
  static func identity(of days: [(technician: TechnicianID, stops: [PoolID])]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for day in days {
      for byte in "\(day.technician.number):\(day.stops.map(\.description).joined(separator: " "));".utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      }
    }
    return String(hash, radix: 16)
  }
}
