package import FlowCalendar
package import FlowControl
package import FlowModel
package import FlowPlatform
import FlowWork

// Parses names and times from callers; a refusal suggests the nearest valid name.

extension SearchText {
  /// Parses a search text.
  ///
  /// - Parameter example: an example of valid text, for the refusal.
  package init(asked text: String, example: String) throws(ControlError) {
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

extension LocalZone {
  /// The machine's zone.
  package static var own: String { name(environment: [:]) }
}

extension SystemZones {
  /// The zone with this name.
  ///
  /// - Parameter isChosen: true if a caller chooses the zone for a team, which excludes some names; a team's stored zone is
  ///   always accepted.
  package func zone(asked name: String, isChosen: Bool = false) throws(ControlError) -> Zone {
    do {
      return isChosen ? try zone(chosen: name) : try zone(named: name)
    } catch .notFound(let wanted, let suggestion) {
      throw ControlError.noSuchZone(wanted, suggestion: suggestion)
    } catch {
      throw ControlError(.noSuchZone, "\(error)", facts: ["name": name])
    }
  }

  /// Parses a time as `TypedInstant` does, in the team's zone; in UTC without a team.
  package func instant(_ text: String, team: Team?, now: Timestamp, field: String) throws(ControlError) -> Timestamp {
    try time(text, team: team, now: now, field: field).instant
  }

  package func time(_ text: String, team: Team?, now: Timestamp, field: String) throws(ControlError) -> TypedInstant {
    // An instant with its own offset needs no zone, which may be unreadable.
    let zone = Timestamp(rfc3339: text) == nil ? try zone(asked: team?.zone ?? "UTC") : .utc
    let bare: TypedInstant.Direction? = field == "since" ? .back : field == "until" ? .ahead : nil
    guard let time = TypedInstant(text, now: now, zone: zone, bare: bare) else {
      throw ControlError.badValue(
        field: field, value: text, why: "this is not a time; write \(TypedInstant.forms), in the team's time zone")
    }
    return time
  }

  /// Parses the date of something that will be done: `2026-03-03`, `tomorrow`, or a weekday for its next date. The name of
  /// today's weekday is refused, because it may mean today or next week.
  package func date(_ text: String, team: Team, now: Timestamp, field: String) throws(ControlError) -> CivilDate {
    let time = try time(text, team: team, now: now, field: field)
    let zone = try zone(asked: team.zone)
    let today = zone.local(at: now).date
    let word = text.split(separator: " ").first ?? ""
    guard !TypedInstant.isTodaysWeekday(word, today: today) else {
      let why = TypedInstant.ambiguous(TextRule.shown.truncated(String(word)), today: today)
      throw ControlError.badValue(field: field, value: text, why: why)
    }
    return time.date ?? zone.local(at: time.instant).date
  }

  /// An instant such as `Mon 2026-03-02 07:00 MST`; in UTC if the zone cannot be read.
  package func local(_ instant: Timestamp, zone name: String) -> String {
    ((try? zone(named: name)) ?? .utc).dateText(at: instant)
  }
}

extension Caller {
  /// `anna (uid 1000)`, for the log.
  package var words: String { name.map { "\($0) (uid \(uid))" } ?? "uid \(uid)" }
  /// The user's name, if the system has one. Each use queries the system's user database.
  package var name: String? { Accounts.userName(uid) }
}
