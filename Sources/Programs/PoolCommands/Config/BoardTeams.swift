internal import PoolControl
internal import PoolModel
internal import PoolSettings

/// The teams that post.conf names, judged by those that exist: a channel that is the board of no team shows nothing, and a team
/// without one may be told nowhere.
enum BoardTeams {
  /// Names that are no team's, a sentence each. Empty where no daemon runs that knows the teams.
  ///
  /// - Parameter settings: the daemon's settings file, beside which post.conf is.
  static func warnings(beside settings: String, _ session: Session) -> [String] {
    guard let daemon = try? session.runningDaemon(), let teams = try? daemon.ask(TeamsCall.List()).teams.map(\.name)
    else { return [] }
    let path = WrittenFile.folder(of: settings) + "/post.conf"
    do {
      let post = try PostFiles(at: path, own: "").others
      return post.channels.flatMap { channel in
        channel.teams.subtracting(teams).sorted().map {
          UnknownBoardTeam(name: $0, channel: channel.name).words(teams)
        }
      }
    } catch {
      // What poolflow-post reported of its settings is known to the daemon all the same.
      let senders = (try? daemon.ask(SchedulerCall.Status()))?.senders
      return senders?.flatMap(\.warnings) ?? ["the names of teams in it were not checked: \(error)"]
    }
  }
}
