/// A team in a channel's `Teams=` setting that does not exist, so that the channel receives nothing for it.
package struct UnknownChannelTeam: Sendable {
  package let name: String
  package let channel: String

  package init(name: String, channel: String) { (self.name, self.channel) = (name, channel) }

  /// The warning as a sentence.
  ///
  /// - Parameter teams: the names of all existing teams, for a suggestion.
  package func words(_ teams: some Sequence<String>) -> String {
    let hint = Suggestion.nearest(to: name, among: teams.sorted()).map { "; did you mean \($0)?" } ?? ""
    return "[Channel \(channel)] has Teams = \(name), but no team has that name\(hint)"
  }
}
