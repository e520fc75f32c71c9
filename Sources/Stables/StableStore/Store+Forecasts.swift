package import FlowModel
import FlowStore
package import StableModel

extension Store: Forecasts {
  package func forecasts(of team: TeamID) throws -> [Forecast] {
    try connection.snapshot { try connection.forecasts(of: team, limit: Connection.forecastsKept) }
  }

  package func importForecast(
    _ forecast: Forecast, digest: String, to team: TeamID, now: Timestamp
  ) throws -> ForecastEffect {
    try connection.transaction(of: [team]) {
      let known = try connection.forecastHeads(of: team, limit: Connection.forecastsKept)
      if known.contains(where: { $0.digest == digest }) { return .unchanged }
      if let newest = known.first, forecast.issuedAt < newest.issuedAt { return .older }
      try connection.insert(forecast, digest: digest, of: team, now: now)
      try connection.run(
        """
        DELETE FROM forecasts WHERE team_id = ?1 AND forecast_id NOT IN (
          SELECT forecast_id FROM forecasts WHERE team_id = ?1 ORDER BY forecast_id DESC LIMIT ?2)
        """, .integer(team.number), .integer(Connection.forecastsKept))
      return .imported
    }
  }

  package func lastNight(before date: CivilDate, of team: TeamID) throws -> BlanketNight? {
    try connection.snapshot { try connection.lastNight(before: date, of: team) }
  }
}

extension Connection {
  /// The newest forecast and the one before it, which is kept to recognise its file.
  static let forecastsKept = 2

  /// A forecast without its hours.
  struct ForecastHead {
    let id: Int64
    let digest: String
    let source: Forecast.Source
    let place: String
    let issuedAt: Timestamp
    let importedAt: Timestamp
  }

  /// Newest first.
  func forecastHeads(of team: TeamID, limit: Int) throws(StoreError) -> [ForecastHead] {
    try rows(
      """
      SELECT forecast_id, digest, source, place, issued_ms, imported_ms FROM forecasts WHERE team_id = ?
      ORDER BY forecast_id DESC LIMIT ?
      """, .integer(team.number), .integer(limit)
    ) { row throws(StoreError) in
      ForecastHead(
        id: row.integer("forecast_id"), digest: row.text("digest"),
        source: try row.word("source", table: "forecasts"), place: row.text("place"),
        issuedAt: row.instant("issued_ms"), importedAt: row.instant("imported_ms"))
    }
  }

  /// Newest first.
  func forecasts(of team: TeamID, limit: Int) throws(StoreError) -> [Forecast] {
    try keptForecasts(of: team, limit: limit).map(\.forecast)
  }

  /// Newest first, with import data.
  func keptForecasts(of team: TeamID, limit: Int = Connection.forecastsKept) throws(StoreError) -> [StoredForecast] {
    var found: [StoredForecast] = []
    for head in try forecastHeads(of: team, limit: limit) {
      let hours = try rows(
        """
        SELECT start_ms, air_c, wind_kmh, rain_mm, rain_probability FROM forecast_hours WHERE forecast_id = ?
        ORDER BY start_ms
        """, .integer(head.id)
      ) { row throws(StoreError) in
        ForecastHour(
          start: row.instant("start_ms"), air: row.real("air_c"), wind: row.optionalReal("wind_kmh"),
          rain: row.optionalReal("rain_mm"), probability: row.optionalReal("rain_probability"))
      }
      let forecast = Forecast(source: head.source, place: head.place, issuedAt: head.issuedAt, hours: hours)
      found.append(StoredForecast(forecast: forecast, digest: head.digest, importedAt: head.importedAt))
    }
    return found
  }

  /// Stores a forecast with its hours.
  func insert(_ forecast: Forecast, digest: String, of team: TeamID, now: Timestamp) throws(StoreError) {
    let id = try first(
      """
      INSERT INTO forecasts (team_id, digest, source, place, issued_ms, imported_ms) VALUES (?, ?, ?, ?, ?, ?)
      RETURNING forecast_id
      """, .integer(team.number), .text(digest), .text(forecast.source.rawValue), .text(forecast.place),
      .at(forecast.issuedAt), .at(now)
    ) { row throws(StoreError) in row.integer(0) }
    guard let id else { return }
    try insert(forecast.hours, as: Self.forecastHours) { (hour, row) throws(StoreError) in
      row.put(id)
      row.put(hour.start)
      row.put(hour.air)
      row.put(hour.wind)
      row.put(hour.rain)
      row.put(hour.probability)
    }
  }

  private static let forecastHours = InsertForm(
    "forecast_hours", "forecast_id, start_ms, air_c, wind_kmh, rain_mm, rain_probability")

  /// The last night with advice.
  ///
  /// - Parameter date: the night must be before this date; nil: the last night of all.
  func lastNight(before date: CivilDate?, of team: TeamID) throws(StoreError) -> BlanketNight? {
    let night = try first(
      """
      SELECT local_date, felt_c, is_wet FROM blanket_nights WHERE team_id = ? AND local_date < ?
      ORDER BY local_date DESC LIMIT 1
      """, .integer(team.number), .text(date?.description ?? "~")
    ) { row throws(StoreError) in try Self.night(row) }
    guard let night else { return nil }
    return try withAdvice(night, of: team)
  }

  /// All nights with advice, oldest first.
  func blanketNights(of team: TeamID) throws(StoreError) -> [BlanketNight] {
    var nights = try rows(
      "SELECT local_date, felt_c, is_wet FROM blanket_nights WHERE team_id = ? ORDER BY local_date",
      .integer(team.number)
    ) { row throws(StoreError) in try Self.night(row) }
    for place in nights.indices { nights[place] = try withAdvice(nights[place], of: team) }
    return nights
  }

  private static func night(_ row: Statement) throws(StoreError) -> BlanketNight {
    BlanketNight(
      date: try row.date("local_date", table: "blanket_nights"), felt: row.real("felt_c"), isWet: row.flag("is_wet"),
      advice: [:])
  }

  private func withAdvice(_ night: BlanketNight, of team: TeamID) throws(StoreError) -> BlanketNight {
    let advice = try rows(
      "SELECT horse_id, advice FROM blanket_advice WHERE team_id = ? AND local_date = ?", .integer(team.number),
      .text(night.date.description)
    ) { row throws(StoreError) in
      (
        try row.id("horse_id", table: "blanket_advice") as HorseID,
        try row.word("advice", table: "blanket_advice") as BlanketAdvice
      )
    }
    var night = night
    night.advice = Dictionary(advice, uniquingKeysWith: { first, _ in first })
    return night
  }

  /// Stores a night's advice; advice for the same night is replaced.
  func keep(_ night: BlanketNight, of team: TeamID) throws(StoreError) {
    try run(
      "DELETE FROM blanket_nights WHERE team_id = ? AND local_date = ?", .integer(team.number),
      .text(night.date.description))
    try run(
      "INSERT INTO blanket_nights (team_id, local_date, felt_c, is_wet) VALUES (?, ?, ?, ?)", .integer(team.number),
      .text(night.date.description), .real(night.felt), .flag(night.isWet))
    try insert(night.advice.sorted { $0.key < $1.key }, as: Self.blanketAdvice) { (advice, row) throws(StoreError) in
      row.put(team.number)
      row.put(night.date.description)
      row.put(advice.key)
      row.put(advice.value.rawValue)
    }
  }

  private static let blanketAdvice = InsertForm("blanket_advice", "team_id, local_date, horse_id, advice")
}
