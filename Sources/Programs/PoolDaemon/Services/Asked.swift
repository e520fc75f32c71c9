import PoolCalendar
import PoolControl
import PoolJobs
import PoolModel
import PoolPlatform
import PoolWork
import PoolTrades

// What a caller names, read into our own words; a refusal tells the nearest there is.

extension JobKind {
  init(asked name: String) throws(ControlError) {
    guard let kind = JobKind(rawValue: name) else {
      throw ControlError.noSuchJob(
        name, suggestion: Suggestion.nearest(to: name, among: JobCatalogue.every.all.map(\.rawValue)))
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

extension SearchText {
  /// - Parameter example: what may be written.
  init(
    asked text: String, example: String = "a part of a customer's name or of an address, such as 'juniper'"
  ) throws(ControlError) {
    if let fault = TextRule.name.fault(in: text) {
      throw ControlError.badValue(field: "search", value: text, why: "it \(fault)")
    }
    guard let search = SearchText(text) else {
      throw ControlError.badValue(
        field: "search", value: text, why: "write \(example)")
    }
    self = search
  }
}

extension SystemZones {
  /// - Parameter isChosen: a caller gives it to a team; a team that has a zone keeps it, whichever it is.
  func zone(asked name: String, isChosen: Bool = false) throws(ControlError) -> Zone {
    do {
      return isChosen ? try zone(chosen: name) : try zone(named: name)
    } catch .notFound(let wanted, let suggestion) {
      throw ControlError.noSuchZone(wanted, suggestion: suggestion)
    } catch {
      throw ControlError(.noSuchZone, "\(error)", facts: ["name": name])
    }
  }

  /// A time in the words of `TimeWords`, by the team's clocks; without a team by UTC.
  func instant(_ text: String, team: Team?, now: Timestamp, field: String) throws(ControlError) -> Timestamp {
    try time(text, team: team, now: now, field: field).instant
  }

  func time(_ text: String, team: Team?, now: Timestamp, field: String) throws(ControlError) -> TimeWords {
    // An instant with an offset of its own needs no zone, which may not be readable now.
    let zone = Timestamp(rfc3339: text) == nil ? try zone(asked: team?.zone ?? "UTC") : .utc
    let bare: TimeWords.Direction? = field == "since" ? .back : field == "until" ? .ahead : nil
    guard let time = TimeWords(text, now: now, zone: zone, bare: bare) else {
      throw ControlError.badValue(
        field: field, value: text, why: "it is no time; write \(TimeWords.forms), by the team's clocks")
    }
    return time
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

extension TeamName {
  /// - Throws: `ControlError` where no team may be called so.
  init(asked name: String, field: String) throws(ControlError) {
    guard let own = TeamName(name) else {
      throw ControlError.badValue(
        field: field, value: name,
        why: "a team's name is 1 to \(Limits.teamNameLength) letters, digits, '-', '_' or '.', a letter or digit first"
          + (TeamName(near: name).map { "; did you mean \($0.text)?" } ?? ""))
    }
    self = own
  }
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
