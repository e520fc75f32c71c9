package import PoolCalendar
package import PoolModel

/// What a digest is about, besides the facts: the day, whose clocks, which run.
package struct DigestMoment: Sendable {
  package let zone: Zone
  /// The instant whose local date the digest is about; ages and due dates are counted to it.
  package let asOf: Timestamp
  /// How many days after that date the day lies which it tells of: 1 for the evening before.
  package let daysAhead: Int
  /// The notice's id; nil for a preview, of which nothing is sent.
  package let run: String?
  /// Said first where the notice comes late.
  package let late: Lateness?

  /// Both instants as people read them: `Mon 7:00 AM MST`.
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

  package var date: CivilDate { zone.local(at: asOf).date.adding(days: daysAhead) }

  /// The same for a notice of another id.
  package func run(as id: String) -> DigestMoment {
    DigestMoment(zone: zone, asOf: asOf, daysAhead: daysAhead, run: id, late: late)
  }

  /// The same about a later day.
  package func ahead(days: Int) -> DigestMoment {
    DigestMoment(zone: zone, asOf: asOf, daysAhead: days, run: run, late: late)
  }

  /// Calendar days of the team's zone from `instant` to the day; negative for what lies ahead.
  package func days(since instant: Timestamp) -> Int {
    date.daysSince1970 - zone.local(at: instant).date.daysSince1970
  }
}

extension DigestMoment.Lateness {
  /// What a notice that comes late says first.
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
