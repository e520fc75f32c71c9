import FoundationEssentials
package import PoolInterchange
package import PoolModel
package import PoolPlatform
package import PoolStore

/// Writes a share of a team as an archive that the PoolFlow app restores, and reads it again for proof.
package struct TeamArchive: Sendable {
  /// Holds `<visit>.bin` for each photo of the team.
  let photoFolder: String
  let version: String
  let now: Timestamp

  package init(photoFolder: String, version: String, now: Timestamp) {
    self.photoFolder = photoFolder
    self.version = version
    self.now = now
  }

  /// What an archive is to hold: its records, and where each photo's bytes lie.
  private struct Content {
    var contents: ArchiveContents
    var photos: [(member: String, path: String)] = []
  }

  /// Writes a new file and proves that it reads back as the same records and photos.
  ///
  /// - Throws: `BackupDamage.archive` where it does not; `SystemFailure` and `ZIPError` where it cannot be written.
  package func write(_ share: ShareRecords, to path: String, name: String) throws -> (sum: FileSum, photos: Int) {
    let content = content(of: share)
    let members = ArchiveWriter.members(of: content.contents)
    let sum = try PrivateFiles.write(path) { put in
      try withoutActuallyEscaping(put) { try Self.zip(members, content.photos, now: now, to: $0) }
    }
    let again = try Self.reread(path, name: name)
    guard again.holdsTheRecords(of: content.contents) else {
      throw BackupDamage.archive(name, "it reads back as other records than were written")
    }
    return (sum, content.photos.count)
  }

  private static func zip(
    _ members: [ArchiveMember], _ photos: [(member: String, path: String)], now: Timestamp,
    to put: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let zip = ZIPWriter(modified: now, to: put)
    try zip.add(members.dropLast().map { ($0.name, $0.bytes) })
    if !photos.isEmpty {
      try zip.addFolder(ArchiveName.mediaFolder)
      try zip.addFolder(ArchiveName.photoFolder)
      for photo in photos { try zip.add(photo.member, fileAt: photo.path) }
    }
    // The manifest last: an archive that ends early has none.
    if let manifest = members.last { try zip.add(manifest.name, manifest.bytes()) }
    try zip.finish()
  }

  /// Reads all of an archive: records, references, and every photo's checksum.
  package static func reread(_ path: String, name: String) throws(BackupDamage) -> ArchiveContents {
    do {
      let archive = try ArchiveFile.open(path: path, origin: .ownBackup)
      try archive.readPhotos()
      return archive.contents
    } catch {
      throw .archive(name, "\(error)")
    }
  }

  /// A visit whose photo is gone is written without one, as the reader would have it.
  private func content(of share: ShareRecords) -> Content {
    var content = Content(
      contents: ArchiveContents(
        manifest: ArchiveManifest(
          schemaVersion: ArchiveManifest.writtenVersion, appVersion: "poolflow \(version)", createdAt: now,
          counts: RecordCounts()),
        pools: share.records.pools, serviceEvents: share.records.serviceEvents,
        chemicalDoses: share.records.chemicalDoses, inventory: share.records.inventory,
        // Stores of earlier versions kept profiles of which every field was emptied.
        profiles: share.records.profiles.filter { !$0.saysNothing }, equipment: share.records.equipment))
    content.contents.cutInstants()
    let withPhoto = Set(share.photos)
    for index in content.contents.serviceEvents.indices {
      let event = content.contents.serviceEvents[index]
      let path = "\(photoFolder)/\(PhotoPath.name(event.id))"
      guard event.photoFileName != nil, withPhoto.contains(event.id), FileFacts.exists(path) else {
        content.contents.serviceEvents[index].photoFileName = nil
        continue
      }
      // By this name the app finds the photo of a visit, whatever its file was called once.
      let photo = ArchivePhotoName(eventID: event.id, fileName: PhotoPath.name(event.id))
      content.contents.serviceEvents[index].photoFileName = photo.fileName
      content.contents.photoNames.append(photo)
      content.photos.append((photo.memberName, path))
    }
    return content
  }
}

extension ArchiveContents {
  /// Whether every record and photo name is the very same; what is said about them may differ.
  fileprivate func holdsTheRecords(of other: ArchiveContents) -> Bool {
    pools == other.pools && serviceEvents == other.serviceEvents && chemicalDoses == other.chemicalDoses
      && inventory == other.inventory && profiles == other.profiles && equipment == other.equipment
      && photoNames == other.photoNames
  }

  /// An archive tells whole seconds.
  fileprivate mutating func cutInstants() {
    func cut(_ instant: inout Timestamp) { instant = Timestamp(seconds: instant.seconds) }
    func cut(_ instant: inout Timestamp?) { instant = instant.map { Timestamp(seconds: $0.seconds) } }
    for index in pools.indices {
      cut(&pools[index].createdAt)
      cut(&pools[index].updatedAt)
    }
    for index in serviceEvents.indices { cut(&serviceEvents[index].timestamp) }
    for index in equipment.indices {
      cut(&equipment[index].installDate)
      cut(&equipment[index].warrantyExpiryDate)
      cut(&equipment[index].lastServiceDate)
      cut(&equipment[index].nextServiceDate)
      cut(&equipment[index].createdAt)
      cut(&equipment[index].updatedAt)
    }
  }
}

extension OpenArchive {
  /// Reads every photo to its end and proves its checksum.
  func readPhotos() throws {
    for photo in contents.photoNames { try readMember(photo.memberName) }
  }
}
