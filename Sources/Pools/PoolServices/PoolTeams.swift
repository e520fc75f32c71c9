import FlowControl
import FlowModel
import FlowNotices
import FlowServices
import FlowStore
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore

extension TradeTeams {
  /// The part of pool service in the verbs about teams.
  static func poolService(on context: TradeContext) -> TradeTeams {
    let store = context.store
    return TradeTeams(
      settings: .poolService,
      addRecords: { team in
        // As in the app, the first start fills an empty stock with the default catalogue.
        _ = try await store.addStock(to: team.id) { known in
          known.isEmpty ? CatalogueItem.standard.map(\.stockItem) : []
        }
      },
      assignments: { try await store.poolsByTechnician(of: $0) },
      view: { team in
        TradeTeamView(
          assigned: try await store.poolsByTechnician(of: team.id),
          defaultVolumeText: team.settings.defaultVolumeGallons.map { Localizer(team).volume(gallons: $0) })
      },
      peopleGaps: { team, people, technicians in
        PeopleCoverage(
          of: team, people: people, technicians: technicians, pools: try await store.poolsByTechnician(of: team.id)
        ).gaps
      },
      addressTest: { $1.phrases.addressTest($0) },
      stops: { team in
        let request = FactsRequest(team: team, days: Weekday.allCases)
        guard let facts = try await store.facts([request]).first ?? nil else { return nil }
        return { date, technician in
          facts.stops(on: date).count { technician == nil || $0.technicianID == technician }
        }
      },
      openStopsRemedy: { stopsRemedy($0, $1, $2) },
      comingWork: { team, work, technician in
        "\(technician) takes \(countText(work.jobs, "moved or covered stop")) on coming dates, the first on "
          + "\(work.first.weekday.abbreviation) \(work.first), which `pfctl stop list --team \(team.name)` shows; "
          + stopsRemedy(team, work.first, technician)
      },
      recordsImported: { [water = WaterRefresh(store: store, clock: context.clock, log: context.log)] in
        await water.refresh()
      },
      findings: { try await poolFindings($0) })
  }

  /// The commands that give the stops of a day off another date or technician.
  ///
  /// - Parameter technician: the technician who is away; nil if the team is closed.
  static func stopsRemedy(_ team: Team, _ date: CivilDate, _ technician: String?) -> String {
    guard let technician else {
      return "`pfctl day move \(date) --to DATE --team \(team.name)` moves the stops of a date to another one"
    }
    let name = shellWord(technician)
    return
      "`pfctl cover \(date) --technician \(name) --by NAMES --team \(team.name)` gives the stops of a date to others; "
      + "`pfctl day move \(date) --technician \(name) --to DATE --team \(team.name)` moves them to another date"
  }

  private static func poolFindings(_ reader: StoreReader) async throws -> [FindingView] {
    var findings: [FindingView] = []
    for place in try await reader.places() {
      if place.pools == 0 {
        findings.append(
          FindingView(
            "teams", .note, "team '\(place.team)' has no pool",
            remedy: "`pfctl import FILE --team \(place.team)`, or \(switchOffRemedy(place.team))"))
      } else if place.unplaced > 0 {
        findings.append(
          FindingView(
            "pools", .note,
            "\(place.unplaced) of \(countText(place.pools, "pool")) of team '\(place.team)' "
              + "\(place.unplaced == 1 ? "has" : "have") no coordinates",
            remedy: "set their location in the app and import again: routes leave these pools out"))
      }
    }
    return findings
  }
}
