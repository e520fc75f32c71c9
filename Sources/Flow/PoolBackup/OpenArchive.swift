import FoundationEssentials
package import PoolInterchange
package import PoolModel
import PoolPlatform

/// An archive whose records are read and whose photos wait in the file.
package final class OpenArchive: Sendable {
  package let contents: ArchiveContents
  private let zip: ZIPArchive

  init(zip: ZIPArchive, contents: ArchiveContents) {
    self.zip = zip
    self.contents = contents
  }

  /// Stores each visit's photo as `<EVENT-UUID>.bin` in `directory`, which must exist.
  ///
  /// All are written under private names, their checksums proved and flushed to disk; only then are they renamed, so that a
  /// damaged archive or a full disk changes nothing. A photo of the same name is replaced.
  /// - Throws: `ArchiveError.unreadableArchive` for damage, `PhotoError` for the directory, `ZIPError` (`isAboutTheFile`)
  ///   where the archive cannot be read any more.
  package func extractPhotos(into directory: String) throws -> [PhotoFile] {
    guard !contents.photoNames.isEmpty else { return [] }
    let staged = try Self.stagePhotos(of: [self], in: try PhotoFolder(path: directory))
    try staged.keep()
    return staged.files
  }

  /// Writes the photos of several archives under private names, proved and flushed, and gives none its name.
  ///
  /// - Throws: as `extractPhotos`; nothing is left behind then.
  static func stagePhotos(
    of archives: [OpenArchive], in folder: PhotoFolder, progress: WorkProgress = WorkProgress()
  ) throws -> StagedPhotos {
    let names = archives.flatMap(\.contents.photoNames).map { fileName($0.eventID) }
    progress.begin("extracting photos", of: names.count)
    defer { progress.end() }
    var photos: [PhotoFile] = []
    do {
      for archive in archives {
        var total = 0
        for photo in archive.contents.photoNames {
          let file = try archive.stage(photo, in: folder, room: Limits.archiveBytes - total)
          total += file.bytes
          photos.append(file)
          progress.add(1)
        }
      }
      return StagedPhotos(files: photos, folder: folder)
    } catch {
      for name in names { folder.discard(name) }
      if let fault = error as? ZIPError, !fault.isAboutTheFile {
        throw ArchiveError.unreadableArchive(.container(fault.description))
      }
      throw error
    }
  }

  /// Writes the photos of these visits, each under its own name once it is whole.
  ///
  /// - Returns: how many there were.
  func bring(_ visits: Set<UUID>, into folder: PhotoFolder) throws -> Int {
    let wanted = contents.photoNames.filter { visits.contains($0.eventID.uuid) }
    for photo in wanted {
      let file = try stage(photo, in: folder, room: Limits.archiveBytes)
      try folder.keep(file.fileName)
    }
    return wanted.count
  }

  /// Reads one member to its end for its checksum alone.
  func readMember(_ name: String) throws {
    guard let entry = zip.file(named: name) else {
      preconditionFailure("photo '\(name)' was there and is gone")
    }
    try zip.extract(entry) { _ in }
  }

  private func stage(_ photo: ArchivePhotoName, in folder: PhotoFolder, room: Int) throws -> PhotoFile {
    guard let entry = zip.file(named: photo.memberName) else {
      // The reader took the name from this very archive.
      preconditionFailure("photo '\(photo.fileName)' was there and is gone")
    }
    // Many visits could name one photo, each of which makes a file of its own.
    guard entry.uncompressedSize <= room else {
      throw ZIPError.expandsTooFar(
        bytes: Limits.archiveBytes - room + entry.uncompressedSize, limit: Limits.archiveBytes)
    }
    let name = Self.fileName(photo.eventID)
    let sum = try folder.stage(name) { write in try zip.extract(entry, to: write) }
    return PhotoFile(eventID: photo.eventID, fileName: name, bytes: entry.uncompressedSize, sha256: sum)
  }

  private static func fileName(_ eventID: ServiceEventID) -> String { "\(eventID).bin" }
}

/// A photo that lies in the state directory now.
package struct PhotoFile: Hashable, Sendable {
  package let eventID: ServiceEventID
  /// Inside the directory it was extracted into.
  package let fileName: String
  package let bytes: Int
  /// 64 lower-case hexadecimal digits.
  package let sha256: String
}

/// Photos that lie in their folder under names that nobody reads.
struct StagedPhotos: Sendable {
  let files: [PhotoFile]
  let folder: PhotoFolder

  var sizes: [ServiceEventID: Int] { Dictionary(files.map { ($0.eventID, $0.bytes) }, uniquingKeysWith: { $1 }) }

  /// Gives them their names, each in place of an older one.
  func keep() throws(PhotoError) {
    for photo in files { try folder.keep(photo.fileName) }
    if !files.isEmpty { try folder.sync() }
  }

  func discard() {
    for photo in files { folder.discard(photo.fileName) }
  }
}
