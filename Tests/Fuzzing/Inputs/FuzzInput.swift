/// The external inputs that may contain any bytes.
///
/// `check` verifies for each: no crash, no call longer than promised, and the properties of accepted input.
package enum FuzzInput: String, CaseIterable, Sendable {
  case calendarExpression = "CalendarExpression"
  case iCalendar = "ICalendar"
  case tzif = "TZif"
  case zip = "ZIP"
  case archive = "Archive"
  case csv = "CSV"
  case manifest = "Manifest"
  case control = "Control"
  case settings = "Settings"
  case forecastCSV = "ForecastCSV"  // Stables
  case openMeteo = "OpenMeteo"  // Stables
  case weatherService = "WeatherService"  // Stables
  case stableCSV = "StableCSV"  // Stables
  case stableArchive = "StableArchive"  // Stables

  /// - Throws: the property that these bytes break.
  package func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    switch self {
    case .calendarExpression: try CalendarExpressionInput.check(bytes, limit)
    case .iCalendar: try ICalendarInput.check(bytes, limit)
    case .tzif: try TZifInput.check(bytes, limit)
    case .zip: try ZIPInput.check(bytes, limit)
    case .archive: try ArchiveInput.check(bytes, limit)
    case .csv: try CSVInput.check(bytes, limit)
    case .manifest: try ManifestInput.check(bytes, limit)
    case .control: try ControlInput.check(bytes, limit)
    case .settings: try SettingsInput.check(bytes, limit)
    case .forecastCSV, .openMeteo, .weatherService: try ForecastInput.check(bytes, limit)  // Stables
    case .stableCSV: try StableCSVInput.check(bytes, limit)  // Stables
    case .stableArchive: try StableArchiveInput.check(bytes, limit)  // Stables
    }
  }
}

/// A property that does not hold for an input.
package struct BrokenLaw: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

/// - Throws: `BrokenLaw` with the sentence, unless `condition` holds.
func require(_ condition: Bool, _ law: @autoclosure () -> String) throws(BrokenLaw) {
  guard condition else { throw BrokenLaw(law()) }
}
