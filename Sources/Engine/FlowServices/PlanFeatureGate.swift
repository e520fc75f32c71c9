package import FlowControl
package import FlowModel
package import FlowPlatform
import FlowSettings

/// Refuses features that a team's plan does not include.
package struct PlanFeatureGate: Sendable {
  private let settings: EffectiveSettings
  private let clock: any WallClock

  package init(settings: EffectiveSettings, clock: any WallClock) {
    self.settings = settings
    self.clock = clock
  }

  /// True if plans limit features; an operator who hosts their own teams turns this off.
  package var limitsApply: Bool {
    get async { await settings.reading.settings.planLimits }
  }

  /// Throws unless the team's plan includes the feature.
  ///
  /// - Parameter name: name of the feature in the refusal.
  /// - Throws: `ControlError.notInPlan`, with the plan and the command that changes it.
  package func requireAccess(_ feature: PlanFeature, to team: Team, called name: String) async throws {
    guard await limitsApply, !team.plan.allows(feature, records: 0, at: clock.now()) else { return }
    let plan = team.plan == .free ? " is on the free plan, which" : "'s trial has ended, and the free plan"
    throw ControlError.notInPlan("team '\(team.name)'\(plan) holds no \(name)", team: team)
  }
}

extension ControlError {
  /// The refusal of a feature, or a number of records, that the plan does not include.
  ///
  /// - Parameter why: a sentence with team and plan; the command that changes the plan is appended.
  package static func notInPlan(_ why: String, team: Team) -> ControlError {
    ControlError(
      .planLimit, "\(why); run: pfctl team plan \(team.name) trial (or paid)",
      facts: ["plan": team.plan.word, "limit": String(Limits.freePlanRecords)])
  }
}
