import StableControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import StableInterchange
import StableModel
import StableRules
import StableStore

extension WeatherAnswers {
  func `import`(_ call: WeatherCall.Import, _ caller: Caller) async throws -> WeatherCall.Import.Reply {
    let team = try await barn.team(named: call.team)
    let upload = try await uploads.finished(call.upload, connection: caller.connection)
    let now = clock.now()
    // A file dated in the future would make every later forecast count as older.
    let modified = min(try modifiedAt(call.modifiedAt) ?? now, now)
    guard upload.bytes <= Limits.forecastBytes else {
      throw ControlError.badFile(
        "'\(upload.fileName)' has \(sizeText(upload.bytes)), the limit for a forecast is \(sizeText(Limits.forecastBytes)) "
          + "(too-large)")
    }
    let bytes = try PrivateFiles.bytes(upload.path, limit: Limits.forecastBytes)
    let taken = try await take(bytes, name: upload.fileName, modifiedAt: modified, to: team, dryRun: call.dryRun, now)
    if !call.dryRun {
      try await uploads.remove(call.upload, connection: caller.connection)
      log.notice("forecast for team '\(team.name)' imported by \(caller.words): \(taken.effect.rawValue)")
    }
    return WeatherCall.Import.Reply(
      effect: ForecastEffectView(taken.effect), dryRun: call.dryRun, forecast: view(of: taken.forecast, team, now),
      remarks: taken.warnings)
  }

  /// The effect of a forecast's import, or its predicted effect in a dry run.
  struct ForecastImport: Sendable {
    let forecast: Forecast
    let effect: ForecastEffect
    let warnings: [String]
  }

  /// Parses and imports a forecast of a team.
  ///
  /// - Throws: `ControlError.badFile` with the fault's code.
  func take(
    _ bytes: [UInt8], name: String, modifiedAt: Timestamp, to team: Team, dryRun: Bool, _ now: Timestamp
  ) async throws -> ForecastImport {
    let forecast: Forecast
    do throws(ForecastFault) {
      forecast = try ForecastReader.read(bytes, modifiedAt: modifiedAt)
    } catch {
      throw ControlError.badFile("'\(name)' is refused: \(error) (\(error.code)); nothing was changed")
    }
    let known = try await mappingErrors { try await store.forecasts(of: team.id) }
    var effect = Self.effect(of: forecast, on: known)
    if !dryRun {
      effect = try await mappingErrors {
        try await store.importForecast(forecast, digest: SHA256.hex(of: bytes), to: team.id, now: now)
      }
    }
    return ForecastImport(
      forecast: forecast, effect: effect,
      warnings: effect == .imported ? warnings(on: forecast, after: known.first, now) : [])
  }

  /// Imports a weather forecast from the inbox; nil if the file is none. Repeating an unfinished import is harmless, because the
  /// same file changes nothing.
  func importFile(_ file: InboxFile) async throws -> ImportedFile? {
    guard let facts = FileFacts(of: file.path) else { throw SystemFailure("cannot read '\(file.name)'") }
    let bytes = try PrivateFiles.piece(of: file.path, at: 0, upTo: Limits.forecastBytes + 1).0
    guard ForecastReader.isForecast(bytes, name: file.name) else { return nil }
    guard facts.bytes <= Limits.forecastBytes else {
      throw ControlError.badFile(
        "'\(file.name)' has \(sizeText(facts.bytes)), and a forecast at most \(sizeText(Limits.forecastBytes)) "
          + "(too-large)")
    }
    let now = clock.now()
    let taken = try await take(
      bytes, name: file.name, modifiedAt: min(file.modifiedAt, now), to: file.team, dryRun: false, now)
    return ImportedFile(
      kind: .forecast, noun: "a forecast", isNew: taken.effect == .imported, warnings: taken.warnings)
  }

  private func modifiedAt(_ text: String?) throws(ControlError) -> Timestamp? {
    guard let text else { return nil }
    guard let instant = Timestamp(rfc3339: text) else {
      throw ControlError.badValue(
        field: "modified_at", value: text, why: "this is not an instant such as 2026-03-02T14:00:00Z")
    }
    return instant
  }

  /// The predicted effect of an import.
  private static func effect(of forecast: Forecast, on known: [Forecast]) -> ForecastEffect {
    if known.contains(forecast) { return .unchanged }
    guard let newest = known.first, forecast.issuedAt < newest.issuedAt else { return .imported }
    return .older
  }

  /// Warnings about an imported forecast: stale, already over, or for a distant location.
  private func warnings(on forecast: Forecast, after newest: Forecast?, _ now: Timestamp) -> [String] {
    var warnings: [String] = []
    if now.since(forecast.issuedAt) > BlanketRules.staleAfter {
      warnings.append("it was issued more than 36 hours ago, so no advice is based on it")
    }
    if let last = forecast.hours.last, last.start.advanced(by: .hours(1)) <= now {
      warnings.append("all its hours have passed")
    }
    if let newest, ForecastLocation(forecast.place)?.isFar(from: ForecastLocation(newest.place)) == true {
      warnings.append("it is for the location \(forecast.place); the previous one was for \(newest.place)")
    }
    return warnings
  }
}

/// The coordinates that a forecast names, such as `33.45,-112.07`.
private struct ForecastLocation {
  let latitude: Double
  let longitude: Double

  init?(_ text: String) {
    let parts = text.split(separator: ",")
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// True if more than half a degree apart; weather services round to grid points, which are closer.
  func isFar(from other: ForecastLocation?) -> Bool {
    guard let other else { return false }
    return abs(latitude - other.latitude) > 0.5 || abs(longitude - other.longitude) > 0.5
  }
}
