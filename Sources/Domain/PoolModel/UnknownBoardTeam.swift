/// A team that a channel's `Teams=` names and that does not exist: the channel receives nothing.
package struct UnknownBoardTeam: Sendable {
  package let name: String
  package let channel: String

  package init(name: String, channel: String) { (self.name, self.channel) = (name, channel) }

  /// - Parameter teams: the names of those that exist.
  package func words(_ teams: some Sequence<String>) -> String {
    let hint = Suggestion.nearest(to: name, among: teams.sorted()).map { "; did you mean \($0)?" } ?? ""
    return "[Channel \(channel)] has Teams = \(name), and there is no team of that name\(hint)"
  }
}
