import FlowControl
import FlowModel
import FlowServices
import FlowStore
import StableModel
import StableRules
import StableStore

extension TradeTeams {
  /// The part of stables in the verbs about teams.
  static func stable(on context: TradeContext) -> TradeTeams {
    let store = context.store
    return TradeTeams(
      settings: .stable,
      view: { team in
        TradeTeamView(
          ownRecords: try await store.horses(of: team.id).count,
          ownSettings: barnView(of: try await store.barnSettings(of: team.id), team))
      },
      findings: { try await barnFindings($0) })
  }

  private static func barnView(of settings: BarnSettings, _ team: Team) -> BarnSettingsView {
    BarnSettingsView(
      switches: TradeSettings.switches.map { SwitchView(job: $0, on: !team.settings.disabledJobs.contains($0)) },
      blanketLimits: settings.limits.degrees,
      intervals: CareType.allCases.map { CareIntervalView(type: $0.rawValue, days: settings.interval($0)) })
  }

  private static func barnFindings(_ reader: StoreReader) async throws -> [FindingView] {
    try await reader.emptyBarns().map { barn in
      FindingView(
        "teams", .note, "team '\(barn)' has no horse",
        remedy: "`pfctl horse add NAME --team \(barn)`, or \(switchOffRemedy(barn))")
    }
  }
}
