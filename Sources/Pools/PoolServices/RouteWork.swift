import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FlowWork
import PoolJobs
import PoolStore

extension Limits {
  /// The shortest interval between two messages of the nightly route planning to other nodes about changed teams.
  static let teamChangeInterval: Duration = .seconds(5)
}

/// Optimises the routes of every team whose plan includes it, one team at a time; unchanged days are skipped.
struct RouteWork: BackgroundTask {
  let context: TradeContext
  let planner: RoutePlanner

  func perform() async throws -> Outcome {
    let plansAreLimited = await context.plans.limitsApply
    var sum = RoutePlanner.Tally()
    var excludedByPlan = 0
    var troubles: [TeamID: String] = [:]
    var lastBroadcastAt = ContinuousClock.now - Limits.teamChangeInterval
    for team in try await context.store.teams() {
      try Task.checkCancellation()
      guard !plansAreLimited || team.plan.allows(.travelOptimization, records: 0, at: context.clock.now()) else {
        excludedByPlan += 1
        continue
      }
      let tally: RoutePlanner.Tally
      do {
        tally = try await planner.plan(ofNight: team)
      } catch {
        guard Self.concernsOneTeam(error) else { throw error }
        troubles[team.id] = "\(error)"
        context.log.error("the routes of team '\(team.name)' were not planned: \(error)")
        continue
      }
      if tally.planned > 0, !context.store.partitions.contains(team: team.id),
        ContinuousClock.now - lastBroadcastAt > Limits.teamChangeInterval
      {
        // Notify the team's node now: it may be about to send the route.
        try await context.store.notifyOtherNodes()
        lastBroadcastAt = .now
      }
      sum.planned += tally.planned
      sum.unchanged += tally.unchanged
      sum.savedMinutes += tally.savedMinutes
      sum.applied += tally.applied
    }
    var summary =
      "optimised the routes of \(countText(sum.planned, "day")), \(sum.unchanged) had not changed; "
      + "\(decimalText(sum.savedMinutes, places: 0)) minutes a week could be saved"
    if sum.planned > 0 { try await context.store.notifyOtherNodes() }
    if sum.applied > 0 {
      summary += "; \(countText(sum.applied, "day now has its", "days now have their")) best order"
    }
    if excludedByPlan > 0 { summary += "; \(countText(excludedByPlan, "team is", "teams are")) on the free plan" }
    try await context.store.setTeamFailures(
      troubles, with: JobKind.routePrecompute.rawValue, of: .all, now: context.clock.now())
    if !troubles.isEmpty {
      summary += "; those of \(countText(troubles.count, "team")) could not be planned"
      await context.operatorNotices.notifyTeamFailures()
    }
    context.log.info(summary)
    return Outcome(result: .done, reason: nil, detail: summary, notice: nil)
  }

  /// True if the error concerns one team only; the other teams' routes are still planned.
  private static func concernsOneTeam(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.isAboutData
    case is CancellationError: false
    default: true
    }
  }
}
