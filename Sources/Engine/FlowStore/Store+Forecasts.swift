package import FlowModel

/// Weather forecasts of teams, imported from files.
package protocol Forecasts: Sendable {
  /// The newest forecast and the one before it.
  func forecasts(of team: TeamID) async throws -> [Forecast]

  /// Stores a forecast if it is newer than the present one.
  ///
  /// - Parameter digest: digest of the file's bytes; a file equal to one of the last two changes nothing.
  func importForecast(
    _ forecast: Forecast, digest: String, to team: TeamID, now: Timestamp
  ) async throws -> ForecastEffect
}

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
}

extension Connection {
  /// The newest forecast and the one before it, which is kept to recognise its file.
  package static let forecastsKept = 2

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
  package func forecasts(of team: TeamID, limit: Int) throws(StoreError) -> [Forecast] {
    try keptForecasts(of: team, limit: limit).map(\.forecast)
  }

  /// Newest first, with import data.
  package func keptForecasts(of team: TeamID, limit: Int = Connection.forecastsKept) throws(StoreError)
    -> [StoredForecast]
  {
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
  package func insert(_ forecast: Forecast, digest: String, of team: TeamID, now: Timestamp) throws(StoreError) {
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
}
