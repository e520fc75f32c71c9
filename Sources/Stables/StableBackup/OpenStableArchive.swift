import FlowBackup
import FlowModel
import FlowPlatform
import FoundationEssentials
import PoolBackup
package import PoolInterchange
package import StableInterchange
import StableModel

/// A stable's open archive whose records are read, and whose photos are read on demand.
package final class OpenStableArchive: Sendable {
  package let contents: StableContents
  private let zip: ZIPArchive

  private init(zip: ZIPArchive, contents: StableContents) {
    self.zip = zip
    self.contents = contents
  }

  /// Reads and checks all records, but no photo.
  ///
  /// - Throws: `ZIPError` if the file itself cannot be opened or read (`isAboutTheFile`), else `ArchiveError`.
  package static func open(path: String, origin: ArchiveOrigin = .anywhere) throws -> OpenStableArchive {
    do {
      let zip = try ZIPArchive(path: path)
      return OpenStableArchive(zip: zip, contents: try StableArchiveReader.read(ZIPMembers(zip), origin: origin))
    } catch let error as ZIPError where !error.isAboutTheFile {
      throw ArchiveError.unreadableArchive(.container(error.description))
    }
  }

  /// Whether a file is a stable's archive; false also if it cannot be read.
  package static func isStableArchive(_ path: String) -> Bool {
    guard let zip = try? ZIPArchive(path: path) else { return false }
    return StableArchiveReader.isStable(ZIPMembers(zip))
  }

  private var horsesWithPhoto: [HorseID] { contents.horses.filter(\.hasPhoto).map(\.id) }

  /// Reads every photo completely and verifies its checksum.
  func readPhotos() throws {
    for horse in horsesWithPhoto {
      guard let entry = zip.file(named: StableArchiveName.photo(of: horse)) else { continue }
      try zip.extract(entry) { _ in }
    }
  }

  /// Writes the photos of these horses, each under its own name after it is complete.
  ///
  /// - Returns: the number of photos.
  func copyPhotos(_ horses: Set<UUID>, into folder: PhotoFolder) throws -> Int {
    var count = 0
    for horse in horsesWithPhoto where horses.contains(horse.uuid) {
      guard let entry = zip.file(named: StableArchiveName.photo(of: horse)) else { continue }
      let name = "\(horse).bin"
      _ = try folder.stage(name) { write in try zip.extract(entry, to: write) }
      try folder.keep(name)
      count += 1
    }
    return count
  }

  /// Writes the photos under temporary names, verified and flushed, without renaming them.
  ///
  /// - Throws: `ArchiveError`, `ZIPError` or `PhotoError`; no photo is left behind then.
  func stagePhotos(in folder: PhotoFolder, progress: WorkProgress) throws -> StagedPhotos {
    let horses = horsesWithPhoto
    progress.begin("extracting photos", of: horses.count)
    defer { progress.end() }
    var photos: [PhotoFile] = []
    var room = Limits.archiveBytes
    do {
      for horse in horses {
        guard let entry = zip.file(named: StableArchiveName.photo(of: horse)) else { continue }
        guard entry.uncompressedSize <= room else {
          throw ZIPError.expandsTooFar(
            bytes: Limits.archiveBytes - room + entry.uncompressedSize, limit: Limits.archiveBytes)
        }
        room -= entry.uncompressedSize
        let name = "\(horse).bin"
        let sum = try folder.stage(name) { write in try zip.extract(entry, to: write) }
        photos.append(
          PhotoFile(
            record: horse.uuid, fileName: name, bytes: entry.uncompressedSize, sha256: sum))
        progress.add(1)
      }
      return StagedPhotos(files: photos, folder: folder)
    } catch {
      for horse in horses { folder.discard("\(horse).bin") }
      if let fault = error as? ZIPError, !fault.isAboutTheFile {
        throw ArchiveError.unreadableArchive(.container(fault.description))
      }
      throw error
    }
  }
}
