import FlowBackup
import FlowModel
import FlowPlatform
import FoundationEssentials
package import PoolInterchange
import PoolModel

/// An open archive whose records are read, and whose photos are read on demand.
package final class OpenArchive: Sendable {
  package let contents: ArchiveContents
  private let zip: ZIPArchive

  init(zip: ZIPArchive, contents: ArchiveContents) {
    self.zip = zip
    self.contents = contents
  }

  /// Writes the photos of several archives under temporary names, verified and flushed, so that a damaged archive or a full
  /// disk changes nothing. `keep` renames each to `<EVENT-UUID>.bin`; a photo of the same name is replaced.
  ///
  /// - Throws: `ArchiveError.unreadableArchive` for damage, `PhotoError` for the folder, `ZIPError` (`isAboutTheFile`) if an
  ///   archive cannot be read any more; no photo is left behind then.
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

  /// Writes the photos of these visits, each under its own name after it is complete.
  ///
  /// - Returns: the number of photos.
  func copyPhotos(_ visits: Set<UUID>, into folder: PhotoFolder) throws -> Int {
    let wanted = contents.photoNames.filter { visits.contains($0.eventID.uuid) }
    for photo in wanted {
      let file = try stage(photo, in: folder, room: Limits.archiveBytes)
      try folder.keep(file.fileName)
    }
    return wanted.count
  }

  /// Reads one member completely to verify its checksum.
  func readMember(_ name: String) throws {
    guard let entry = zip.file(named: name) else {
      preconditionFailure("photo '\(name)' was removed meanwhile")
    }
    try zip.extract(entry) { _ in }
  }

  /// Writes one photo under a temporary name; throws `ZIPError.expandsTooFar` if it is larger than `room` bytes.
  private func stage(_ photo: ArchivePhotoName, in folder: PhotoFolder, room: Int) throws -> PhotoFile {
    guard let entry = zip.file(named: photo.memberName) else {
      // The name comes from this archive's own directory.
      preconditionFailure("photo '\(photo.fileName)' was removed meanwhile")
    }
    // Many visits could refer to one photo, and each of them gets a file of its own.
    guard entry.uncompressedSize <= room else {
      throw ZIPError.expandsTooFar(
        bytes: Limits.archiveBytes - room + entry.uncompressedSize, limit: Limits.archiveBytes)
    }
    let name = Self.fileName(photo.eventID)
    let sum = try folder.stage(name) { write in try zip.extract(entry, to: write) }
    return PhotoFile(record: photo.eventID.uuid, fileName: name, bytes: entry.uncompressedSize, sha256: sum)
  }

  private static func fileName(_ eventID: ServiceEventID) -> String { "\(eventID).bin" }
}
