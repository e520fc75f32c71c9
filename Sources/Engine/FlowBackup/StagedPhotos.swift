package import FlowModel
import FlowPlatform
package import FlowStore
package import FoundationEssentials
import Glibc

/// A photo extracted into the state directory.
package struct PhotoFile: Hashable, Sendable {
  package let record: UUID
  /// The name inside the directory that it was extracted into.
  package let fileName: String
  package let bytes: Int
  /// 64 lowercase hexadecimal digits.
  package let sha256: String

  package init(record: UUID, fileName: String, bytes: Int, sha256: String) {
    self.record = record
    self.fileName = fileName
    self.bytes = bytes
    self.sha256 = sha256
  }
}

/// Extracted photos that still have temporary names.
package struct StagedPhotos: Sendable {
  package let files: [PhotoFile]
  private let folder: PhotoFolder

  package init(files: [PhotoFile], folder: PhotoFolder) {
    self.files = files
    self.folder = folder
  }

  /// Renames the photos to their own names, replacing older ones.
  package func keep() throws(PhotoError) {
    for photo in files { try folder.keep(photo.fileName) }
    if !files.isEmpty { try folder.sync() }
  }

  /// Removes the photos.
  func discard() {
    for photo in files { folder.discard(photo.fileName) }
  }
}

extension PhotoStore {
  /// Opens a team's folder, and creates it if necessary.
  package func openFolder(of team: TeamID) throws -> PhotoFolder {
    let path = "\(folder)/\(team.number)"
    for path in [folder, path] { try PrivateFiles.makeFolder(path) }
    return try PhotoFolder(path: path)
  }

  /// Runs a change of a team's records and updates the photos afterwards: staged photos get their names, and photos of removed
  /// records are deleted. After a crash `recover` completes this at the next start.
  ///
  /// - Parameters:
  ///   - staged: the new photos; nil for none.
  ///   - known: returns the team's records with a photo after the change.
  ///   - body: makes the change in the store and records the given `PhotoChange` with it, which is nil if the team has no photo folder.
  package func replace<Effect>(
    of team: TeamID, by staged: StagedPhotos?, known: () async throws -> Set<UUID>,
    _ body: (PhotoChange?) async throws -> Effect
  ) async throws -> Effect {
    let path = "\(folder)/\(team.number)"
    guard FileFacts.exists(path) else { return try await body(nil) }
    let photos = try PhotoFolder(path: path)
    let effect: Effect
    do {
      let change = try photos.setMark()
      effect = try await body(change)
    } catch {
      staged?.discard()
      photos.removeMark()
      // After a refusal remove a folder that is empty; `rmdir` keeps one that is not.
      rmdir(path)
      throw error
    }
    // A failure from here on leaves the mark, so that the next start completes the work.
    try staged?.keep()
    try photos.removeAll(but: try await known())
    photos.removeMark()
    return effect
  }
}
