// The calls of org.poolflow.Reports.

/// A page in the format that was asked for.
package struct ReportText: Codable, Sendable {
  package let text: String

  package init(text: String) { self.text = text }
}

package enum ReportsCall {
  /// A digest as it would be told, without telling it.
  package struct Digest: ControlMethod {
    package static let method = "org.poolflow.Reports.Digest"
    package static let answersAtLength = true

    package let team: String
    /// `morning` or `weekly`.
    package let kind: String
    /// `2026-03-02`; today without it.
    package let date: String?
    /// A technician's section alone.
    package let technician: String?
    /// `text`, `md`, `html`, `ics` or `json`.
    package let format: String

    package init(team: String, kind: String, date: String? = nil, technician: String? = nil, format: String) {
      self.team = team
      self.kind = kind
      self.date = date
      self.technician = technician
      self.format = format
    }

    package typealias Reply = ReportText
  }

  /// A visit as its customer may read it.
  package struct Visit: ControlMethod {
    package static let method = "org.poolflow.Reports.Visit"
    package static let answersAtLength = true

    package let team: String
    package let pool: String
    /// The last one without it.
    package let visit: String?
    /// `text`, `md` or `html`.
    package let format: String

    package init(team: String, pool: String, visit: String? = nil, format: String) {
      self.team = team
      self.pool = pool
      self.visit = visit
      self.format = format
    }

    package typealias Reply = ReportText
  }

  /// A calendar month in numbers.
  package struct Month: ControlMethod {
    package static let method = "org.poolflow.Reports.Month"
    package static let answersAtLength = true

    package let team: String
    /// `2026-02`; the last whole month without it.
    package let month: String?
    /// `text`, `md` or `html`.
    package let format: String

    package init(team: String, month: String? = nil, format: String) {
      self.team = team
      self.month = month
      self.format = format
    }

    package typealias Reply = ReportText
  }
}
