import PoolControl
import PoolModel
import PoolPlatform
import PoolSettings

/// Lets a team at what its plan holds.
struct PlanGate: Sendable {
  let settings: SettingsInForce
  let clock: any WallClock

  /// Whether plans close anything; an operator who hosts for himself turns it off.
  var areLimited: Bool {
    get async { await settings.reading.settings.planLimits }
  }

  /// - Parameter name: what the plan would not hold, in words.
  /// - Throws: `ControlError.planClosed`, with the plan and the command that changes it.
  func open(_ feature: PlanFeature, to team: Team, called name: String) async throws {
    guard await areLimited, !team.plan.allows(feature, pools: 0, at: clock.now()) else { return }
    let plan = team.plan == .free ? " is on the free plan, which" : "'s trial has ended, and the free plan"
    throw ControlError.planClosed("team '\(team.name)'\(plan) holds no \(name)", team: team)
  }
}

extension ControlError {
  /// `why` names team and plan; the sentence ends with the command that changes it.
  static func planClosed(_ why: String, team: Team) -> ControlError {
    ControlError(
      .planLimit, "\(why); run: pfctl team plan \(team.name) trial (or paid)",
      facts: ["plan": team.plan.word, "limit": String(Limits.freePlanPools)])
  }
}
