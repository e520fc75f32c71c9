package import FlowControl
internal import FlowModel

extension Limits {
  /// The time that shell completion waits for names.
  static let completionWait: Duration = .milliseconds(1_500)
}

/// The names that completion asks the daemon for. A key press of Tab must neither wait long nor print errors: every failure
/// yields no names.
package final class CompletionNames {
  private let path: String
  private let environment: [String: String]
  private let sources: [String: NameSource]
  private let startedAt = ContinuousClock.now

  package init(_ session: Session) {
    path = session.socketPath
    environment = session.environment
    sources = session.catalogue.nameSources
  }

  func candidates(_ kind: String, of team: String?) -> [Completion.Candidate] { sources[kind]?.ask(self, team) ?? [] }

  package func teams() -> [TeamView] { ask(TeamsCall.List())?.teams ?? [] }

  /// The default team of $POOLFLOW_TEAM, for a line that names no team.
  package var defaultTeam: String? { environment[Session.teamVariable].flatMap { $0.isEmpty ? nil : $0 } }

  /// The team whose records are listed: the named team, else $POOLFLOW_TEAM, else the only team.
  package func resolvedTeam(_ team: String?) -> String? {
    if let team = team ?? defaultTeam { return team }
    let all = teams()
    return all.count == 1 ? all[0].name : nil
  }

  /// The first page of an answer; nil if it does not arrive within the time limit shared by all calls of one key press.
  package func ask<M: ControlMethod>(_ call: M) -> M.Reply? {
    let left = Limits.completionWait - startedAt.duration(to: .now)
    guard left > .zero, let daemon = try? DaemonConnection(path: path, deadline: left) else { return nil }
    return try? daemon.ask(call, deadline: left, meanwhile: {})
  }
}
