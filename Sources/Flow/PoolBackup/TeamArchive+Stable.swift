import PoolInterchange
import PoolModel
package import PoolPlatform
package import StableInterchange
package import StableModel

/// A stable's archive, written and read again for proof.
extension TeamArchive {
  /// Writes a new file and proves that it reads back as the same records and photos.
  ///
  /// - Throws: `BackupDamage.archive` where it does not; `SystemFailure` and `ZIPError` where it cannot be written.
  package func write(_ book: StableBook, to path: String, name: String) throws -> (sum: FileSum, photos: Int) {
    var contents = StableContents(of: book, appVersion: "poolflow \(version)", createdAt: now)
    // A horse whose photo is gone is written without one, as the reader would have it.
    for place in contents.horses.indices where contents.horses[place].hasPhoto {
      contents.horses[place].hasPhoto = FileFacts.exists("\(photoFolder)/\(contents.horses[place].id).bin")
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
        // The records last: an archive that ends early has none.
        try zip.add(records.name, records.bytes())
        try zip.finish()
      }
    }
    let again = try Self.rereadStable(path, name: name)
    guard again.book == contents.book else {
      throw BackupDamage.archive(name, "it reads back as other records than were written")
    }
    return (sum, photos.count)
  }

  /// Reads all of a stable's archive: records, references, and every photo's checksum.
  package static func rereadStable(_ path: String, name: String) throws(BackupDamage) -> StableContents {
    do {
      let archive = try OpenStableArchive.open(path: path, origin: .ownBackup)
      try archive.readPhotos()
      return archive.contents
    } catch {
      throw .archive(name, "\(error)")
    }
  }
}
