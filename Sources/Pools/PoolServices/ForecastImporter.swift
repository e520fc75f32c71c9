package import FlowControl
package import FlowModel
import FlowPlatform
package import FlowServices
import FlowStore
import PoolInterchange

/// Imports forecasts of teams of every trade from uploads and from the inbox.
package struct ForecastImporter: Sendable {
  private let store: any Forecasts
  private let uploads: Uploads
  private let clock: any WallClock
  private let mappingErrors: StoreErrorMapper
  private let log: DaemonLog

  package init(on context: TradeContext) {
    store = context.store
    uploads = context.uploads
    clock = context.clock
    mappingErrors = context.mappingErrors
    log = context.log
  }

  /// The effect of a forecast's import, or its predicted effect in a dry run.
  package struct Import: Sendable {
    package let forecast: Forecast
    package let effect: ForecastEffect
    package let warnings: [String]
  }

  /// Imports a finished upload of the caller's connection, and removes it.
  ///
  /// - Parameter modifiedAt: the modification time of the file as RFC 3339; nil: now.
  package func take(
    upload id: String, modifiedAt: String?, to team: Team, dryRun: Bool, _ caller: Caller
  ) async throws -> Import {
    let upload = try await uploads.finished(id, connection: caller.connection)
    let now = clock.now()
    // A file dated in the future would make every later forecast count as older.
    let modified = min(try instant(modifiedAt) ?? now, now)
    guard upload.bytes <= Limits.forecastBytes else {
      throw ControlError.badFile(
        "'\(upload.fileName)' has \(sizeText(upload.bytes)), the limit for a forecast is \(sizeText(Limits.forecastBytes)) "
          + "(too-large)")
    }
    let bytes = try PrivateFiles.bytes(upload.path, limit: Limits.forecastBytes)
    let taken = try await take(bytes, name: upload.fileName, modifiedAt: modified, to: team, dryRun: dryRun, now)
    if !dryRun {
      try await uploads.remove(id, connection: caller.connection)
      log.notice("forecast for team '\(team.name)' imported by \(caller.words): \(taken.effect.rawValue)")
    }
    return taken
  }

  /// Parses and imports a forecast of a team.
  ///
  /// - Throws: `ControlError.badFile` with the fault's code.
  private func take(
    _ bytes: [UInt8], name: String, modifiedAt: Timestamp, to team: Team, dryRun: Bool, _ now: Timestamp
  ) async throws -> Import {
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
    return Import(
      forecast: forecast, effect: effect,
      warnings: effect == .imported ? warnings(on: forecast, after: known.first, now) : [])
  }

  /// Imports a weather forecast from the inbox; nil if the file is none. Repeating an unfinished import is harmless, because the
  /// same file changes nothing.
  ///
  /// - Parameter takesEveryJSON: true to refuse JSON that is no forecast; false to leave it to others.
  package func importFile(_ file: InboxFile, takesEveryJSON: Bool) async throws -> ImportedFile? {
    guard let facts = FileFacts(of: file.path) else { throw SystemFailure("cannot read '\(file.name)'") }
    let bytes = try PrivateFiles.piece(of: file.path, at: 0, upTo: Limits.forecastBytes + 1).0
    guard takesEveryJSON ? ForecastReader.isForecast(bytes, name: file.name) : ForecastReader.isReadable(bytes) else {
      return nil
    }
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

  private func instant(_ text: String?) throws(ControlError) -> Timestamp? {
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
    if now.since(forecast.issuedAt) > Forecast.staleAfter {
      warnings.append("it was issued more than 36 hours ago, so no advice is based on it")
    }
    if let last = forecast.hours.last, last.start.advanced(by: .hours(1)) <= now {
      warnings.append("all its hours have passed")
    }
    if let newest, let place = ForecastPlace(forecast.place), let before = ForecastPlace(newest.place),
      place.isFar(from: before)
    {
      warnings.append("it is for the location \(forecast.place); the previous one was for \(newest.place)")
    }
    return warnings
  }
}
