import FlowControl
import FlowDelivery
import FlowModel
import FlowPlatform
import FlowSettings
import FlowStore
import FlowWork

/// Failures that affect single teams or the server's own work.
struct TeamFailureReport: Sendable {
  let store: any LedgerReport & Teams & TeamFailures
  let clock: any WallClock

  /// All recorded failures of teams, and teams whose own row cannot be read now.
  func all() async throws -> [TeamTroubleView] {
    var views = try await store.troubles().map {
      TeamTroubleView(team: $0.team, work: $0.work, why: $0.why, since: $0.since.description)
    }
    let recordedTeams = Set(views.filter { $0.work == FailureCode.team }.map(\.team))
    for (id, why) in try await store.unreadableTeams() {
      let name = try await store.teamName(id) ?? "\(id.number)"
      guard !recordedTeams.contains(name) else { continue }
      views.append(TeamTroubleView(team: name, work: FailureCode.team, why: why, since: clock.now().description))
    }
    return views.sorted { ($0.team, $0.work) < ($1.team, $1.work) }
  }

  /// One sentence for each job of the server whose last run failed.
  func failedWork() async throws -> [String] {
    try await store.failedWork().map { "\($0.kind.rawValue) of \($0.slot) failed: \($0.why)" }
  }

  /// Failures of teams and of the server's work, as findings.
  func findings() async throws -> [FindingView] {
    var findings = try await failedWork().map {
      FindingView("runs", .error, $0, remedy: "correct the cause; the next run starts by itself, see `pfctl next`")
    }
    let troubles = try await all()
    findings += troubles.prefix(Limits.failuresShown).map { trouble in
      FindingView(
        "teams", .error,
        "\(trouble.work) of team '\(trouble.team)' fails since \(trouble.since): \(trouble.why)",
        remedy: remedy(for: trouble))
    }
    if troubles.count > Limits.failuresShown {
      findings.append(
        FindingView("teams", .error, "\(troubles.count - Limits.failuresShown) more failures", remedy: "`pfctl status`")
      )
    }
    return findings
  }

  /// The command or action that corrects the failure.
  private func remedy(for trouble: TeamTroubleView) -> String {
    switch trouble.work {
    case FailureCode.schedule: "`pfctl team set \(trouble.team) zone=Area/City`, or install tzdata"
    case FailureCode.team: "restore a backup, or undo manual changes of the store"
    case FailureCode.photos:
      "change the owner of the folder to uid \(ProcessIdentity.user), then start the daemon again"
    default:
      "correct or remove the record (`pfctl pool`, `visit`, `inventory`), or restore the team with `pfctl backup restore ID "
        + "--team \(trouble.team)`; it is checked again when that work runs"
    }
  }
}
