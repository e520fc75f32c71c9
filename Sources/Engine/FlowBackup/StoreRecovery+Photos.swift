import FlowModel
import FlowPlatform
import FlowStore
import FoundationEssentials

/// The numbers of photos restored and missing after a restore of the whole store.
package struct PhotoRestoreCounts: Hashable, Sendable {
  /// The photos extracted from the backup's archives.
  package let restored: Int
  /// The photos that the restored store refers to, but that neither the photo folder nor the backup has.
  package let missing: Int

  /// Sentence parts about the photos; empty if no photo was missing.
  package var sentences: [String] {
    var sentences: [String] = []
    if restored > 0 {
      sentences.append("\(countText(restored, "photo was", "photos were")) restored from the backup's archives")
    }
    if missing > 0 {
      sentences.append(
        "\(countText(missing, "photo is", "photos are")) not in the backup, because archives of their teams are not: copy "
          + "the photo folder")
    }
    return sentences
  }
}

extension StoreRecovery {
  /// Extracts the photos that the staged store refers to, and that are missing, from the backup's archives.
  ///
  /// A store's snapshot contains no photos. Existing photos are left unchanged: a photo without a record is harmless, so this
  /// may run before the restore is decided.
  /// - Throws: errors of the disk or the archives; no existing photo is lost then.
  package func restoreMissingPhotos(of source: RestoreSource) throws -> PhotoRestoreCounts {
    let snapshot = try StoreSnapshot(path: stagedPath, trades: trades.stores)
    var missing: [TeamID: Set<UUID>] = [:]
    for (team, record) in try snapshot.recordsWithPhoto() where !FileFacts.exists(photo(record, of: team)) {
      missing[team, default: []].insert(record)
    }
    let wanted = missing.values.reduce(0) { $0 + $1.count }
    guard wanted > 0, case .backup(let location) = source else {
      return PhotoRestoreCounts(restored: 0, missing: wanted)
    }
    let archives = Dictionary(grouping: try location.manifest().manifest.archives, by: \.team)
    var restored = 0
    for team in try snapshot.teams() {
      guard let records = missing[team.id] else { continue }
      for archive in archives[team.name] ?? [] {
        let path = "\(location.path)/\(archive.name)"
        let folder = try PhotoStore(folder: photos).openFolder(of: team.id)
        restored += try trades.archives(with: archive).copyPhotos(of: records, fromArchiveAt: path, into: folder)
        try folder.sync()
      }
    }
    return PhotoRestoreCounts(restored: restored, missing: wanted - restored)
  }

  private func photo(_ record: UUID, of team: TeamID) -> String { "\(photos)/\(team.number)/\(record).bin" }
}
