internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolControl

/// `pfctl weather show`: shows the newest forecast by the hour.
enum WeatherShowCommand: Command {
  static let description = CommandDescription(
    "weather show", "the newest forecast of a team, hour by hour from now on",
    options: [
      .init("team", "TEAM", "whose weather"), .init("all", nil, "hours that have passed, too"),
    ],
    details: [
      "FELT is the temperature with wind and rain. A forecast older than 36 hours gives no advice and no warning. Pool-service "
        + "teams with `route-preview on` are warned of frost on the evening before, and told of rain on a day of service; "
        + "`pfctl team set` has freeze-warning and rain-hint."
    ],
    examples: ["pfctl weather show --team willow-barn"])

  static let documents: [JSONDocument] = [.init("weather", ForecastsCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let call = ForecastsCall.Show(team: team, all: arguments.has("all"))
    guard let reply = try session.ask(call, as: "weather") else { return }
    let console = session.console
    guard let forecast = reply.forecast else {
      return console.words("no forecast yet: pfctl weather import FILE --team \(visible(team))")
    }
    var table = Table([
      .init("HOUR", minWidth: 14, isKey: true), .init("AIR", isNumber: true), .init("FELT", isNumber: true),
      .init("WIND", isNumber: true, rank: 1), .init("RAIN", isNumber: true, rank: 2),
      .init("CHANCE", isNumber: true, rank: 3), .init("WET"),
    ])
    for hour in reply.hours {
      table.add([
        .init(hour.local), .init(hour.airText), .init(hour.feltText), .init(hour.windText ?? "-"),
        .init(hour.rainText ?? "-"),
        .init(hour.rainProbability.map { "\(TextFormat.decimal($0, places: 0)) %" } ?? "-"),
        .init(hour.wet ? "wet" : "-"),
      ])
    }
    console.table(table)
    console.note(words(of: forecast))
  }

  /// `open-meteo, 33.45,-112.07: issued Mon 2026-03-02 05:00 MST, 3 hours ago; 48 hours until …`.
  static func words(of forecast: WeatherForecastView) -> String {
    let place = forecast.place.isEmpty ? "" : ", \(visible(forecast.place))"
    let age =
      forecast.ageHours < 0
      ? "ahead of now" : "\(TextFormat.duration(seconds: forecast.ageHours * 3_600)) ago"
    return "\(forecast.source)\(place): issued \(forecast.issuedLocal), \(age); "
      + "\(TextFormat.count(forecast.hours, "hour")) until \(forecast.untilLocal)"
  }
}

/// `pfctl weather import`: imports a forecast from a file.
enum WeatherImportCommand: Command {
  static let description = CommandDescription(
    "weather import", "import a forecast from a file: poolflow's CSV, or JSON of Open-Meteo or the US weather service",
    operands: [.init("FILE")],
    options: [
      .init("team", "TEAM", "whose weather"),
      .init("dry-run", nil, "show what the file contains, and import nothing"),
    ],
    details: [
      "A CSV has the columns time, air_c, wind_kmh, rain_mm and rain_probability; the last three may be missing. Times "
        + "are ISO 8601 with Z or an offset, temperatures °C, at most 1 MiB and 3,000 hours. A file is imported "
        + "completely or not at all.",
      "Importing the same file again changes nothing, and an older forecast never replaces a newer one. The daemon "
        + "itself fetches nothing.",
    ],
    examples: [
      "pfctl weather import forecast.json --team willow-barn",
      "pfctl weather import forecast.csv --team willow-barn --dry-run",
    ])

  static let documents: [JSONDocument] = [.init("weather-import", ForecastsCall.Import.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let file = try ImportFile(
      path: arguments.operand(0) ?? "", wanted: "expected a forecast (CSV or JSON)", mostBytes: Limits.forecastBytes)
    let daemon = try session.runningDaemon()
    let upload = try file.send(to: daemon, team: team, console: session.console)
    let reply = try daemon.ask(
      ForecastsCall.Import(
        team: team, upload: upload, modifiedAt: file.modifiedAt, dryRun: arguments.has("dry-run")))
    let console = session.console
    if console.isJSON { return try console.document("weather-import", reply) }
    for warning in reply.remarks { console.finding("\(console.paint("warning", .yellow)): \(visible(warning))") }
    let action =
      switch reply.effect {
      case .imported: reply.dryRun ? "would be taken" : "taken"
      case .unchanged: "this forecast was already imported; nothing was changed"
      case .older: "a newer forecast exists; nothing was changed"
      }
    console.line("\(WeatherShowCommand.words(of: reply.forecast)): \(action)")
  }
}
