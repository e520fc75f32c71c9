import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import FoundationEssentials
import PoolJobs
import PoolModel
import StableModel  // Stables

/// Weeks of a store in which every writing method is called at random, by teams of all trades.
///
/// It does not depend on what the methods write: every resulting store could occur in production.
struct RandomLife {
  let stand: BackupStand
  var random: SeededNumbers
  var number = 0

  var store: Store { stand.store }
  var now: Timestamp { stand.clock.now() }

  typealias Verb = @Sendable (inout RandomLife) async throws -> Void

  private static let verbs: [Verb] = [
    records,
    field,
    barn,  // Stables
    schedule,
    server,
  ].flatMap { $0 }

  init(_ stand: BackupStand, seed: UInt64) {
    self.stand = stand
    random = SeededNumbers(seed: seed)
  }

  /// Simulates about this number of weeks.
  mutating func live(weeks: Int) async throws {
    for name in ["desert-blue", "coast"] { try await addTeam(name, .poolService) }
    for name in ["hill", "valley"] { try await addTeam(name, .stable) }  // Stables
    try await store.planServerJobs(JobPlan.server(.pools, backup: .sevenInTheMorning), zone: "UTC", now: now)
    let end = now.advanced(by: .hours(24 * 7 * weeks))
    while now < end {
      // Each method once, in another order each time.
      for verb in Self.verbs.shuffled(using: &random) {
        try await verb(&self)
        stand.clock.advance(by: .seconds(Int.random(in: 1...9_000, using: &random)))
      }
    }
  }

  mutating func addTeam(_ name: String, _ trade: Trade) async throws {
    var team = Samples.team(name, zone: pick(["America/Phoenix", "Europe/Berlin", "Australia/Lord_Howe"]))
    team.trade = trade
    let added = try await store.addTeam(team, defaultTechnician: "anna", now: now, plan: plan)
    if trade == .poolService { try await replace(added) }
    if trade == .stable { try await addHorses(to: added) }  // Stables
  }

  var plan: @Sendable (Team) throws -> [JobPlan] {
    let zones = stand.zones
    return { JobPlan.all(of: $0, in: JobCatalogues.all.of($0.trade), zone: try zones.zone(named: $0.zone)) }
  }

  // MARK: Choices

  mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

  mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: 0..<items.count, using: &random)] }

  mutating func any<Item>(_ items: [Item]) -> Item? { items.isEmpty ? nil : pick(items) }

  mutating func team(_ trade: Trade) async throws -> Team {
    pick(try await store.teams().filter { $0.trade == trade })
  }

  mutating func fresh() -> UUID {
    number += 1
    return Samples.uuid(100_000 + number)
  }
}
