package import FlowCalendar
package import FlowModel

/// The context of a digest besides its facts: the day, the zone and the run.
package struct DigestMoment: Sendable {
  package let zone: Zone
  /// The instant from which the digest's day, ages and due dates are computed.
  package let asOf: Timestamp
  /// Days from the local date of `asOf` to the digest's day: 1 for a preview sent the evening before.
  package let daysAhead: Int
  /// The notice's id; nil for a preview that is not sent.
  package let run: String?
  /// The due and sent times, shown first in a late notice; nil for a notice that is on time.
  package let late: Lateness?

  /// A late notice's times, formatted for the reader: `Mon 7:00 AM MST`.
  package struct Lateness: Hashable, Sendable, Decodable {
    package let due: String
    package let sent: String

    package init(due: String, sent: String) {
      self.due = due
      self.sent = sent
    }
  }

  package init(zone: Zone, asOf: Timestamp, daysAhead: Int = 0, run: String? = nil, late: Lateness? = nil) {
    self.zone = zone
    self.asOf = asOf
    self.daysAhead = daysAhead
    self.run = run
    self.late = late
  }

  /// The local date that the digest is about.
  package var date: CivilDate { zone.local(at: asOf).date.adding(days: daysAhead) }

  /// The same moment for a notice with another id.
  package func run(as id: String) -> DigestMoment {
    DigestMoment(zone: zone, asOf: asOf, daysAhead: daysAhead, run: id, late: late)
  }

  /// The same moment for a day `days` after the local date of `asOf`.
  package func ahead(days: Int) -> DigestMoment {
    DigestMoment(zone: zone, asOf: asOf, daysAhead: days, run: run, late: late)
  }

  /// Calendar days in the team's zone from `instant` to the digest's day; negative if `instant` is later.
  package func days(since instant: Timestamp) -> Int {
    date.daysSince1970 - zone.local(at: instant).date.daysSince1970
  }
}

extension DigestMoment.Lateness {
  /// The first line of a late notice.
  package func words(in language: Language) -> String {
    switch language {
    case .english: "Late: due \(due), sent \(sent)."
    case .spanish: "Con retraso: previsto \(due), enviado \(sent)."
    case .french: "En retard : prévu \(due), envoyé \(sent)."
    case .portuguese: "Atrasado: previsto \(due), enviado \(sent)."
    case .german: "Verspätet: fällig \(due), gesendet \(sent)."
    }
  }
}

extension DigestMoment.Lateness: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("due", due)
    json.member("sent", sent)
  }
}
