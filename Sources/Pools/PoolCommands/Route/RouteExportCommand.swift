internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl route export`: exports days for maps, GPS receivers and other solvers.
enum RouteExportCommand: Command {
  static let description = CommandDescription(
    "route export", "export days as GeoJSON, GPX or input JSON for VROOM",
    options: RouteOptions.days + [
      .init("format", "geojson|gpx|vroom", "as GeoJSON without it"),
      .init("order", "now|best", "the present order (default) or the best one"),
      .init("output", "FILE", "write to this file instead of standard output"),
    ],
    details: ["Stops without coordinates are left out. VROOM's vehicles start at the first stop of their day."],
    examples: [
      "pfctl route export --team desert-blue --day Mon",
      "pfctl route export --team desert-blue --day Mon --format gpx --output monday.gpx",
      "pfctl route export --team desert-blue --day all --format vroom",
    ])

  /// The JSON document of a written file. Without `--output`, standard output has the exported days and no document.
  private struct Answer: Codable {
    let file: String
    let bytes: Int
    /// The exported stops, of all days together.
    let stops: Int
  }

  static let documents: [JSONDocument] = [.init("route-export", Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let format = try arguments.choice("format", among: ["geojson", "gpx", "vroom"])
    let order = try arguments.choice("order", among: ["now", "best"])
    guard arguments["output"] != nil || (arguments["json"] ?? "").isEmpty else {
      throw CommandFailure.usage("--json=FIELD needs --output: without it, the exported days are printed")
    }
    let (team, day, technician) = try RouteOptions.selection(arguments, session)
    let reply = try session.daemon().ask(RoutesCall.Show(team: team, day: day, technician: technician))
    let days = try reply.routes.map { try RouteDocument.Day($0, best: order == "best") }
    let text =
      switch format {
      case "gpx": RouteDocument.gpx(days)
      case "vroom": try RouteDocument.vroom(days)
      default: try RouteDocument.geoJSON(days)
      }
    let console = session.console
    guard let path = arguments["output"] else { return console.line(text) }
    try OutputFile.write(text + "\n", to: path)
    guard console.isJSON else { return console.note("written to '\(visible(path))'") }
    let stops = days.reduce(0) { $0 + $1.stops.count }
    try console.document("route-export", Answer(file: path, bytes: text.utf8.count + 1, stops: stops))
  }
}

/// Days in the formats of other programs.
enum RouteDocument {
  /// A day of one technician with its exported stops.
  struct Day {
    let route: RouteView
    /// The located stops in the exported order.
    let stops: [(stop: RouteStopView, latitude: Double, longitude: Double)]

    /// - Throws: `CommandFailure` if the best order is requested and no current one is known.
    init(_ route: RouteView, best: Bool) throws(CommandFailure) {
      guard !best || route.fresh else {
        throw .badData(
          "the best order of \(route.day) has not been computed for the present stops; run `pfctl route optimise`")
      }
      self.route = route
      stops = route.stops.sorted { best ? ($0.bestPlace ?? 0) < ($1.bestPlace ?? 0) : $0.place < $1.place }
        .compactMap { stop in
          stop.latitude.flatMap { latitude in stop.longitude.map { (stop, latitude, $0) } }
        }
    }
  }

  // MARK: GeoJSON (RFC 7946)

  /// A GeoJSON feature collection.
  private struct FeatureCollection: Encodable {
    let type = "FeatureCollection"
    let features: [Feature]
  }

  /// A GeoJSON feature: a stop or a line.
  private struct Feature: Encodable {
    let type = "Feature"
    let geometry: Geometry
    let properties: Properties
  }

  /// A GeoJSON geometry.
  private enum Geometry: Encodable {
    case point(MapLine.Point)
    /// A line through at least two stops.
    case line(MapLine)

    enum CodingKeys: String, CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .point(let point):
        try container.encode("Point", forKey: .type)
        try container.encode(point.position, forKey: .coordinates)
      case .line(let line) where line.parts.count == 1:
        try container.encode("LineString", forKey: .type)
        try container.encode(line.parts[0].map(\.position), forKey: .coordinates)
      case .line(let line):
        try container.encode("MultiLineString", forKey: .type)
        try container.encode(line.parts.map { $0.map(\.position) }, forKey: .coordinates)
      }
    }
  }

  /// The properties of a feature.
  private struct Properties: Encodable {
    let technician: String
    let day: DayView
    var stop: Int?
    var pool: String?
    var customer: String?
    var address: String?
    var minutes: Double?
    var miles: Double?
  }

  static func geoJSON(_ days: [Day]) throws -> String {
    let features = days.flatMap { day -> [Feature] in
      let places = day.stops.map { MapLine.Point(longitude: $0.longitude, latitude: $0.latitude) }
      let points = day.stops.enumerated().map { place, stop in
        Feature(
          geometry: .point(places[place]),
          properties: Properties(
            technician: day.route.technician, day: day.route.day, stop: place + 1, pool: stop.stop.id,
            customer: stop.stop.customer, address: stop.stop.address))
      }
      guard day.stops.count >= 2 else { return points }
      let routeFeature = Feature(
        geometry: .line(MapLine(places)),
        properties: Properties(
          technician: day.route.technician, day: day.route.day, minutes: day.route.minutes, miles: day.route.miles))
      return points + [routeFeature]
    }
    return try json(FeatureCollection(features: features))
  }

  // MARK: GPX 1.1

  static func gpx(_ days: [Day]) -> String {
    let routes = days.map { day in
      let points = day.stops.map { stop in
        """
            <rtept lat="\(stop.latitude)" lon="\(stop.longitude)"><name>\(escaped(stop.stop.customer))</name>\
        <desc>\(escaped(stop.stop.address))</desc></rtept>
        """
      }
      return """
          <rte>
            <name>\(escaped("\(day.route.day) \(day.route.technician)"))</name>
        \(points.joined(separator: "\n"))
          </rte>
        """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="poolflow" xmlns="http://www.topografix.com/GPX/1/1">
      \(routes.joined(separator: "\n"))
      </gpx>
      """
  }

  private static func escaped(_ text: String) -> String {
    visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  // MARK: VROOM (API of VROOM 1.14: seconds, longitude before latitude)

  /// The input document of VROOM.
  private struct Problem: Encodable {
    let vehicles: [Vehicle]
    let jobs: [Job]
  }

  /// A VROOM vehicle: one technician on one day.
  private struct Vehicle: Encodable {
    let id: Int
    let description: String
    let start: [Double]
    let skills: [Int]
    let time_window: [Int]
  }

  /// A VROOM job: one stop.
  private struct Job: Encodable {
    let id: Int
    let description: String
    let location: [Double]
    let service: Int
    let skills: [Int]
    let time_windows: [[Int]]?
  }

  /// The seconds that a stop takes, as in the route computation; the working day is from 08:00 to 20:00.
  private static let secondsAtStop = 20 * 60
  private static let dayWindow = [8 * 3_600, 20 * 3_600]

  /// Each day is a VROOM skill, so that no vehicle gets the stops of another day.
  static func vroom(_ days: [Day]) throws -> String {
    var vehicles: [Vehicle] = []
    var jobs: [Job] = []
    for (number, day) in days.enumerated() {
      guard let first = day.stops.first else { continue }
      vehicles.append(
        Vehicle(
          id: number + 1, description: "\(day.route.day) \(day.route.technician)",
          start: [first.longitude, first.latitude], skills: [number + 1], time_window: dayWindow))
      for stop in day.stops {
        let window = stop.stop.opensMinute.flatMap { opens in
          stop.stop.closesMinute.map { [[opens * 60, $0 * 60]] }
        }
        jobs.append(
          Job(
            id: jobs.count + 1, description: stop.stop.customer, location: [stop.longitude, stop.latitude],
            service: secondsAtStop, skills: [number + 1], time_windows: window))
      }
    }
    return try json(Problem(vehicles: vehicles, jobs: jobs))
  }

  private static func json(_ value: some Encodable) throws -> String {
    String(decoding: try Envelope.encode(value, pretty: true), as: UTF8.self)
  }
}
