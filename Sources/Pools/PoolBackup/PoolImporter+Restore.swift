package import FlowBackup
package import FlowModel
import FlowPlatform
import FlowStore
package import PoolInterchange
package import PoolModel
package import PoolStore

/// The result of a team's restore, or of its dry run.
package struct TeamRestoreReport: Sendable {
  /// A restored archive with its contents.
  package struct Archive: Sendable {
    package let name: String
    package let technician: String?
    package let manifest: ArchiveManifest
    package let counts: RecordCounts
  }

  package let effect: RestoreEffect
  package let archives: [Archive]
  package let warnings: [ArchiveWarning]
}

extension PoolImporter {
  /// Replaces a team's records with those of archives, photos included, in one transaction.
  ///
  /// Every archive is read completely before anything changes.
  /// - Throws: `ImportRefusal`, `StoreError`; nothing has changed then.
  @concurrent
  package func restore(
    _ files: [ArchiveToRestore], over extent: RestoreExtent, of team: Team, dryRun: Bool, limitsPools: Bool
  ) async throws -> TeamRestoreReport {
    var open: [OpenArchive] = []
    for file in files {
      do {
        let archive = try ArchiveFile.open(path: file.path, origin: file.isFromOwnBackup ? .ownBackup : .anywhere)
        try archive.readPhotos()
        open.append(archive)
      } catch {
        throw ImportRefusal(description: "'\(file.name)' cannot be restored: \(error); nothing was changed")
      }
    }
    let parts = zip(files, open).map {
      RestoredPart(technician: $0.technician, isOwn: $0.isOwn, records: $1.contents.records)
    }
    let now = clock.now()
    let named = Dictionary(open.flatMap(\.contents.photoNames).map { ($0.eventID, 0) }, uniquingKeysWith: { $1 })
    func restore(
      _ photos: [ServiceEventID: Int], dryRun: Bool, _ change: PhotoChange? = nil
    ) async throws -> RestoreEffect {
      try await store.restore(
        parts, over: extent, of: team.name, photos: photos, now: now, dryRun: dryRun, change: change,
        limitsPools: limitsPools)
    }
    let effect: RestoreEffect
    if dryRun {
      // A dry run extracts no photos and counts their names instead.
      effect = try await restore(named, dryRun: true)
    } else {
      // Extracting photos may take minutes, so let the store refuse the records first.
      if !named.isEmpty { _ = try await restore(named, dryRun: true) }
      let staged: StagedPhotos
      do {
        staged = try stagePhotos(of: open, team.id)
      } catch {
        throw ImportRefusal(description: "the photos cannot be restored: \(error); nothing was changed")
      }
      effect = try await replacingPhotos(of: team.id, by: staged) { change in
        try await restore(staged.sizes, dryRun: false, change)
      }
    }
    return TeamRestoreReport(
      effect: effect,
      archives: zip(files, open).map {
        TeamRestoreReport.Archive(
          name: $0.name, technician: $0.technician, manifest: $1.contents.manifest, counts: $1.contents.counts)
      },
      warnings: open.flatMap { $0.contents.warnings + $0.contents.records.futureVisits(of: now) }
        + (effect.sanitiserKept > 0 ? [.sanitiserKept(effect.sanitiserKept)] : []))
  }
}
