import FlowWork
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform

// Parse names and times from callers; a refusal suggests the nearest valid name.

extension DayView {
  init(_ day: Weekday) { self.init(ours: day.abbreviation) }
}

extension Weekday {
  /// A weekday from a prefix of its English name, at least two characters long.
  init(asked text: String) throws(ControlError) {
    let wanted = text.lowercased()
    guard let named = Weekday.allCases.first(where: { wanted.count >= 2 && "\($0)".hasPrefix(wanted) }) else {
      throw ControlError.badValue(field: "day", value: text, why: "write a weekday such as Mon or monday")
    }
    self = named
  }
}

extension SearchText {
  /// Parses a search text.
  ///
  /// - Parameter example: an example of valid text, for the refusal.
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
  /// The zone with this name.
  ///
  /// - Parameter isChosen: true if a caller chooses the zone for a team, which excludes some names; a team's stored zone is
  ///   always accepted.
  func zone(asked name: String, isChosen: Bool = false) throws(ControlError) -> Zone {
    do {
      return isChosen ? try zone(chosen: name) : try zone(named: name)
    } catch .notFound(let wanted, let suggestion) {
      throw ControlError.noSuchZone(wanted, suggestion: suggestion)
    } catch {
      throw ControlError(.noSuchZone, "\(error)", facts: ["name": name])
    }
  }

  /// Parses a time as `TypedInstant` does, in the team's zone; in UTC without a team.
  func instant(_ text: String, team: Team?, now: Timestamp, field: String) throws(ControlError) -> Timestamp {
    try time(text, team: team, now: now, field: field).instant
  }

  func time(_ text: String, team: Team?, now: Timestamp, field: String) throws(ControlError) -> TypedInstant {
    // An instant with its own offset needs no zone, which may be unreadable.
    let zone = Timestamp(rfc3339: text) == nil ? try zone(asked: team?.zone ?? "UTC") : .utc
    let bare: TypedInstant.Direction? = field == "since" ? .back : field == "until" ? .ahead : nil
    guard let time = TypedInstant(text, now: now, zone: zone, bare: bare) else {
      throw ControlError.badValue(
        field: field, value: text, why: "this is not a time; write \(TypedInstant.forms), in the team's time zone")
    }
    return time
  }

  /// An instant such as `Mon 2026-03-02 07:00 MST`; in UTC if the zone cannot be read.
  func local(_ instant: Timestamp, zone name: String) -> String {
    ((try? zone(named: name)) ?? .utc).dateText(at: instant)
  }
}

extension LocalZone {
  /// The machine's zone.
  static var own: String { name(environment: [:]) }
}

extension TeamName {
  /// Parses a team's name.
  ///
  /// - Throws: `ControlError` if the text is no valid team name.
  init(asked name: String, field: String) throws(ControlError) {
    guard let own = TeamName(name) else {
      throw ControlError.badValue(
        field: field, value: name,
        why: "a team's name is 1 to \(Limits.teamNameLength) letters, digits, '-', '_' or '.', "
          + "beginning with a letter or digit"
          + (TeamName(near: name).map { "; did you mean \($0.text)?" } ?? ""))
    }
    self = own
  }
}

extension Team {
  /// Checks the confirmation of a change that cannot be undone; a dry run needs none.
  ///
  /// - Throws: `ControlError` unless `typed` is the team's name.
  func mustBeConfirmed(by typed: String?, unless isDryRun: Bool) throws(ControlError) {
    guard !isDryRun, typed != name else { return }
    throw ControlError.badValue(
      field: "confirm", value: typed ?? "", why: "to confirm, repeat the name of the team: \(name)")
  }
}

extension Caller {
  /// `anna (uid 1000)`, for the log.
  var words: String { name.map { "\($0) (uid \(uid))" } ?? "uid \(uid)" }
  /// The user's name, if the system has one. Each use queries the system's user database.
  var name: String? { Accounts.userName(uid) }
}
