internal import FlowControl
internal import FlowModel

/// The team of a command without `--team`: the one in $POOLFLOW_TEAM, or the only team.
extension Session {
  static let teamVariable = "POOLFLOW_TEAM"
  /// The most team names listed in one sentence.
  private static let maxTeamsListed = 12

  /// The team for a command that requires one.
  ///
  /// - Throws: `CommandFailure` with the existing teams if the choice is ambiguous, or `ControlError` if the daemon cannot be
  ///   asked.
  package func team(_ arguments: Arguments) throws -> String {
    if let named = arguments["team"] { return named }
    if let fromEnvironment = environment[Self.teamVariable], !fromEnvironment.isEmpty {
      isTeamFromEnvironment = true
      return fromEnvironment
    }
    let teams = try daemon().ask(TeamsCall.List()).teams.map(\.name)
    guard let team = teams.first, teams.count == 1 else {
      throw Self.ambiguousTeam(of: teams, for: arguments.command.description.name)
    }
    return team
  }

  private static func ambiguousTeam(of teams: [String], for command: String) -> CommandFailure {
    guard !teams.isEmpty else {
      return .usage(
        "there is no team yet: set one up with `pfctl setup`, or add one with `pfctl team add NAME --zone Area/City`")
    }
    var names = teams.sorted().prefix(maxTeamsListed).map { visible($0) }
    let more = teams.count - names.count
    if more > 0 { names.append("\(TextFormat.grouped(more)) more") }
    return .usage(
      "`pfctl \(command)` needs a team: name it with --team, or set $\(teamVariable) for all commands; the teams are "
        + TextFormat.list(names, "and"))
  }
}
