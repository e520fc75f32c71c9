package import FlowBackup
package import FlowModel
package import FlowPlatform
import FlowStore
import FoundationEssentials
package import PoolInterchange
import PoolModel
package import PoolStore

/// Writes the records of a team or technician as an archive for the PoolFlow app, and verifies it by reading it again.
package struct TeamArchive: Sendable {
  /// Contains `<visit>.bin` for each photo of the team.
  let photoFolder: String
  let version: String
  let now: Timestamp

  package init(photoFolder: String, version: String, now: Timestamp) {
    self.photoFolder = photoFolder
    self.version = version
    self.now = now
  }

  /// The contents of an archive: its records, and the path of each photo's file.
  private struct Content {
    var contents: ArchiveContents
    var photos: [(member: String, path: String)] = []
  }

  /// Writes a new file and verifies that it reads back as the same records and photos.
  ///
  /// - Throws: `BackupDamage.archive` if it does not; `SystemFailure` or `ZIPError` if it cannot be written.
  package func write(_ part: ArchivePartRecords, to path: String, name: String) throws -> (sum: FileSum, photos: Int) {
    let content = content(of: part)
    let members = ArchiveWriter.members(of: content.contents)
    let sum = try PrivateFiles.write(path) { put in
      try withoutActuallyEscaping(put) { try Self.zip(members, content.photos, now: now, to: $0) }
    }
    let again = try Self.reread(path, name: name)
    guard again.hasSameRecords(of: content.contents) else {
      throw BackupDamage.archive(name, "its records read back differ from those written")
    }
    return (sum, content.photos.count)
  }

  /// Writes the ZIP file of an archive.
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
    // Write the manifest last, so that a truncated archive has none and is rejected.
    if let manifest = members.last { try zip.add(manifest.name, manifest.bytes()) }
    try zip.finish()
  }

  /// Reads an archive completely: records, references, and every photo's checksum.
  ///
  /// - Throws: `BackupDamage.archive`.
  package static func reread(_ path: String, name: String) throws(BackupDamage) -> ArchiveContents {
    do {
      let archive = try ArchiveFile.open(path: path, origin: .ownBackup)
      try archive.readPhotos()
      return archive.contents
    } catch {
      throw .archive(name, "\(error)")
    }
  }

  /// The contents of an archive. A visit whose photo file is missing is written without a photo.
  private func content(of part: ArchivePartRecords) -> Content {
    var content = Content(
      contents: ArchiveContents(
        manifest: ArchiveManifest(
          schemaVersion: ArchiveManifest.writtenVersion, appVersion: "poolflow \(version)", createdAt: now,
          counts: RecordCounts()),
        pools: part.records.pools, serviceEvents: part.records.serviceEvents,
        chemicalDoses: part.records.chemicalDoses, inventory: part.records.inventory,
        // Stores of earlier versions may contain profiles with empty fields only.
        profiles: part.records.profiles.filter { !$0.hasNoData }, equipment: part.records.equipment,
        services: part.records.services, serviceChanges: part.records.serviceChanges,
        knowsSanitiser: part.records.knowsSanitiser, work: part.records.work))
    content.contents.truncateToSeconds()
    let withPhoto = Set(part.photos)
    for index in content.contents.serviceEvents.indices {
      let event = content.contents.serviceEvents[index]
      let path = "\(photoFolder)/\(PhotoPath.name(event.id))"
      guard event.photoFileName != nil, withPhoto.contains(event.id), FileFacts.exists(path) else {
        content.contents.serviceEvents[index].photoFileName = nil
        continue
      }
      // The app looks for a visit's photo under this name, whatever its original name was.
      let photo = ArchivePhotoName(eventID: event.id, fileName: PhotoPath.name(event.id))
      content.contents.serviceEvents[index].photoFileName = photo.fileName
      content.contents.photoNames.append(photo)
      content.photos.append((photo.memberName, path))
    }
    return content
  }
}

extension ArchiveContents {
  /// Whether all records and photo names are equal; manifest and warnings may differ. Profiles are compared without their
  /// order: a profile that has only a pin is stored in another member, and the reader appends it.
  fileprivate func hasSameRecords(of other: ArchiveContents) -> Bool {
    pools == other.pools && serviceEvents == other.serviceEvents && chemicalDoses == other.chemicalDoses
      && inventory == other.inventory && equipment == other.equipment && services == other.services
      && knowsSanitiser == other.knowsSanitiser
      && work == other.work
      && serviceChanges == other.serviceChanges
      && photoNames == other.photoNames
      && profiles.count == other.profiles.count && Set(profiles) == Set(other.profiles)
  }

  /// Removes fractions of a second, which the archive format does not have.
  fileprivate mutating func truncateToSeconds() {
    func truncate(_ instant: inout Timestamp) { instant = Timestamp(seconds: instant.seconds) }
    func truncate(_ instant: inout Timestamp?) { instant = instant.map { Timestamp(seconds: $0.seconds) } }
    for index in pools.indices {
      truncate(&pools[index].createdAt)
      truncate(&pools[index].updatedAt)
    }
    for index in serviceEvents.indices { truncate(&serviceEvents[index].timestamp) }
    serviceChanges = serviceChanges?.map { change in
      var change = change
      truncate(&change.madeAt)
      return change
    }
    for index in equipment.indices {
      truncate(&equipment[index].installDate)
      truncate(&equipment[index].warrantyExpiryDate)
      truncate(&equipment[index].lastServiceDate)
      truncate(&equipment[index].nextServiceDate)
      truncate(&equipment[index].createdAt)
      truncate(&equipment[index].updatedAt)
    }
    work?.truncateToSeconds()
  }
}

extension OpenArchive {
  /// Reads every photo completely and verifies its checksum.
  func readPhotos() throws {
    for photo in contents.photoNames { try readMember(photo.memberName) }
  }
}
