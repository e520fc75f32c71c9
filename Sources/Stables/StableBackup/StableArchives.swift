package import FlowBackup
package import FlowModel
package import FlowStore
package import FoundationEssentials
import PoolInterchange
import PoolModel
import PoolStore
import StableInterchange
import StableModel
import StableStore

/// The archives of stables: one per team.
package struct StableArchives: TradeArchives {
  package init() {}

  package var trade: Trade { .stable }

  package func wrote(_ archive: BackupManifest.Archive) -> Bool { archive.members == .second }

  package func counts(of team: TeamID, in snapshot: StoreSnapshot) throws -> (records: Int, events: Int) {
    let counts = try snapshot.counts(of: team)
    return (counts.horses, counts.care)
  }

  package func write(_ team: Team, in snapshot: StoreSnapshot, to folder: inout TeamArchiveFolder) throws {
    let writer = StableTeamArchive(photoFolder: folder.photoFolder, version: folder.version, now: folder.now)
    let name = "\(folder.prefix).stable.zip"
    let book = try snapshot.stableBook(of: team.id)
    try folder.photos.copyPhotos(book.records.horses.filter(\.hasPhoto).map(\.id.uuid), of: team.id, from: snapshot)
    try folder.add(name) { path in
      let (sum, photos) = try writer.write(book, to: path, name: name)
      let archive = BackupManifest.Archive(
        name: name, team: team.name, technician: "", own: false, records: book.records.horses.count,
        events: book.records.care.count, photos: photos, dosesWithoutStock: 0, members: .second)
      return (sum, archive)
    }
  }

  package func verify(_ archive: BackupManifest.Archive, at path: String) throws(BackupDamage) {
    let contents = try StableTeamArchive.reread(path, name: archive.name)
    guard contents.horses.count == archive.records, contents.care.count == archive.events,
      contents.horses.count(where: \.hasPhoto) == archive.photos
    else { throw .archive(archive.name, "its records differ from those that were written") }
  }

  package func photos(of team: TeamID, in store: Store) async throws -> RecordPhotos {
    RecordPhotos(unsized: Set(try await store.horses(of: team).filter(\.hasPhoto).map(\.id.uuid)))
  }

  package func copyPhotos(
    of records: Set<UUID>, fromArchiveAt path: String, into folder: PhotoFolder
  ) throws -> Int {
    try OpenStableArchive.open(path: path, origin: .ownBackup).copyPhotos(records, into: folder)
  }
}
