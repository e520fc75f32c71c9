import FlowCalendar
import FlowModel

/// The calendar by definition, slow and without any of the code under test.
///
/// It uses only the zone's offset at an instant (which `ZoneTests` compares with the C library). It checks one date after the
/// other, lists every time of a matching date and finds the instants that show it.
struct SlowModel {
  let rule: WrittenRule
  let zone: Zone
  let policy: DaylightPolicy

  /// The first occurrence after `instant`, up to `days` days later; nil if there is none.
  func next(after instant: Int64, days: Int = 84_100) -> Occurrence? {
    var best: Occurrence?
    var day = Int(instant.quotient(86_400)) - 3
    let lastDay = min(day + days, 84_005)
    // An occurrence's instant is at most two days from its local time, so two more dates are enough.
    while day <= lastDay {
      if let best, best.nominal.date.daysSince1970 + 3 < day { break }
      if day >= 0, rule.names(date: CivilDate(daysSince1970: day)) {
        for occurrence in occurrences(day, after: instant) where occurrence.instant.seconds > instant {
          if let known = best, !Self.isBetter(occurrence, known) { continue }
          best = occurrence
        }
      }
      day += 1
    }
    return best
  }

  /// Earlier instants first; at the same instant an existing time comes before a moved one.
  private static func isBetter(_ left: Occurrence, _ right: Occurrence) -> Bool {
    if left.instant != right.instant { return left.instant < right.instant }
    if (left.event == .movedByGap) != (right.event == .movedByGap) { return right.event == .movedByGap }
    return left.nominal < right.nominal
  }

  private func occurrences(_ day: Int, after instant: Int64) -> [Occurrence] {
    var found: [Occurrence] = []
    let changes = changes(around: Int64(day) * 86_400 + 43_200)
    var earliest = Int64.max
    for hour in rule.hours {
      for minute in rule.minutes {
        for second in rule.seconds {
          let local = Int64(day) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
          // Too early to matter, or later than the best occurrence by more than offsets can differ.
          if local < instant - 2 * 86_400 { continue }
          if earliest < local - 2 * 86_400 { return found }
          for occurrence in resolve(local, changes) {
            found.append(occurrence)
            if occurrence.instant.seconds > instant { earliest = min(earliest, occurrence.instant.seconds) }
          }
        }
      }
    }
    return found
  }

  private func resolve(_ local: Int64, _ changes: Changes) -> [Occurrence] {
    let nominal = LocalDateTime(secondsAsIfUTC: local)
    let shown = Set(changes.offsets.map { local - Int64($0) })
      .filter { $0 + Int64(zone.offset(at: Timestamp(seconds: $0))) == local }.sorted()
    if shown.isEmpty {
      guard !rule.isInterval, policy.gap == .after else { return [] }
      for (instant, before, after) in changes.list where instant + before <= local && local < instant + after {
        return [Occurrence(instant: Timestamp(seconds: instant), nominal: nominal, event: .movedByGap)]
      }
      return []
    }
    let passes = shown.enumerated().map { index, instant in
      let event: Occurrence.Event = shown.count == 1 ? .plain : index == 0 ? .firstPass : .secondPass
      return Occurrence(instant: Timestamp(seconds: instant), nominal: nominal, event: event)
    }
    if rule.isInterval { return passes }
    switch policy.fold {
    case .first: return Array(passes.prefix(1))
    case .second: return Array(passes.suffix(1))
    case .both: return passes
    }
  }

  struct Changes {
    var offsets: Set<Int> = []
    var list: [(instant: Int64, before: Int64, after: Int64)] = []
  }

  /// Every offset change within three days of `middle`: hours are compared, and each change is located by bisection.
  private func changes(around middle: Int64) -> Changes {
    var found = Changes()
    var last = offset(middle - 3 * 86_400)
    found.offsets.insert(last)
    for step in stride(from: middle - 3 * 86_400 + 3_600, through: middle + 3 * 86_400, by: 3_600) {
      let next = offset(step)
      if next == last { continue }
      var (low, high) = (step - 3_600, step)
      while high - low > 1 {
        let centre = (low + high) / 2
        if offset(centre) == last { low = centre } else { high = centre }
      }
      found.list.append((high, Int64(last), Int64(next)))
      found.offsets.insert(next)
      last = next
    }
    return found
  }

  private func offset(_ seconds: Int64) -> Int { zone.offset(at: Timestamp(seconds: seconds)) }
}

extension Int64 {
  fileprivate func quotient(_ divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : (self - divisor + 1) / divisor
  }
}
