package import FlowCalendar
package import FlowModel

/// A digest that a caller asks for.
package struct DigestQuery: Sendable {
  /// The period of a digest.
  package enum Kind: Sendable {
    case morning, weekly
  }

  /// The format of a digest.
  package enum Format: Sendable {
    case text, md, html, json, ics
  }

  package let team: Team
  /// The team's zone.
  package let zone: Zone
  package let date: CivilDate
  package let kind: Kind
  package let format: Format
  /// The person whose digest it is; nil for the whole team's.
  package let person: String?

  package init(team: Team, zone: Zone, date: CivilDate, kind: Kind, format: Format, person: String?) {
    self.team = team
    self.zone = zone
    self.date = date
    self.kind = kind
    self.format = format
    self.person = person
  }
}
