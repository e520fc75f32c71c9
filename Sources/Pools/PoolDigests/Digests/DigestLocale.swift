package import FlowModel
import FlowNotices

/// The language and formats of a digest, stored with it, so that a page rendered later uses the team's settings at that time.
package struct DigestLocale: Hashable, Sendable, Decodable {
  package let language: Language
  package let units: UnitSystem
  package let clock: ClockFormat
  package let currency: Currency
  /// The units of chemical amounts; nil in a digest from an older version.
  package let doses: DoseUnits?
  /// Whether both systems of units are shown; nil for false.
  package let showsBothUnits: Bool?
  /// Whether the saturation index is corrected by the pH; nil for false.
  package let isIndexByPH: Bool?

  enum CodingKeys: String, CodingKey {
    case language, units, clock, currency, doses
    case showsBothUnits = "both_units"
    case isIndexByPH = "index_by_ph"
  }

  init(_ team: Team) {
    language = team.language
    units = team.units
    clock = team.clock
    currency = team.currency
    doses = team.settings.doseUnits
    showsBothUnits = team.settings.showsBothUnits ? true : nil
    isIndexByPH = team.settings.lsiMethod == .phCorrected ? true : nil
  }

  package var localizer: Localizer {
    Localizer(
      RegionalFormat(
        language: language, units: units, showsBothUnits: showsBothUnits ?? false, clock: clock, currency: currency),
      doses: doses ?? .app)
  }
}
