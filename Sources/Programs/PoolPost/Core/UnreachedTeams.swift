import PoolModel
import PoolNotices
import PoolSettings

/// Teams of which notices are lost because nobody has an address and no channel is their board: a team that was renamed, a
/// name that is mistyped in `Teams=`. Each notice is a dead letter; the operator is told of the team, once.
struct UnreachedTeams: Sendable {
  private var teams: [String: SenderReport.UnreachedTeam] = [:]

  /// In the order of their names, as many as a report has room for.
  var rows: [SenderReport.UnreachedTeam] {
    Array(teams.values.sorted { $0.team < $1.team }.prefix(Limits.postUnreachedTeams))
  }

  /// What an earlier process had found.
  mutating func recall(_ report: SenderReport) {
    for row in report.unreached ?? [] { teams[row.team] = row }
  }

  /// Takes the plan of an event.
  mutating func take(_ event: PostEvent, _ deliveries: [Delivery], at now: Timestamp) {
    let (team, job) = (event.data.team, event.data.job)
    guard !team.isEmpty, !event.isOperators else { return }
    if deliveries.contains(where: \.isForNobody) {
      var row = teams[team] ?? SenderReport.UnreachedTeam(team: team, since: now)
      row.count += 1
      row.jobs[job] = now.description
      teams[team] = row
    } else if deliveries.contains(where: { $0.recipient == "*" || $0.recipient == Self.office }) {
      teams[team] = nil
    } else if event.data.recipient == nil {
      // Persons of the team have it at addresses of their own.
      teams[team]?.jobs[job] = nil
      if teams[team]?.jobs.isEmpty == true { teams[team] = nil }
    }
  }

  /// Settings that name a team make it reachable.
  mutating func use(_ settings: PostSettings) {
    for channel in settings.channels { for team in channel.teams { teams[team] = nil } }
  }

  func failures(_ settings: PostSettings) -> [SenderReport.Failure] {
    let named = Set(settings.channels.flatMap(\.teams)).sorted()
    return rows.map { row in
      let hint = Suggestion.nearest(to: row.team, among: named).map { "; did you mean it by \($0)?" } ?? ""
      let boards = named.isEmpty ? "" : " (it has \(named.prefix(10).joined(separator: ", "))\(hint))"
      let count = row.count == 1 ? "1 notice is" : "\(row.count) notices are"
      return SenderReport.Failure(
        about: "team \(row.team)", title: "notices of team '\(row.team)' reach nobody",
        words:
          "\(count) lost (\(row.jobs.keys.sorted().joined(separator: ", "))): no person of the team has an address for "
          + "them, and no [Channel] of post.conf has Teams = \(row.team)\(boards). Name the team there and reload "
          + "poolflow-post, or `pfctl technician set office --team \(row.team) --mail ADDRESS`; then "
          + "`poolflow-post dead retry --all`.",
        since: Timestamp(rfc3339: row.since) ?? Timestamp(seconds: 0))
    }
  }

  private static let office = "office"
}

extension Delivery {
  /// What a notice that has no address, no channel and no board is planned for, so that its loss is on record.
  static let nobody = "none"

  var isForNobody: Bool { channel == Self.nobody && kind == Self.nobody }
}
