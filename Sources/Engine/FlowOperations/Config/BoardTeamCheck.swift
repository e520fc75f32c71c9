internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowSettings

/// Checks the team names in post.conf: a board channel with a misspelt team name shows nothing, and that team may get no
/// notices.
enum BoardTeamCheck {
  /// One warning sentence for each unknown team name. Empty if no daemon that knows the teams is running.
  ///
  /// - Parameter settings: the daemon's settings file; post.conf is in the same folder.
  static func warnings(beside settings: String, _ session: Session) -> [String] {
    guard let daemon = try? session.runningDaemon(), let teams = try? daemon.ask(TeamsCall.List()).teams.map(\.name)
    else { return [] }
    let path = ConfigFiles.folder(of: settings) + "/post.conf"
    do {
      let post = try PostFiles(at: path, own: "").others
      return post.channels.flatMap { channel in
        channel.teams.subtracting(teams).sorted().map {
          UnknownChannelTeam(name: $0, channel: channel.name).words(teams)
        }
      }
    } catch {
      // Fall back to the warnings that poolflow-post last reported to the daemon.
      let senders = (try? daemon.ask(SchedulerCall.Status()))?.senders
      return senders?.flatMap(\.warnings) ?? ["the names of teams in it were not checked: \(error)"]
    }
  }
}
