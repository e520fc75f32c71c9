import PoolCalendar
import PoolControl
import PoolJobs
import PoolModel
import PoolPlatform

// What a caller names, read into our own words; a refusal tells the nearest there is.

extension JobKind {
  init(asked name: String) throws(ControlError) {
    guard let kind = JobKind(rawValue: name) else {
      throw ControlError.noSuchJob(
        name, suggestion: Suggestion.nearest(to: name, among: JobCatalogue.all.map(\.rawValue)))
    }
    self = kind
  }
}

extension DayView {
  init(_ day: Weekday) { self.init(ours: day.abbreviation) }
}

extension Weekday {
  /// Any beginning of its English name, of two letters or more.
  init(asked text: String) throws(ControlError) {
    let wanted = text.lowercased()
    guard let named = Weekday.allCases.first(where: { wanted.count >= 2 && "\($0)".hasPrefix(wanted) }) else {
      throw ControlError.badValue(field: "day", value: text, why: "write a weekday such as Mon or monday")
    }
    self = named
  }
}

extension SystemZones {
  func zone(asked name: String) throws(ControlError) -> Zone {
    do {
      return try zone(named: name)
    } catch .notFound(let wanted, let suggestion) {
      throw ControlError.noSuchZone(wanted, suggestion: suggestion)
    } catch {
      throw ControlError(.noSuchZone, "\(error)", facts: ["name": name])
    }
  }

  /// RFC 3339, or a date with or without a time in the team's zone.
  func instant(_ text: String, team: Team?, field: String) throws(ControlError) -> Timestamp {
    if let instant = Timestamp(rfc3339: text) { return instant }
    let parts = text.split(separator: " ", maxSplits: 1)
    if let date = parts.first.flatMap({ Timestamp(rfc3339: $0 + "T00:00:00Z") }) {
      let day = LocalDateTime(secondsAsIfUTC: date.seconds).date
      let time = parts.count == 2 ? TimeOfDay(parts[1]) : TimeOfDay(secondOfDay: 0)
      if let time { return try zone(asked: team?.zone ?? "UTC").resolve(LocalDateTime(date: day, time: time)).standard }
    }
    throw ControlError.badValue(
      field: field, value: text,
      why: "write 2026-03-02, '2026-03-02 07:00' (in the team's zone) or 2026-03-02T14:00:00Z")
  }

  /// `Mon 2026-03-02 07:00 MST`, in UTC where the zone cannot be read any more.
  func local(_ instant: Timestamp, zone name: String) -> String {
    ((try? zone(named: name)) ?? .utc).dateText(at: instant)
  }
}

extension LocalZone {
  /// The machine's.
  static var own: String { name(environment: [:]) }
}

extension Team {
  /// - Throws: `ControlError` where a change that cannot be taken back was not confirmed by the team's name.
  func mustBeConfirmed(by typed: String?, unless isDryRun: Bool) throws(ControlError) {
    guard !isDryRun, typed != name else { return }
    throw ControlError.badValue(
      field: "confirm", value: typed ?? "", why: "it is the name of the team once more, \(name)")
  }
}

extension Caller {
  /// `anna (uid 1000)`, for the log.
  var words: String { name.map { "\($0) (uid \(uid))" } ?? "uid \(uid)" }
  /// The user's name, where the system has one for `uid`; looked up each time, for changes only.
  var name: String? { Accounts.userName(uid) }
}
