package import FlowBackup
package import FlowModel
package import FlowPlatform
import PoolInterchange
package import StableInterchange
package import StableModel

/// Writes a stable's archive and verifies it by reading it again.
package struct StableTeamArchive: Sendable {
  /// Contains `<horse>.bin` for each photo of the team.
  private let photoFolder: String
  private let version: String
  private let now: Timestamp

  package init(photoFolder: String, version: String, now: Timestamp) {
    self.photoFolder = photoFolder
    self.version = version
    self.now = now
  }

  /// Writes a new file and verifies that it reads back as the same records and photos.
  ///
  /// - Throws: `BackupDamage.archive` if it does not; `SystemFailure` or `ZIPError` if it cannot be written.
  package func write(_ book: StableBook, to path: String, name: String) throws -> (sum: FileSum, photos: Int) {
    var contents = StableContents(of: book, appVersion: "poolflow \(version)", createdAt: now)
    // A horse whose photo file is missing is written without a photo.
    for index in contents.horses.indices where contents.horses[index].hasPhoto {
      contents.horses[index].hasPhoto = FileFacts.exists("\(photoFolder)/\(contents.horses[index].id).bin")
    }
    let photos = contents.horses.filter(\.hasPhoto).map { horse in
      (member: StableArchiveName.photo(of: horse.id), path: "\(photoFolder)/\(horse.id).bin")
    }
    let records = StableArchiveWriter.member(of: contents)
    let sum = try PrivateFiles.write(path) { put in
      try withoutActuallyEscaping(put) { put in
        let zip = ZIPWriter(modified: now, to: put)
        if !photos.isEmpty { try zip.addFolder(StableArchiveName.photoFolder) }
        for photo in photos { try zip.add(photo.member, fileAt: photo.path) }
        // Write the records last, so that a truncated archive has none and is rejected.
        try zip.add(records.name, records.bytes())
        try zip.finish()
      }
    }
    let again = try Self.reread(path, name: name)
    guard again.book == contents.book else {
      throw BackupDamage.archive(name, "its records read back differ from those written")
    }
    return (sum, photos.count)
  }

  /// Reads a stable's archive completely: records, references, and every photo's checksum.
  ///
  /// - Throws: `BackupDamage.archive`.
  package static func reread(_ path: String, name: String) throws(BackupDamage) -> StableContents {
    do {
      let archive = try OpenStableArchive.open(path: path, origin: .ownBackup)
      try archive.readPhotos()
      return archive.contents
    } catch {
      throw .archive(name, "\(error)")
    }
  }
}
