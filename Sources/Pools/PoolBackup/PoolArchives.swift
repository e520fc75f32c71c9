package import FlowBackup
package import FlowModel
package import FlowStore
package import FoundationEssentials
import PoolInterchange
import PoolModel
import PoolStore

/// The archives of pool service: one per technician, in the format of the PoolFlow app.
package struct PoolArchives: TradeArchives {
  package init() {}

  package var trade: Trade { .poolService }

  package func wrote(_ archive: BackupManifest.Archive) -> Bool { archive.members == .original }

  package func counts(of team: TeamID, in snapshot: StoreSnapshot) throws -> (records: Int, events: Int) {
    let counts = try snapshot.counts(of: team)
    return (counts.pools, counts.serviceEvents)
  }

  /// Writes all archives of a team, or none: a restore from only some of them would delete the rest of the team's records.
  package func write(_ team: Team, in snapshot: StoreSnapshot, to folder: inout TeamArchiveFolder) throws {
    let writer = TeamArchive(photoFolder: folder.photoFolder, version: folder.version, now: folder.now)
    for part in try snapshot.archiveParts(of: team.id) {
      let name = Self.archiveName(prefix: folder.prefix, part: part)
      let records = try snapshot.records(of: part, team: team.id)
      try folder.photos.copyPhotos(records.photos.map(\.uuid), of: team.id, from: snapshot)
      try folder.add(name) { path in
        let (sum, photos) = try writer.write(records, to: path, name: name)
        let archive = BackupManifest.Archive(
          name: name, team: team.name, technician: part.technician.name, own: part.isOwn,
          records: records.records.pools.count, events: records.records.serviceEvents.count, photos: photos,
          dosesWithoutStock: records.dosesWithoutStock)
        return (sum, archive)
      }
    }
  }

  package func verify(_ archive: BackupManifest.Archive, at path: String) throws(BackupDamage) {
    let contents = try TeamArchive.reread(path, name: archive.name)
    guard contents.pools.count == archive.records, contents.serviceEvents.count == archive.events,
      contents.photoNames.count == archive.photos
    else { throw .archive(archive.name, "its records differ from those that were written") }
  }

  package func photos(of team: TeamID, in store: Store) async throws -> RecordPhotos {
    let sizes = try await store.photoSizes(of: team).map { ($0.key.uuid, $0.value) }
    return RecordPhotos(sizes: Dictionary(uniqueKeysWithValues: sizes))
  }

  package func copyPhotos(
    of records: Set<UUID>, fromArchiveAt path: String, into folder: PhotoFolder
  ) throws -> Int {
    try ArchiveFile.open(path: path, origin: .ownBackup).copyPhotos(records, into: folder)
  }

  /// The path of an archive, such as `archives/desert-blue.3-maria.zip`. A technician's name may contain any character.
  private static func archiveName(prefix: String, part: ArchivePart) -> String {
    let plain = part.technician.name.lowercased().utf8.map { byte -> UInt8 in
      (97...122).contains(byte) || (48...57).contains(byte) ? byte : UInt8(ascii: "-")
    }
    let slug = String(decoding: plain.prefix(40), as: UTF8.self)
    return "\(prefix).\(part.technician.id.number)-\(slug)\(part.isOwn ? "-own" : "").zip"
  }
}
