package import FlowBackup
package import FlowCalendar
package import FlowModel
package import FlowPlatform
import FlowStore
import FoundationEssentials
package import PoolBackup
import PoolInterchange
package import PoolModel
package import PoolStore
import StableInterchange
import StableModel
package import StableStore
import Synchronization

/// The result of a stable's restore, or of its dry run.
package struct StableRestoreReport: Sendable {
  package let effect: ImportEffect
  /// The counts of present records that the archive does not have.
  package let lost: RecordCounts
  /// The version of the program that wrote the archive; `madeAt` and `counts` also describe the archive.
  package let madeBy: String
  package let madeAt: Timestamp
  package let counts: RecordCounts
  package let warnings: [ArchiveWarning]
}

extension StableRowFault: ImportFault {
  /// Messages about a stable's lists are English, like their column names.
  package func message(field: String, value: String?, to team: Team) -> String { "\(field) \(self)" }
}

/// Imports a stable's list or archive completely, or not at all.
package struct StableImporter: Sendable {
  private let store: any StableBooks
  private let zones: any ZoneSource
  private let photos: PhotoStore
  private let clock: any WallClock
  /// The progress of extracting photos.
  package let progress: WorkProgress

  package init(
    store: any StableBooks, photos: PhotoStore, clock: any WallClock, zones: any ZoneSource,
    progress: WorkProgress = WorkProgress()
  ) {
    self.store = store
    self.photos = photos
    self.clock = clock
    self.zones = zones
    self.progress = progress
  }

  /// Imports a file, or reports the effect in a dry run.
  ///
  /// - Throws: `ImportRefusal`, `StoreError`.
  @concurrent
  package func run(
    _ request: ImportRequest, claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let isArchive = try request.isArchive()
    guard request.map.isEmpty else { throw ImportRefusal.mapNotHere(request) }
    guard !request.isOfProfiles else { throw ImportRefusal.profilesNotHere(request) }
    return isArchive ? try await runArchive(request, claim) : try await runList(request, claim)
  }

  /// Imports a list of horses, feed or care: valid rows are imported, the others are reported.
  private func runList(
    _ request: ImportRequest, _ claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let (name, team, dryRun) = (request.name, request.team, request.dryRun)
    let bytes = try request.bytes(limit: Limits.csvBytes + 1)
    let table: StableTable
    do {
      table = try StableTable.read(bytes)
    } catch {
      let refusal = "'\(name)' was not imported: \(error)"
      var seen = ""
      if case .missingRequiredColumns = error { seen = "; it has \(CSVHeader.list(StableTable.headings(of: bytes)))" }
      throw ImportRefusal(
        description: "\(refusal)\(seen); nothing was changed", logged: "\(refusal); nothing was changed")
    }
    let now = clock.now()
    let today = try zones.zone(named: team.zone).local(at: now).date
    let planBox = PlanBox()
    let report = { @Sendable (effect: ImportEffect) throws in
      guard let plan = planBox.plan else { preconditionFailure("a list was written without a plan") }
      return ImportReport(
        kind: .csv, list: plan.kind.rawValue, effect: effect, creates: plan.created, updates: plan.updated,
        skips: plan.skipped,
        issues: plan.issues.map { issue in
          ImportReport.Issue(
            row: issue.row, isError: issue.severity == .error, field: issue.field.rawValue,
            fault: issue.fault)
        },
        warnings: [], photos: 0, file: CSVFileReport(table))
    }
    let effect = try await store.changeStable(
      team.name, now: now, dryRun: dryRun,
      claim: claim.map { claim in ImportClaim(id: claim.id) { try claim.write(report($0)) } }
    ) { records in
      // Fully random ids: people type the first digits of an id, so these must differ between records.
      let plan = table.plan(
        over: records, today: today, makeHorse: { HorseID(UUID()) }, makeCare: { CareEventID(UUID()) })
      planBox.set(plan)
      records = plan.after
    }
    return try report(effect)
  }

  /// Imports an archive that replaces all records of the stable.
  private func runArchive(
    _ request: ImportRequest, _ claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let (name, dryRun) = (request.name, request.dryRun)
    let archive = try Self.stableArchive(request.path, name: name, origin: .anywhere)
    let contents = archive.contents
    let report = { @Sendable (effect: ImportEffect, photos: Int) in
      ImportReport(
        kind: .archive, effect: effect, creates: contents.horses.count, updates: 0, skips: 0, issues: [],
        warnings: contents.warnings, photos: photos)
    }
    return try await replaceStable(
      request.team, by: archive, dryRun: dryRun, claim: claim, report: report
    ) { old in
      let lost = Self.lost(of: old, by: contents)
      guard !lost.isEmpty, !request.replaces, !dryRun else { return }
      throw ImportRefusal(
        description: "'\(name)' was not imported: it does not have \(lost.joined(separator: " and ")) that this stable "
          + "has, and would delete them; nothing was changed. `pfctl import` with --replace imports it anyway, and "
          + "`pfctl backup create` saves the present records first")
    }
  }

  /// Replaces all records of a stable with those of an archive, from a backup or an external file.
  @concurrent
  package func restore(
    _ file: ArchiveToRestore, of team: Team, dryRun: Bool
  ) async throws -> StableRestoreReport {
    let archive = try Self.stableArchive(
      file.path, name: file.name, origin: file.isFromOwnBackup ? .ownBackup : .anywhere)
    do {
      try archive.readPhotos()
    } catch {
      throw ImportRefusal(description: "'\(file.name)' cannot be restored: \(error); nothing was changed")
    }
    let contents = archive.contents
    let report = { @Sendable (effect: ImportEffect, photos: Int) in
      ImportReport(
        kind: .archive, effect: effect, creates: contents.horses.count, updates: 0, skips: 0, issues: [],
        warnings: contents.warnings, photos: photos)
    }
    let old = Mutex(StableBook())
    let done = try await replaceStable(team, by: archive, dryRun: dryRun, claim: nil, report: report) { book in
      old.withLock { $0 = book }
    }
    let before = old.withLock(\.records)
    let horses = Set(contents.horses.map(\.id))
    let lost = RecordCounts(
      horses: before.horses.count { !horses.contains($0.id) },
      schedules: before.schedules.keys.count { contents.schedules[$0] == nil },
      care: Set(before.care.map(\.id)).subtracting(contents.care.map(\.id)).count,
      photos: before.horses.count { $0.hasPhoto && !horses.contains($0.id) })
    return StableRestoreReport(
      effect: done.effect, lost: lost, madeBy: contents.appVersion, madeAt: contents.createdAt,
      counts: RecordCounts(
        horses: contents.horses.count, schedules: contents.schedules.count, care: contents.care.count,
        photos: done.photos), warnings: contents.warnings)
  }

  /// Opens a stable's archive; throws `ImportRefusal` if it is not one or is damaged.
  private static func stableArchive(_ path: String, name: String, origin: ArchiveOrigin) throws -> OpenStableArchive {
    do {
      return try OpenStableArchive.open(path: path, origin: origin)
    } catch ArchiveError.missingRequiredFile(StableArchiveName.records) {
      throw ImportRefusal(
        description:
          "'\(name)' was not imported: it is not an archive of a stable, which holds '\(StableArchiveName.records)'; "
          + "nothing was changed")
    } catch {
      throw ImportRefusal(description: "'\(name)' was not imported: \(error); nothing was changed")
    }
  }

  /// Replaces all records and photos of a stable, or only counts the effect in a dry run. `refused` may throw to prevent it.
  private func replaceStable(
    _ team: Team, by archive: OpenStableArchive, dryRun: Bool,
    claim: (id: String, write: @Sendable (ImportReport) throws -> String)?,
    report: @escaping @Sendable (ImportEffect, Int) -> ImportReport,
    unless refused: @escaping @Sendable (StableBook) throws -> Void
  ) async throws -> ImportReport {
    let (book, now) = (archive.contents.book, clock.now())
    let photoCount = book.records.horses.count(where: \.hasPhoto)
    // Let the store refuse the records before photos are extracted.
    let dryRunEffect = try await store.replaceStable(
      team.name, by: book, now: now, dryRun: true, photos: nil, claim: nil, unless: refused)
    if dryRun { return report(dryRunEffect, photoCount) }
    let staged: StagedPhotos
    do {
      staged = try archive.stagePhotos(in: try photos.openFolder(of: team.id), progress: progress)
    } catch {
      throw ImportRefusal(description: "the photos cannot be restored: \(error); nothing was changed")
    }
    let known = { Set(try await store.photoHorses(of: team.id).map(\.uuid)) }
    let effect = try await photos.replace(of: team.id, by: staged, known: known) { change in
      try await store.replaceStable(
        team.name, by: book, now: now, dryRun: false, photos: change,
        claim: claim.map { claim in
          ImportClaim(id: claim.id) { try claim.write(report($0, staged.files.count)) }
        }, unless: refused)
    }
    return report(effect, staged.files.count)
  }

  /// The records of the stable that the archive does not have, as parts of a sentence.
  private static func lost(of old: StableBook, by contents: StableContents) -> [String] {
    let horses = Set(old.records.horses.map(\.id)).subtracting(contents.horses.map(\.id)).count
    let care = Set(old.records.care.map(\.id)).subtracting(contents.care.map(\.id)).count
    var words: [String] = []
    if horses > 0 { words.append(horses == 1 ? "1 horse" : "\(horses) horses") }
    if care > 0 { words.append(care == 1 ? "1 piece of care" : "\(care) pieces of care") }
    return words
  }
}

extension CSVFileReport {
  /// Describes a stable's list.
  fileprivate init(_ table: StableTable) {
    let columns = zip(table.headings, table.columns).map { Column(heading: $0, meaning: $1?.rawValue) }
    let unused = CSVHeader.unused(table.headings, where: table.columns.map { $0 == nil })
    self.init(columns: columns, warnings: unused.isEmpty ? [] : [.unusedColumns(unused)])
  }
}

/// Passes the plan made inside a transaction to the report made after it.
private final class PlanBox: Sendable {
  private let kept = Mutex<StablePlan?>(nil)

  var plan: StablePlan? { kept.withLock { $0 } }

  func set(_ plan: StablePlan) { kept.withLock { $0 = plan } }
}
