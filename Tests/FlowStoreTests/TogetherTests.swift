import FlowModel
import FlowTestKit
import PoolDigests
import PoolJobs
import PoolModel
import Testing

@testable import FlowStore
@testable import PoolStore

/// Batched queries and inserts equal single ones.
struct TogetherTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  /// More visits and doses than one statement has parameters, with ids unique to the team.
  private func records(of number: Int, pools count: Int, visits: Int) -> RecordSet {
    let base = number * 100_000
    let item = Samples.item(base + 90_000, stock: 1, threshold: Double(number % 3))
    let pools = (0..<count).map { Samples.pool(base + $0, customer: "Customer \(number)-\($0) 'ß\"", order: $0) }
    let events = (0..<visits).map { visit in
      var event = Samples.visit(
        base + 10_000 + visit, to: pools[visit % count].id, at: now.advanced(by: .hours(-24 * (visit / count))))
      event.techNotes = visit.isMultiple(of: 7) ? "" : "note \(visit)"
      event.photoFileName = visit.isMultiple(of: 5) ? "photo-\(visit).jpg" : nil
      return event
    }
    let doses = events.enumerated().map {
      Samples.dose(base + 30_000 + $0.offset, for: $0.element.id, of: $0.offset.isMultiple(of: 3) ? nil : item.id)
    }
    return RecordSet(
      pools: pools, serviceEvents: events, chemicalDoses: doses, inventory: [item],
      profiles: pools.map { Samples.profile(of: $0.id) },
      equipment: pools.map { Samples.equipment(base + 60_000, at: $0.id) }.suffix(1))
  }

  @Test(arguments: Engine.all)
  func `an import of many rows is read back unchanged, and a refused one leaves none`(engine: Engine) async throws {
    let store = try engine.store(folder.path, now)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    let records = records(of: 1, pools: 250, visits: 1_300)
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: records, photos: [:], now: now, dryRun: false)
    let part = try #require(try await store.archiveParts(of: team.id).first)
    let found = try engine.connection(folder.path).records(of: part, team: team.id).records
    #expect(Set(found.pools.map { "\($0)" }) == Set(records.pools.map { "\($0)" }))
    #expect(Set(found.serviceEvents.map { "\($0)" }) == Set(records.serviceEvents.map { "\($0)" }))
    #expect(Set(found.chemicalDoses.map { "\($0)" }) == Set(records.chemicalDoses.map { "\($0)" }))
    #expect(found.profiles.count == 250 && found.equipment.count == 1)
    // An archive with a duplicate visit is rolled back; the first import stays.
    let before = try engine.dump(folder.path)
    var twice = self.records(of: 2, pools: 30, visits: 60)
    twice.serviceEvents.append(twice.serviceEvents[0])
    do {
      _ = try await store.replaceRecords(
        team: team.name, technician: nil, records: twice, photos: [:], now: now, dryRun: false)
      Issue.record("a visit came twice")
    } catch is StoreError {}
    #expect(try engine.dump(folder.path) == before)
    #expect(try await store.teams().count == 1)
  }

  @Test(arguments: Engine.all)
  func `facts read together for many teams equal those read one by one`(engine: Engine) async throws {
    let store = try engine.store(folder.path, now)
    var teams: [TeamID] = []
    for number in 1...30 {
      let team = try await store.addTeam(Samples.team("team-\(number)"), defaultTechnician: "anna", now: now) { _ in []
      }
      teams.append(team.id)
      // Some teams have no records.
      guard number % 4 != 0 else { continue }
      _ = try await store.replaceRecords(
        team: team.name, technician: nil, records: records(of: number, pools: number % 5 + 1, visits: number),
        photos: [:], now: now, dryRun: false)
    }
    let since = now.advanced(by: .hours(-24 * 7))
    // The same team is requested several times, adjacent and apart.
    let often = Array(repeating: teams[4], count: 12)
    let requests = (teams + [TeamID(9_999)] + teams.prefix(3) + often).map { team in
      FactsRequest(
        team: team, days: Weekday.allCases, waterSince: since, routeBefore: CivilDate(daysSince1970: 20_514),
        usedSince: since, daysOff: .plain, reminders: .all, people: true)
    }
    let together = try await store.facts(requests)
    #expect(together.count == requests.count && together[30] == nil)
    for (request, facts) in zip(requests, together) {
      let alone = try await store.facts([request]).first ?? nil
      #expect(Self.words(facts) == Self.words(alone), "team \(request.team.number)")
    }
  }

  private static func words(_ facts: TeamFacts?) -> [String] {
    guard let facts else { return [] }
    let stops = Weekday.allCases.flatMap { facts.stopsByDay[$0, default: []] }.map { "\($0)" }
    return stops + facts.stock.map { "\($0)" } + ["\(facts.team) \(facts.poolCount)"]
      + facts.technicians.map { "\($0)" } + facts.usedOz.map { "\($0)" }.sorted() + facts.waterChanges.map { "\($0)" }
  }
}
