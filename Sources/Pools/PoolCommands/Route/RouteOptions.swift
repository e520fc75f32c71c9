internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// Shared by the commands for a team's routes: their options and their output.
enum RouteOptions {
  static let days: [CommandDescription.Option] = [
    CommandDescription.team("whose routes"),
    .init("day", "DAY", "a weekday such as Mon, or all; default: today in the team's zone"),
    .init("technician", "TECHNICIAN", "only this technician's"),
  ]

  /// The weekday of a pool whose position changes.
  static let weekday = CommandDescription.Option(
    "day", "DAY", "the weekday, such as Thu; needed if the pool is served on several weekdays")

  static func selection(
    _ arguments: Arguments, _ session: Session
  ) throws -> (team: String, day: String?, technician: String?) {
    (try session.team(arguments), arguments["day"], arguments["technician"])
  }

  /// `Mon, Maria: 12 stops, 74 min, 21.3 mi; best 61 min, 18.0 mi, 13 min saved`.
  static func heading(_ route: RouteView, metric: Bool = false) -> String {
    var words =
      "\(route.day), \(visible(route.technician)): \(TextFormat.count(route.stops.count, "stop")), "
      + figures(route.minutes, route.miles)
    if let minutes = route.bestMinutes, let miles = route.bestMiles {
      words += "; best \(figures(minutes, miles)), \(saved(from: route.minutes, to: minutes)) saved"
      let late = roundedDifference(route.lateMinutes ?? 0, route.bestLateMinutes ?? 0, places: 0)
      if late != 0 {
        words += ", \(TextFormat.decimal(late.magnitude, places: 0)) min \(late > 0 ? "less" : "more") late"
      }
      if route.proven { words += ", proven optimal" }
    }
    return words
  }

  /// The flags to repeat in a suggested command: ` --day Mon --technician Maria`.
  static func flags(_ arguments: Arguments) -> String {
    let (day, technician) = (arguments["day"], arguments["technician"])
    func option(_ name: String, _ value: String?) -> String {
      value.map { " --\(name) \(shellWord(visible($0)))" } ?? ""
    }
    return option("day", day) + option("technician", technician)
  }

  /// `13 min`: the difference of the two rounded values as shown, at least 0.
  static func saved(from now: Double, to best: Double) -> String {
    "\(TextFormat.decimal(max(0, roundedDifference(now, best, places: 0)), places: 0)) min"
  }

  static func figures(_ minutes: Double, _ miles: Double) -> String {
    "\(TextFormat.decimal(minutes, places: 0)) min, \(TextFormat.decimal(miles, places: 1)) mi"
  }

  static func show(_ route: RouteView, _ console: Console) {
    console.line(console.paint(heading(route), .bold))
    var table = Table([
      .init("STOP", isNumber: true), .init("BEST", isNumber: true), .init("CUSTOMER", minWidth: 16, isKey: true),
      .init("ADDRESS", minWidth: 10, rank: 2), .init("PIN", isNumber: true, rank: 3), .init("WINDOW", rank: 4),
    ])
    for stop in route.stops {
      table.add([
        .init("\(stop.place)"), .init(stop.bestPlace.map { "\($0)" } ?? "-"),
        .init(stop.latitude == nil ? "\(stop.customer) (not located)" : stop.customer), .init(stop.address),
        .init(stop.pin.map { "\($0)" } ?? "-"), .init(stop.window ?? "-"),
      ])
    }
    console.table(table)
    if !route.unpinned.isEmpty {
      console.words("cannot be pinned as their customers' tags say: \(visible(route.unpinned.joined(separator: ", ")))")
    }
    if route.fresh, let computed = route.computedLocal {
      console.note("best order of \(visible(computed)), times by \(visible(route.provider))")
    } else {
      console.note("no best order for the present stops yet; it is computed at night, or by `pfctl route optimise`")
    }
  }
}
