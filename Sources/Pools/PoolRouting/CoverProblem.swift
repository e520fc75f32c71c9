package import FlowModel
import PoolModel

/// Input of `CoverPlanner`: the stops of an absent technician on one date, and the days of the technicians who can take them.
///
/// Stops are numbered from 0: first the stops to cover, then those of each day, in order. Times are minutes after local
/// midnight.
package struct CoverProblem: Sendable {
  /// A stop of the date.
  package struct Stop: Hashable, Sendable {
    /// Nil if the stop is not geocoded; each leg to or from it takes the problem's `unknownLegMinutes`.
    package let place: Coordinate?
    /// Minutes spent at the stop.
    package let minutes: Double
    package let window: RouteProblem.Window?

    package init(place: Coordinate?, minutes: Double, window: RouteProblem.Window? = nil) {
      self.place = place
      self.minutes = minutes
      self.window = window
    }
  }

  /// The day of a technician who can take stops.
  package struct Day: Hashable, Sendable {
    /// The technician's own stops. They keep this order: pages, load list and orders set by hand follow it. The first one
    /// stays first, because the day begins there, as in `RouteProblem`.
    package let stops: [Stop]
    /// Start of the day, which is the arrival at its first stop.
    package let begins: Double
    /// Number of own stops visited already; covered stops come after them.
    package let done: Int
    /// Present time on a day that has begun: no stop is added before it.
    package let resumes: Double

    package init(stops: [Stop], begins: Double, done: Int = 0, resumes: Double = 0) {
      self.stops = stops
      self.begins = done == 0 ? max(begins, resumes) : begins
      self.done = min(done, stops.count)
      self.resumes = resumes
    }
  }

  /// Number of stops to cover.
  package let covered: Int
  package let days: [Day]
  /// Upper limit of the minutes from a day's start to the end of its last visit. A day that is longer without covered stops
  /// takes none.
  package let mostMinutes: Double

  /// Number of all stops.
  let count: Int
  /// The numbers of each day's own stops.
  let own: [Range<Int>]
  /// By stop: minutes at the stop, beginning and end of its window (-∞ and +∞ without a window).
  let service: [Double]
  let opens: [Double]
  let closes: [Double]
  /// By stop: the latest start of its visit; +∞ without a window, and for an own stop that is later than that already.
  private(set) var latest: [Double]
  /// By stop: the earliest departure; -∞ except for the last stop that was visited already.
  private let leaves: [Double]
  /// Driving minutes, row-major by stop.
  private let legs: [Double]

  /// - Parameters:
  ///   - legs: leg times between the geocoded stops in the order of their numbers; nil: great-circle estimates.
  ///   - unknownLegMinutes: driving minutes of a leg from or to a stop that is not geocoded.
  ///   - mostMinutes: limit of each day's working minutes.
  ///   - mostLateMinutes: minutes by which a visit may begin after its window. A window that an own stop misses by more than
  ///     that without covered stops does not limit its visit; its lateness has a cost.
  /// - Throws: `RouteError.tooManyStops`, `.window` or `.matrixShape`.
  package init(
    covered: [Stop], days: [Day], legs: TravelTimeCache.Legs? = nil, unknownLegMinutes: Double,
    mostMinutes: Double = .infinity, mostLateMinutes: Double = 0
  ) throws(RouteError) {
    let stops = covered + days.flatMap(\.stops)
    guard covered.count <= Limits.coveredStops else {
      throw .tooManyStops(count: covered.count, limit: Limits.coveredStops)
    }
    guard stops.count <= Limits.routeMatrixStops else {
      throw .tooManyStops(count: stops.count, limit: Limits.routeMatrixStops)
    }
    for (number, stop) in stops.enumerated() {
      if let window = stop.window, !(window.opens <= window.closes) { throw .window(stop: number) }
    }
    self.covered = covered.count
    self.days = days
    self.mostMinutes = mostMinutes
    count = stops.count
    service = stops.map(\.minutes)
    opens = stops.map { $0.window?.opens ?? -.infinity }
    closes = stops.map { $0.window?.closes ?? .infinity }
    self.legs = try Self.table(stops.map(\.place), legs, unknown: unknownLegMinutes)
    var leaves = [Double](repeating: -.infinity, count: stops.count)
    var own: [Range<Int>] = []
    var next = covered.count
    for day in days {
      own.append(next..<next + day.stops.count)
      if day.done > 0 { leaves[next + day.done - 1] = day.resumes }
      next += day.stops.count
    }
    self.own = own
    self.leaves = leaves
    // A sum of minutes differs in its last digits with the order of its terms.
    let allowed = closes.map { $0 + mostLateMinutes + Self.tolerance }
    latest = allowed
    for index in days.indices {
      let day = CoverDay(self, index)
      for (stop, begins) in zip(day.stops, day.begins) where begins > allowed[stop] { latest[stop] = .infinity }
    }
  }

  /// Differences of minutes below this are rounding.
  static let tolerance = 1e-9

  private static func table(
    _ places: [Coordinate?], _ legs: TravelTimeCache.Legs?, unknown: Double
  ) throws(RouteError) -> [Double] {
    let count = places.count
    let located = places.indices.filter { places[$0] != nil }
    if let legs, legs.count != located.count {
      throw .matrixShape(stops: located.count, expected: located.count * located.count, found: legs.count * legs.count)
    }
    var table = [Double](repeating: unknown, count: count * count)
    let coordinates = places.compactMap(\.self)
    for (row, from) in located.enumerated() {
      for (column, to) in located.enumerated() where from != to {
        table[from * count + to] =
          legs?.minutes(from: row, to: column)
          ?? LegEstimate.minutes(miles: coordinates[row].miles(to: coordinates[column]))
      }
    }
    return table
  }

  // MARK: Times

  /// Driving minutes from one stop to another.
  @inline(__always)
  func drive(_ from: Int, _ to: Int) -> Double { legs[from * count + to] }

  /// Start of the visit at the first stop of a day.
  @inline(__always)
  func begins(at stop: Int, of day: Int) -> Double { max(days[day].begins, opens[stop]) }

  /// Start of the visit at `stop` after the one at `before`, which began at `time`.
  @inline(__always)
  func begins(at stop: Int, after before: Int, begun time: Double) -> Double {
    max(arrival(at: stop, after: before, begun: time), opens[stop])
  }

  /// Arrival at `stop` after the visit at `before`, which began at `time`; the visit begins when the window opens.
  @inline(__always)
  func arrival(at stop: Int, after before: Int, begun time: Double) -> Double {
    max(time + service[before], leaves[before]) + drive(before, stop)
  }

  /// Whether a visit within `latest` can be late.
  @inline(__always)
  func canBeLate(_ stop: Int) -> Bool { latest[stop] > closes[stop] + Self.tolerance }

  /// Minutes by which a visit that begins at `time` is late.
  @inline(__always)
  func late(_ stop: Int, at time: Double) -> Double { max(0, time - closes[stop]) }

  /// The first position of a covered stop in a day.
  func firstPosition(in day: Int) -> Int { own[day].isEmpty ? 0 : max(1, days[day].done) }

  /// The latest end of a day.
  @inline(__always)
  func latestEnd(of day: Int) -> Double { days[day].begins + mostMinutes + Self.tolerance }
}

extension Limits {
  /// Maximum stops spread over other technicians at once: several long days of one technician.
  package static let coveredStops = 250
}
