internal import PoolControl
internal import PoolModel

/// `pfctl weather show`: shows the newest forecast by the hour.
enum WeatherShowCommand: Command {
  static let description = CommandDescription(
    "weather show", "the newest forecast of a stable, hour by hour from now on",
    options: [
      .init("team", "TEAM", "whose weather"), .init("all", nil, "hours that have passed, too"),
    ],
    details: [
      "FELT counts wind and wet: what the blankets of `pfctl blanket` go by. A forecast older than twelve hours is said to be "
        + "old, and of one older than 36 no advice is made."
    ],
    examples: ["pfctl weather show --team willow-barn"])

  static let documents: [JSONDocument] = [.init("weather", WeatherCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let call = WeatherCall.Show(team: team, all: arguments.has("all"))
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
  static func words(of forecast: ForecastView) -> String {
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
    "weather import", "take a forecast from a file: our CSV, Open-Meteo's JSON or the US weather service's",
    operands: [.init("FILE")],
    options: [
      .init("team", "TEAM", "whose weather"),
      .init("dry-run", nil, "say what is in it, and take nothing"),
    ],
    details: [
      "A CSV has the columns time, air_c, wind_kmh, rain_mm and rain_probability; the last three may be missing. Times are ISO "
        + "8601 with Z or an offset, temperatures °C, at most 1 MiB and 3,000 hours. A file is taken whole or not at all.",
      "The same file twice changes nothing, and an older one never takes the place of a newer. The daemon itself fetches "
        + "nothing.",
    ],
    examples: [
      "pfctl weather import forecast.json --team willow-barn",
      "pfctl weather import forecast.csv --team willow-barn --dry-run",
    ])

  static let documents: [JSONDocument] = [.init("weather-import", WeatherCall.Import.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let file = try ImportFile(
      path: arguments.operand(0) ?? "", wanted: "a forecast (CSV or JSON) is wanted", mostBytes: Limits.forecastBytes)
    let daemon = try session.runningDaemon()
    let upload = try file.send(to: daemon, team: team, console: session.console)
    let reply = try daemon.ask(
      WeatherCall.Import(
        team: team, upload: upload, modifiedAt: file.modifiedAt, dryRun: arguments.has("dry-run")))
    let console = session.console
    if console.isJSON { return try console.document("weather-import", reply) }
    for remark in reply.remarks { console.finding("\(console.paint("warning", .yellow)): \(visible(remark))") }
    let action =
      switch reply.effect {
      case .imported: reply.dryRun ? "would be taken" : "taken"
      case .unchanged: "it is there already; nothing was changed"
      case .older: "a newer one is there; nothing was changed"
      }
    console.line("\(WeatherShowCommand.words(of: reply.forecast)): \(action)")
  }
}
