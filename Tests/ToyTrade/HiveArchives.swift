package import FlowBackup
package import FlowModel
import FlowPlatform
package import FlowStore
package import FoundationEssentials

/// The archives of apiaries: a list of hives for each team.
package struct HiveArchives: TradeArchives {
  package init() {}

  package var trade: Trade { .apiary }

  package func counts(of team: TeamID, in snapshot: StoreSnapshot) throws -> (records: Int, events: Int) {
    (try snapshot.counts(of: team).hives, 0)
  }

  package func write(_ team: Team, in snapshot: StoreSnapshot, to folder: inout TeamArchiveFolder) throws {
    let hives = try snapshot.hives(of: team.id)
    let entry = BackupManifest.Archive(
      name: "\(folder.prefix).hives.csv", team: team.name, trade: .apiary, photos: 0,
      others: [BackupManifest.Count(hives.count, "hive", "hives")])
    try folder.add(entry.name) { path in
      let sum = try PrivateFiles.write(path, Array(HiveList.text(hives).utf8))
      guard try Self.read(path) == hives else {
        throw BackupDamage.archive(entry.name, "its records read back differ from those written")
      }
      return (sum, entry)
    }
  }

  package func verify(_ archive: BackupManifest.Archive, at path: String) throws(BackupDamage) {
    let hives: [Hive]
    do { hives = try Self.read(path) } catch { throw .archive(archive.name, "\(error)") }
    guard hives.count == archive.records else {
      throw .archive(archive.name, "its records differ from those that were written")
    }
  }

  static func read(_ path: String) throws -> [Hive] {
    try HiveList.read(PrivateFiles.bytes(path, limit: Limits.csvBytes))
  }

  package func photos(of team: TeamID, in store: Store) async throws -> RecordPhotos { RecordPhotos() }

  package func copyPhotos(
    of records: Set<UUID>, fromArchiveAt path: String, into folder: PhotoFolder
  ) throws -> Int { 0 }
}
