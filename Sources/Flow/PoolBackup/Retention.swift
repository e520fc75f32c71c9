package import PoolCalendar
package import PoolModel

extension Retention {
  /// A backup as retention sees it.
  package struct Candidate: Hashable, Sendable {
    package let id: String
    package let createdAt: Timestamp
    /// Nothing is known to be wrong with it.
    package let isGood: Bool

    package init(id: String, createdAt: Timestamp, isGood: Bool) {
      self.id = id
      self.createdAt = createdAt
      self.isGood = isGood
    }
  }

  /// The identities of those that may go.
  ///
  /// A damaged one takes nobody's place and goes once there is a good one that is newer. The newest good one always stays.
  /// - Parameters:
  ///   - zone: whose days, weeks (from Monday) and months count.
  ///   - end: the time by which things may be deleted. What was made later, by a clock that nobody has confirmed, takes
  ///     nobody's place and stays, the newest `Limits.backupsAhead` of them.
  package func expired(_ candidates: [Candidate], zone: Zone, notAfter end: Timestamp? = nil) -> [String] {
    let all = candidates.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    let newestFirst = all.filter { candidate in end.map { candidate.createdAt <= $0 } ?? true }
    return all.dropLast(newestFirst.count).dropFirst(Limits.backupsAhead).map(\.id) + expired(newestFirst, zone: zone)
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

  private static func week(_ date: CivilDate) -> CivilDate {
    // Sunday is 1, Monday 2.
    date.adding(days: -((date.weekday.rawValue + 5) % 7))
  }

  private static func month(_ date: CivilDate) -> CivilDate { date.adding(days: 1 - date.day) }
}
