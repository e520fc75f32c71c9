import FlowModel
import PoolModel
import Testing

@testable import PoolRouting

/// Arrival windows as people write them, pins, and their effect on a day.
struct ArrivalWindowTests {
  @Test(arguments: [
    ("8-10", 480, 600), ("08:00-10:30", 480, 630), ("8am to 10am", 480, 600), ("8 AM – 10 AM", 480, 600),
    ("1-3pm", 780, 900), ("11-1", 660, 780), ("11am-1pm", 660, 780), ("9-12pm", 540, 720), ("before 10", 0, 600),
    ("by 10:00", 0, 600), ("after 14:00", 840, 1_440), ("from 9", 540, 1_440), ("Morning", 480, 720),
    ("afternoon", 720, 1_020), ("between 9 and 11", 540, 660), ("2-4", 840, 960),
  ])
  func `a text with two times is a window`(text: String, opens: Int, closes: Int) {
    let window = ArrivalWindow.read(text)
    #expect(window == RouteProblem.Window(opens: Double(opens), closes: Double(closes)), "\(text)")
  }

  @Test(arguments: [
    "", "any time", "call first", "8-", "25-26", "8-10-12", "10am-8am", "8:75-9", "13.00-15.00", "dog at home", "-",
  ])
  func `a text without a time sets no window`(text: String) {
    #expect(ArrivalWindow.read(text) == nil)
  }

  // MARK: Pins and windows in a day

  private func stop(_ number: Int, north: Double, pin: Int? = nil, window: RouteProblem.Window? = nil) -> DayRoute.Stop
  {
    DayRoute.Stop(
      id: SampleIDs.pool(number), latitude: 33 + north, longitude: -112, routeOrder: number, pin: pin, window: window)
  }

  @Test func `a pinned stop keeps its position, and unlocated stops keep theirs`() throws {
    // On a line to the north: without the pin the best order is by latitude.
    let unlocated = DayRoute.Stop(id: SampleIDs.pool(2), latitude: 0, longitude: 0, routeOrder: 2)
    let stops = [stop(0, north: 0), stop(1, north: 0.3), unlocated, stop(3, north: 0.1), stop(4, north: 0.2, pin: 5)]
    let best = try DayRoute.optimise(stops, objective: .time, algorithm: .strong)
    #expect(best.ordered[4] == stops[4].id && best.ordered[2] == unlocated.id && best.ordered[0] == stops[0].id)
    #expect(best.unpinned.isEmpty)
    let free = try DayRoute.optimise(
      stops.map { DayRoute.Stop(id: $0.id, latitude: $0.latitude, longitude: $0.longitude, routeOrder: $0.routeOrder) },
      objective: .time, algorithm: .strong)
    #expect(free.bestFigures.minutes < best.bestFigures.minutes)
  }

  @Test func `impossible pins are reported and ignored`() throws {
    let stops = [
      stop(0, north: 0, pin: 3), stop(1, north: 0.3, pin: 1), stop(2, north: 0.1, pin: 9), stop(3, north: 0.2, pin: 4),
      stop(4, north: 0.4, pin: 4),
    ]
    let best = try DayRoute.optimise(stops, objective: .time, algorithm: .strong)
    #expect(Set(best.unpinned) == Set([0, 1, 2, 4].map { SampleIDs.pool($0) }))
    #expect(best.ordered[3] == stops[3].id && best.ordered[0] == stops[0].id)
  }

  @Test func `a window that closes early moves its stop forward`() throws {
    let early = RouteProblem.Window(opens: 8 * 60, closes: 8 * 60 + 30)
    let stops = [
      stop(0, north: 0), stop(1, north: 0.05), stop(2, north: 0.1), stop(3, north: 0.15, window: early),
    ]
    let best = try DayRoute.optimise(stops, objective: .time, algorithm: .strong)
    #expect(best.ordered[1] == stops[3].id)
    // A longer way, but a better day.
    #expect(best.bestFigures.late < best.figures.late)
    #expect(best.bestFigures.minutes > best.figures.minutes && best.bestFigures.gain(over: best.figures) > 0)
  }

  @Test func `incremental arrival times equal a full recomputation`() throws {
    var chance = SplitMix(seed: 7)
    for count in [2, 3, 5, 17, 40] {
      let places = try (0..<count).map { _ in
        try Coordinate(latitude: 33 + chance.unit() / 4, longitude: -112 + chance.unit() / 4)
      }
      var windows: [Int: RouteProblem.Window] = [:]
      for stop in 0..<count where chance.below(2) == 0 {
        let opens = Double(chance.below(400))
        windows[stop] = RouteProblem.Window(opens: opens, closes: opens + Double(chance.below(120)))
      }
      let problem = try RouteProblem(
        .greatCircle(places), objective: .time, windows: windows, minutesAtStop: Double(chance.below(30)))
      var order = Array(0..<count)
      var clock = DayClock(problem, order: order)
      for _ in 0..<200 {
        #expect(abs(clock.late - problem.lateMinutes(of: order)) < 1e-6)
        let from = 1 + chance.below(count - 1)
        let to = from + chance.below(count - from)
        var changed = order
        changed[from...to].reverse()
        let change = clock.change(in: order, from: from, to: to) { changed[$0] }
        #expect(abs(clock.late + change - problem.lateMinutes(of: changed)) < 1e-6)
        guard chance.below(2) == 0 else { continue }
        order = changed
        clock.follow(order, from: from)
      }
    }
  }

  @Test func `a day computed from cached legs equals the definition`() async throws {
    let stops = (0..<12).map { number in
      DayRoute.Stop(
        id: SampleIDs.pool(number), latitude: 33 + Double(number * 7 % 12) / 40,
        longitude: -112 + Double(number * 5 % 12) / 40, routeOrder: number)
    }
    let cache = TravelTimeCache()
    for objective in TravelObjective.allCases {
      let plain = try DayRoute.optimise(stops, objective: objective, algorithm: .strong)
      let night = try #require(try await NightlyRoute.plan(stops, objective: objective, known: nil, cache: cache))
      #expect(night.inputHash == NightlyRoute.inputHash(stops, objective: objective))
      #expect(night.optimisation.ordered == plain.ordered)
      #expect(abs(night.optimisation.bestFigures.minutes - plain.bestFigures.minutes) < 1e-6)
      #expect(try await NightlyRoute.plan(stops, objective: objective, known: night.inputHash, cache: cache) == nil)
      #expect(NightlyRoute.inputHash(stops, objective: objective, table: 1) != night.inputHash)
    }
    let figures = await cache.figures
    #expect(figures.misses == 132 && figures.hits == 264)
  }
}

private enum SampleIDs {
  static func pool(_ number: Int) -> PoolID {
    let digits = String(number, radix: 16)
    let text = "5A3E17B0-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    guard let id = PoolID(text) else { preconditionFailure("'\(text)' is a UUID") }
    return id
  }
}
