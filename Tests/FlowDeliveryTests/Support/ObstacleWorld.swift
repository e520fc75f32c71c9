import FlowDelivery
import FlowTestKit
import Foundation
import Testing

/// Teams whose pages and people change while obstacles come and go, generated from one seed.
struct ObstacleWorld {
  private static let teams = Int64(1)...4

  let sink: PublishSink
  private(set) var placed = 0
  private let site: SiteFixture
  private let sites: FakeSites
  private let seed: UInt64
  private var numbers: SeededNumbers
  private var words: [Int64: String] = [:]
  private var obstacles: [Int64: SiteFixture.Obstacle] = [:]
  /// Folders of withdrawn pages that were restored from a copy, and folders with other files.
  private var withForeign: Set<String> = []

  init(seed: UInt64) throws {
    self.seed = seed
    numbers = SeededNumbers(seed: seed)
    site = try SiteFixture()
    sites = FakeSites("first", teams: Self.teams)
    sink = site.sink(sites)
    for team in Self.teams { words[team] = "first" }
  }

  /// Makes one random change.
  mutating func step() async throws {
    let team = Int64.random(in: Self.teams, using: &numbers)
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0, 1:
      guard obstacles[team] == nil, let obstacle = SiteFixture.Obstacle.allCases.randomElement(using: &numbers) else {
        return
      }
      _ = try await sink.maintain()
      try site.put(obstacle, team: team)
      obstacles[team] = obstacle
      placed += 1
    case 2:
      guard let obstacle = obstacles.removeValue(forKey: team) else { return }
      try site.remove(obstacle, team: team)
    case 3:
      guard obstacles[team] == nil, let change = SiteFixture.Change.allCases.randomElement(using: &numbers) else {
        return
      }
      _ = try await sink.maintain()
      try site.make(change, team: team)
    case 4:
      let new = "\(Int.random(in: 0..<1_000_000, using: &numbers))"
      sites.say(new, teams: team...team)
      words[team] = new
    default: try bringBack()
    }
  }

  /// Restores a copy of a removed person's pages, sometimes with another file beside them.
  private mutating func bringBack() throws {
    let name = SecretName.make(using: &numbers)
    try site.folder.make("p/\(name)")
    for (file, bytes) in FakeSites.files("gone", 1) {
      try site.folder.write("p/\(name)/\(file)", String(decoding: bytes, as: UTF8.self))
    }
    guard Bool.random(using: &numbers) else { return }
    try site.folder.make("p/\(name)/photos")
    withForeign.insert(name)
  }

  func check() {
    let named = Set(sink.pageObstacles.compactMap(\.folder))
    for team in Self.teams {
      let hasObstacle = obstacles[team] != nil
      #expect(named.contains(FakeSites.name(team)) == hasObstacle, "seed \(seed), team \(team): \(sink.obstacles)")
      #expect(site.isCurrent(words[team] ?? "", team) || hasObstacle, "seed \(seed), team \(team)")
    }
    for name in withForeign { #expect(site.folder.names("p/\(name)") == ["photos"], "seed \(seed)") }
    let own = Set(Self.teams.map { FakeSites.name($0) })
    #expect(Set(site.folder.names("p")).subtracting(own) == withForeign, "seed \(seed)")
    #expect(site.isUntouched, "seed \(seed)")
    let texts = sink.obstacles.map(\.description).joined()
    #expect(!own.union(withForeign).contains { texts.contains($0) }, "seed \(seed)")
  }

  mutating func clear() throws {
    for (team, obstacle) in obstacles { try site.remove(obstacle, team: team) }
    obstacles = [:]
    for name in withForeign { try site.folder.remove("p/\(name)") }
    withForeign = []
  }
}
