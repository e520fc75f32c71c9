import FlowModel
import FlowNotices
import FlowSettings

/// Teams whose notices are lost because no person has an address and no channel is the team's board, for example after a team
/// was renamed or mistyped in `Teams=`. Each notice becomes a dead letter; the operator is notified of the team once.
struct UnreachedTeams: Sendable {
  private var teams: [String: SenderReport.UnreachedTeam] = [:]

  /// The teams sorted by name, at most `Limits.postUnreachedTeams`.
  var rows: [SenderReport.UnreachedTeam] {
    Array(teams.values.sorted { $0.team < $1.team }.prefix(Limits.postUnreachedTeams))
  }

  /// Restores the findings of an earlier process from its report.
  mutating func restore(_ report: SenderReport) {
    for row in report.unreached ?? [] { teams[row.team] = row }
  }

  /// Updates the list after an event was planned.
  mutating func take(_ event: PostEvent, _ deliveries: [Delivery], at now: Timestamp) {
    let (team, job) = (event.data.team, event.data.job)
    guard !team.isEmpty, !event.isForOperator else { return }
    if deliveries.contains(where: \.hasNoRecipient) {
      var row = teams[team] ?? SenderReport.UnreachedTeam(team: team, since: now)
      row.count += 1
      row.jobs[job] = now.description
      teams[team] = row
    } else if deliveries.contains(where: { $0.recipient == "*" || $0.recipient == Self.office }) {
      teams[team] = nil
    } else if event.data.recipient == nil {
      // People of the team get this job's notices at their own addresses.
      teams[team]?.jobs[job] = nil
      if teams[team]?.jobs.isEmpty == true { teams[team] = nil }
    }
  }

  /// Removes the teams that the settings now name, which makes them reachable.
  mutating func apply(_ settings: PostSettings) {
    for channel in settings.channels { for team in channel.teams { teams[team] = nil } }
  }

  /// Returns one failure per team, with advice for the operator.
  func failures(_ settings: PostSettings) -> [SenderReport.Failure] {
    let named = Set(settings.channels.flatMap(\.teams)).sorted()
    return rows.map { row in
      let hint = Suggestion.nearest(to: row.team, among: named).map { "; did you mean this team by \($0)?" } ?? ""
      let boards = named.isEmpty ? "" : " (it has \(named.prefix(10).joined(separator: ", "))\(hint))"
      let count = row.count == 1 ? "1 notice is" : "\(row.count) notices are"
      return SenderReport.Failure(
        about: "team \(row.team)", title: "notices of team '\(row.team)' are not delivered to anyone",
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
  /// The channel and kind of a delivery without any recipient, which only records the loss of a notice.
  static let noRecipient = "none"

  /// True if the delivery only records the loss of a notice without any recipient.
  var hasNoRecipient: Bool { channel == Self.noRecipient && kind == Self.noRecipient }
}
