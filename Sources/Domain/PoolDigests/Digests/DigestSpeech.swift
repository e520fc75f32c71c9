package import PoolModel
import PoolNotices

/// How a digest is to be read out, as words: a page made of it later speaks as its team spoke then.
package struct DigestSpeech: Hashable, Sendable, Decodable {
  package let language: Language
  package let units: UnitSystem
  package let clock: ClockFormat
  package let currency: Currency
  /// Left out by a version of before.
  package let doses: DoseUnits?
  /// Left out where it is not so.
  package let showsBothUnits: Bool?

  enum CodingKeys: String, CodingKey {
    case language, units, clock, currency, doses
    case showsBothUnits = "both_units"
  }

  init(_ team: Team) {
    language = team.language
    units = team.units
    clock = team.clock
    currency = team.currency
    doses = team.settings.doseUnits
    showsBothUnits = team.settings.showsBothUnits ? true : nil
  }

  package var speech: Speech {
    Speech(
      RegionalFormat(
        language: language, units: units, showsBothUnits: showsBothUnits ?? false, clock: clock, currency: currency),
      doses: doses ?? .app)
  }
}
