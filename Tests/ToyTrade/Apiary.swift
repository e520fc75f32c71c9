import FlowControl
import FlowModel
import FlowNotices
package import FlowServices
import FlowStore

extension DaemonTrade {
  /// Apiaries: the third trade, which shows that a trade needs no change of the engine.
  package static let apiary = DaemonTrade(
    tables: HiveTables(), archives: HiveArchives(), services: .apiary, interfaces: .toyTrade)
}

extension TradeServices {
  static let apiary = TradeServices(
    trade: .apiary,
    services: { context in
      RunningTrade(
        trade: .apiary, verbs: { _ in HivesCall.verbs(of: HivesAnswers(context: context)) },
        teams: .apiary(on: context),
        records: HiveRecords(store: context.store, clock: context.clock, zones: context.zones))
    },
    digestText: { context, query in
      let hives = try await context.store.hives(of: query.team.id)
      let page = HivesDue(hives, of: query.team.name, on: query.date).document
      return query.format == .html ? page.html : page.text()
    }, pages: HivePages())
}

extension TradeTeams {
  fileprivate static func apiary(on context: TradeContext) -> TradeTeams {
    TradeTeams(
      settings: TradeSettings(
        owner: "an apiary", owners: "apiaries", records: "hives", groups: [("currency", [inspection])],
        parse: { change, _ throws(ControlError) in
          guard change.key == inspection else { return nil }
          let isOn = try change.flag()
          return { team, _ in
            if isOn {
              team.settings.disabledJobs.remove(inspection)
            } else {
              team.settings.disabledJobs.insert(inspection)
            }
          }
        }),
      view: { team in
        TradeTeamView(others: RecordCountsView(hives: try await context.store.hives(of: team.id).count).others)
      })
  }

  private static let inspection = "hive-inspection"
}

/// Answers `org.poolflow.Hives`.
private struct HivesAnswers: HivesService {
  let context: TradeContext

  func list(_ call: HivesCall.List, _ caller: Caller) async throws -> HivesCall.List.Reply {
    let team = try await context.finder.team(named: call.team)
    let hives = try await context.mappingErrors { try await context.store.hives(of: team.id) }
    return HivesCall.List.Reply(
      hives: hives.map { HiveView(name: $0.name, inspection: $0.inspection.description) })
  }
}

/// The page of a notice, and the published page of a team: its hives that are due.
private struct HivePages: TradePages {
  func page(of notice: Notice) -> [UInt8]? { HivesDue(notice)?.page }

  func site(_ query: SiteQuery) async throws -> [SiteOwner: [String: [UInt8]]]? {
    let hives = try await query.store.hives(of: query.team.id)
    let page = HivesDue(hives, of: query.team.name, on: query.today).document.published(last: "")
    return query.names.mapValues { _ in ["index.html": Array(page.html.utf8)] }
  }

  func errorPages(of team: Team) -> [String: [UInt8]] {
    let page = Document(
      language: team.language.rawValue, title: team.name,
      blocks: [.paragraph(.init("This page cannot be made.", .warning))], footer: [""])
    return ["index.html": Array(page.published(last: "").html.utf8)]
  }
}
