import FlowBackup
import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import PoolBackup
import PoolDigests
import PoolModel
import PoolStore
import PoolTestKit
import Testing

/// Archives have every date of service: a team that is restored in another store is served on the dates of the model.
struct ServiceArchiveTests {
  private static let zones = SystemZones()

  /// A team of the model in a store.
  private struct Written {
    let model: ServiceModel
    let team: Team
  }

  private func write(_ number: Int, in stand: BackupStand) async throws -> Written {
    var random = SeededNumbers(seed: UInt64(number) + 252)
    var model = ServiceModel(number, &random)
    let zone = try Self.zones.zone(named: model.zone)
    var sample = Samples.team(model.name, zone: model.zone)
    sample.settings.eveningPreview = true
    let now = stand.clock.now()
    let team = try await stand.store.addTeam(sample, defaultTechnician: "anna", now: now) { _ in [] }
    try await model.write(to: team, in: stand.store, zone: zone, now: now)
    let differences = try await model.change(team, in: stand.store, zone: zone, &random)
    #expect(differences == [])
    return Written(model: model, team: team)
  }

  /// Compares the dates of a restored or imported team with the model.
  ///
  /// - Parameter technician: only the pools of this technician were imported; nil for all.
  private func compare(
    _ model: ServiceModel, with team: Team, in stand: BackupStand, only technician: String? = nil
  ) async throws {
    let imported = Set(
      model.lines.filter { technician == nil || ServiceModel.technicians[$0.technician] == technician }.map(\.customer))
    let facts = try #require(try await stand.store.facts([.everyDay(of: team.id)]).first ?? nil)
    let names = Dictionary(
      try await stand.store.technicians(of: team.id).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    for offset in 0..<ServiceModel.days {
      let date = ServiceModel.first.adding(days: offset)
      let served = facts.stops(on: date).map { ($0.customerName, names[$0.technicianID] ?? "unknown") }
      #expect(
        Dictionary(served, uniquingKeysWith: { _, _ in "twice" })
          == model.served(date).filter { imported.contains($0.key) },
        "team \(model.number), \(date)")
    }
  }

  /// The numbers of changes that one command made.
  private func batches(of team: Team, in stand: BackupStand) async throws -> [Int] {
    Dictionary(grouping: try await stand.store.services(of: team.id).changes, by: \.batch).values.map(\.count).sorted()
  }

  @Test func `a team's archives, restored or imported in another store, have the dates of the model`() async throws {
    let stand = try BackupStand()
    var all: [Written] = []
    for number in 0..<ServiceModel.teams { all.append(try await write(number, in: stand)) }
    let line = try await stand.keeper.create(reason: "test", planLimits: false)
    let backup = stand.keeper.folder.folder(line.id)
    let other = try BackupStand()
    for written in all {
      var sample = Samples.team(written.team.name, zone: written.model.zone)
      sample.settings = written.team.settings
      // The default technician has another name, so that all of the team's technicians are made by the restore.
      let team = try await other.store.addTeam(sample, defaultTechnician: "office manager", now: other.clock.now()) {
        _ in []
      }
      let files = try #require(line.manifest).archives.filter { $0.team == team.name }.map {
        ArchiveToRestore(
          path: "\(backup)/\($0.name)", name: $0.name, technician: $0.technician, isOwn: $0.own, isFromOwnBackup: true)
      }
      // A second restore changes nothing.
      for _ in 0..<2 {
        _ = try await other.importer().restore(files, over: .team, of: team, dryRun: false, limitsPools: false)
        try await compare(written.model, with: team, in: other)
        // Each command can be undone as before.
        #expect(
          try await batches(of: team, in: other) == written.model.batches.map(\.changes.count).sorted(),
          "team \(written.model.number)")
      }
      // An archive of one technician's pools, imported as a team of its own.
      guard let file = files.last else { continue }
      sample.name = "imported-\(written.model.number)"
      let imported = try await other.store.addTeam(
        sample, defaultTechnician: "office manager", now: other.clock.now()
      ) { _ in [] }
      _ = try await other.run(
        ImportRequest(path: file.path, name: file.name, team: imported, technician: nil, dryRun: false))
      try await compare(written.model, with: imported, in: other, only: file.technician)
    }
  }
}
