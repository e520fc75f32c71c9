package import FlowModel

/// Reason why a call was refused: a permanent error name, a message for users, and facts about the case.
///
/// The interfaces document each name and its exit code (`InterfaceDescription.errors`). The message says what is wrong, where, why,
/// and what to do: `no team is called 'dsert'; did you mean 'desert'?`
package struct ControlError: Error, Codable, Equatable, Sendable {
  package let name: String
  package let message: String
  /// Other parameters of the error, by wire name.
  package let facts: [String: String]

  package init(_ kind: Kind, _ message: String, facts: [String: String] = [:]) {
    self.init(name: kind.rawValue, message: message, facts: facts)
  }

  /// An error received over the wire, possibly from a newer daemon.
  package init(name: String, message: String, facts: [String: String]) {
    self.name = name
    self.message = message
    self.facts = facts
  }

  package var kind: Kind { Kind(rawValue: name) }

  /// The permanent name of an error in Varlink, such as `org.poolflow.Teams.NoSuchTeam`. WirePlugin generates a constant for each
  /// error of an interface; an error received from a newer daemon may have another name.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension ControlError: CustomStringConvertible {
  package var description: String { message }
}

/// Exit codes of poolflow's programs, from sysexits.h where possible; equal with and without `--json`.
package enum ExitCode {
  package static let done: Int32 = 0
  /// Success, but something needs attention.
  package static let attention: Int32 = 1
  package static let critical: Int32 = 2
  package static let unknown: Int32 = 3
  /// The user answered no, or typed a wrong name as confirmation; nothing was changed.
  package static let declined: Int32 = 4
  /// Invalid command line, or an invalid value in it.
  package static let usage: Int32 = 64
  /// A file was read but rejected.
  package static let badData: Int32 = 65
  /// A file does not exist or cannot be read.
  package static let noInput: Int32 = 66
  /// The named record does not exist, for example a team, pool, run or notice.
  package static let notFound: Int32 = 67
  /// No daemon answers.
  package static let unavailable: Int32 = 69
  package static let internalFault: Int32 = 70
  package static let cannotCreate: Int32 = 73
  package static let inputOutput: Int32 = 74
  package static let tryAgain: Int32 = 75
  /// Daemon and client use different protocol versions.
  package static let protocolMismatch: Int32 = 76
  package static let notPermitted: Int32 = 77
  package static let badSettings: Int32 = 78
  /// Shell convention: 128 plus the number of SIGINT.
  package static let interrupted: Int32 = 130
}

extension ControlError {
  /// Example: `no team is called 'dsert'; did you mean 'desert'?`
  package static func noSuchTeam(_ name: String, suggestion: String? = nil) -> ControlError {
    missing(.noSuchTeam, "no team is called \(name)", name, suggestion, otherwise: "`pfctl team list` shows them all")
  }

  /// The refusal of a call for teams of another trade.
  ///
  /// - Parameters:
  ///   - trade: the team's actual trade.
  ///   - owner: a team of that trade in a sentence, with an article.
  ///   - records: the records that the call is about.
  ///   - owners: the teams that have such records.
  package static func otherTrade(
    _ team: String, has trade: Trade, owner: String, records: String, of owners: String
  ) -> ControlError {
    ControlError(
      .otherTrade, "team '\(team)' is \(owner); \(records) belong to \(owners)",
      facts: ["team": team, "trade": trade.rawValue])
  }

  package static func noSuchJob(_ name: String, suggestion: String? = nil) -> ControlError {
    missing(.noSuchJob, "no job is called \(name)", name, suggestion, otherwise: "`pfctl list` shows them all")
  }

  package static func noSuchZone(_ name: String, suggestion: String? = nil) -> ControlError {
    missing(
      .noSuchZone, "the system has no time zone \(name)", name, suggestion,
      otherwise: "`timedatectl list-timezones` shows them all")
  }

  package static func noSuchTechnician(_ name: String, team: String, suggestion: String? = nil) -> ControlError {
    missing(
      .noSuchTechnician, "team \(team) has no technician \(name)", name, suggestion,
      otherwise: "`pfctl team show \(team)` shows them all")
  }

  package static func noSuchReminder(_ name: String, team: String, suggestion: String? = nil) -> ControlError {
    missing(
      .noSuchReminder, "team \(team) has no reminder \(name)", name, suggestion,
      otherwise: "`pfctl reminder list --team \(team)` shows them all")
  }

  package static func noSuchNotice(_ name: String, suggestion: String? = nil) -> ControlError {
    missing(
      .noSuchNotice, "no notice has the id \(name)", name, suggestion, otherwise: "`pfctl outbox list` shows them all")
  }

  package static func noSuchSink(_ name: String, suggestion: String? = nil) -> ControlError {
    missing(.noSuchSink, "no sink is called \(name)", name, suggestion, otherwise: "`pfctl sink list` shows them all")
  }

  package static func noSuchBackup(_ name: String, suggestion: String? = nil) -> ControlError {
    missing(
      .noSuchBackup, "there is no backup \(name)", name, suggestion, otherwise: "`pfctl backup list` shows them all")
  }

  package static func teamExists(_ name: String) -> ControlError {
    ControlError(
      .teamExists, "a team named '\(name)' exists already; change it with `pfctl team set \(name) …`",
      facts: ["name": name])
  }

  /// Example: `morning-time cannot be '25:00': this is not a time of day; write HH:MM`; `why` is the part after the colon.
  package static func badValue(field: String, value: String, why: String) -> ControlError {
    let value = TextRule.shown.truncated(value)
    let what = value.isEmpty ? "is missing" : "cannot be '\(value)'"
    return ControlError(
      .badValue, "\(field) \(what): \(why)", facts: ["field": field, "value": value, "why": why])
  }

  /// - Parameter why: the complete message.
  package static func badFile(_ why: String) -> ControlError {
    ControlError(.badFile, why, facts: ["why": why])
  }

  /// Example: `'2026' could be several runs: A, B; type more of the id`.
  ///
  /// - Parameters:
  ///   - things: plural noun, such as `runs`.
  ///   - candidates: shown form and complete id of each match; only the first five are listed.
  ///   - isNamed: true if the records also have names.
  package static func ambiguous(
    _ kind: Kind, _ text: String, _ things: String, _ candidates: [(shown: String, id: String)], isNamed: Bool = false
  ) -> ControlError {
    let listed = candidates.prefix(5)
    let more = candidates.count > listed.count ? " and more" : ""
    return ControlError(
      kind,
      "'\(text)' could be several \(things): \(listed.map(\.shown).joined(separator: ", "))\(more); "
        + "type more of the \(isNamed ? "name or id" : "id")",
      facts: ["name": text, "matches": listed.map(\.id).joined(separator: ", ")])
  }

  /// Error for an unknown name: `what` with the name quoted, then the suggestion, or `otherwise` if there is none.
  package static func missing(
    _ kind: Kind, _ what: String, _ name: String, _ suggestion: String?, otherwise: String
  ) -> ControlError {
    let quoted = what.hasSuffix(name) ? String(what.dropLast(name.count)) + "'\(name)'" : what
    guard let suggestion else { return ControlError(kind, "\(quoted); \(otherwise)", facts: ["name": name]) }
    return ControlError(
      kind, "\(quoted); did you mean '\(suggestion)'?", facts: ["name": name, "suggestion": suggestion])
  }
}

extension ControlError {
  /// - Parameter problems: the faults in compiler style, one after another.
  package static func badSettings(_ message: String, problems: String) -> ControlError {
    ControlError(.badSettings, message, facts: ["problems": problems])
  }
}
