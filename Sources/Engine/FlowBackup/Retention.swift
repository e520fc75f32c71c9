package import FlowCalendar
package import FlowModel

extension Retention {
  /// The facts about a backup that retention needs.
  package struct Candidate: Hashable, Sendable {
    package let id: String
    package let createdAt: Timestamp
    /// True if no damage is known.
    package let isGood: Bool

    package init(id: String, createdAt: Timestamp, isGood: Bool) {
      self.id = id
      self.createdAt = createdAt
      self.isGood = isGood
    }
  }

  /// Returns the ids of the backups to remove.
  ///
  /// A damaged backup does not count for any period, and is removed once there is a newer good one. The newest good backup is
  /// always kept.
  ///
  /// - Parameters:
  ///   - zone: the time zone of days, weeks (from Monday) and months.
  ///   - end: the confirmed time for deletion. Later backups, dated by an unconfirmed clock, do not count for any period; the newest
  ///     `Limits.futureBackupsKept` of them are kept.
  package func expired(_ candidates: [Candidate], zone: Zone, notAfter end: Timestamp? = nil) -> [String] {
    let all = candidates.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    let newestFirst = all.filter { candidate in end.map { candidate.createdAt <= $0 } ?? true }
    return all.dropLast(newestFirst.count).dropFirst(Limits.futureBackupsKept).map(\.id)
      + expired(newestFirst, zone: zone)
  }

  private func expired(_ newestFirst: [Candidate], zone: Zone) -> [String] {
    let good = newestFirst.filter(\.isGood)
    guard let newest = good.first else { return [] }
    var kept: Set<String> = [newest.id]
    for (count, period) in [(daily, Self.day), (weekly, Self.week), (monthly, Self.month)] {
      var periods: Set<CivilDate> = []
      for candidate in good {
        let date = period(zone.local(at: candidate.createdAt).date)
        guard !periods.contains(date) else { continue }
        guard periods.count < count else { break }
        periods.insert(date)
        kept.insert(candidate.id)
      }
    }
    return newestFirst.filter { candidate in
      candidate.isGood ? !kept.contains(candidate.id) : candidate.createdAt < newest.createdAt
    }.map(\.id)
  }

  private static func day(_ date: CivilDate) -> CivilDate { date }

  /// The Monday of the date's week.
  private static func week(_ date: CivilDate) -> CivilDate {
    // `rawValue` is 1 for Sunday and 2 for Monday.
    date.adding(days: -((date.weekday.rawValue + 5) % 7))
  }

  private static func month(_ date: CivilDate) -> CivilDate { date.adding(days: 1 - date.day) }
}
