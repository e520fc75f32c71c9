package import FlowModel
import FlowPlatform
package import FlowStore
package import FoundationEssentials
import Glibc

/// The photos of records: a folder per team, with `<record>.bin` for each photo.
///
/// A photo and its record are stored together or not at all: the bytes are made durable under a temporary name before the
/// record's transaction, and get their own name after it. After a crash in between, `recover` decides at the next start. If the
/// records are on a database server, the photos are stored there too, and these files are a cache.
package struct PhotoStore: Sendable {
  package let folder: String
  private let reader: StoreReader?

  /// The reason why a file is not accepted as a photo. Nothing has changed.
  package struct Refusal: Error, CustomStringConvertible {
    package let description: String
  }

  /// - Parameter reader: the reader of the store; nil if all photos are files.
  package init(folder: String, reader: StoreReader? = nil) {
    self.folder = folder
    self.reader = reader
  }

  /// Returns a photo's bytes and its size; no bytes if the size exceeds `limit`.
  ///
  /// - Throws: an error if the photo does not exist or cannot be read.
  package func bytes<Entity>(
    of record: EntityID<Entity>, team: TeamID, upTo limit: Int
  ) async throws -> (bytes: [UInt8], size: Int) {
    guard let reader, reader.isOnServer else {
      let found = try PrivateFiles.piece(of: "\(folder)/\(team.number)/\(PhotoPath.name(record))", at: 0, upTo: limit)
      return found.size > limit ? ([], found.size) : found
    }
    return try await reader.readSnapshot { snapshot in
      guard let photo = try snapshot.storedPhotos(of: team, records: [record.uuid]).first else {
        throw PhotoError(step: .open, name: PhotoPath.name(record), errno: ENOENT)
      }
      var bytes: [UInt8] = []
      if photo.bytes <= limit { try snapshot.read(photo) { bytes += $0 } }
      return (bytes, photo.bytes)
    }
  }

  /// Copies the photos of these records, or of a whole team, from the database server, if the files here are missing or
  /// different. It does nothing for a store in a file.
  package func copyPhotos(_ records: [UUID]? = nil, of team: TeamID, from snapshot: StoreSnapshot) throws {
    let kept = try snapshot.storedPhotos(of: team, records: records)
    guard !kept.isEmpty else { return }
    let photos = try makeFolder(of: team)
    for photo in kept {
      let name = "\(photo.record).bin"
      if (try? PrivateFiles.sum(of: "\(folder)/\(team.number)/\(name)"))?.sha256 == photo.sum { continue }
      // A unique temporary name, because another task may be fetching the same photo.
      let fetched = "\(photo.record).\(UUID()).fetched"
      do {
        let sum = try photos.stage(fetched) { write in try snapshot.read(photo, write) }
        guard sum == photo.sum else { throw SystemFailure("the photo '\(name)' is damaged in the database") }
        try photos.keep(fetched, as: name)
      } catch {
        photos.discard(fetched)
        throw error
      }
    }
    try photos.sync()
  }

  /// Copies an uploaded photo under a temporary name and flushes it; call `keep` or `discard` afterwards.
  ///
  /// - Parameter name: the user's name for the file, for messages.
  /// - Returns: the photo's name in archives, and its size.
  /// - Throws: `Refusal` if the file is not a photo, `PhotoError`, `SystemFailure`.
  @concurrent
  package func stage<Entity>(
    fileAt path: String, name: String, for record: EntityID<Entity>, of team: TeamID
  ) async throws -> (fileName: String, bytes: Int) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
    defer { close(file) }
    let photos = try makeFolder(of: team)
    var count = 0
    do {
      _ = try photos.stage("\(record).bin") { write in
        var piece = [UInt8](repeating: 0, count: Limits.fileChunkBytes)
        while true {
          let length = read(file, &piece, piece.count)
          if length < 0, errno == EINTR { continue }
          guard length >= 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
          if length == 0 { return }
          if count == 0 {
            guard PhotoKind(piece.prefix(length)) != nil else {
              throw Refusal(
                description: "'\(name)' is not a photo: send a JPEG, PNG, HEIC, WebP or GIF file; nothing was changed"
              )
            }
          }
          count += length
          try piece.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
        }
      }
      try photos.sync()
    } catch {
      photos.discard("\(record).bin")
      throw error
    }
    return (PhotoPath.name(record), count)
  }

  /// Gives a staged photo its own name, after its record is committed.
  package func keep<Entity>(_ record: EntityID<Entity>, of team: TeamID) throws {
    let photos = try PhotoFolder(path: "\(folder)/\(team.number)")
    try photos.keep("\(record).bin")
    try photos.sync()
  }

  /// Removes a staged photo, after its record was refused.
  package func discard<Entity>(_ record: EntityID<Entity>, of team: TeamID) {
    // If the folder cannot be opened, the next start tries again.
    (try? PhotoFolder(path: "\(folder)/\(team.number)"))?.discard("\(record).bin")
  }

  /// Removes the photos of removed records. A photo that cannot be removed is never used again.
  package func remove<Entity>(_ records: some Sequence<EntityID<Entity>>, of team: TeamID) {
    for record in records { unlink("\(folder)/\(team.number)/\(record).bin") }
  }

  /// The store's data about a team's photos, and the last change that replaced the records.
  package typealias StoredPhotos = (photos: RecordPhotos, change: PhotoChange?)

  /// Completes or reverts the interrupted photo changes after a crash. A staged photo gets its own name if the store has its
  /// record with a photo of that size, and either no such file exists or a change that replaced the records was committed; else
  /// it is removed. If the records were being replaced, photos of records that are gone are removed too.
  ///
  /// - Parameter known: returns the store's data for a team. A staged photo without a size in the store is the newer one unless
  ///   the records were being replaced.
  /// - Returns: the teams whose photos could not be handled, with the reason; such a team does not prevent the start of the
  ///   daemon.
  package func recover(
    known: (TeamID) async throws -> StoredPhotos
  ) async throws -> [TeamID: String] {
    var failed: [TeamID: String] = [:]
    for team in try PrivateFiles.names(in: folder).compactMap({ Int64($0) }).map({ TeamID($0) }) {
      do {
        try await recover(team, known)
      } catch let failure as SystemFailure where !failure.affectsWholeMachine {
        failed[team] = "\(failure)"
      } catch let error as PhotoError where !SystemFailure.affectsWholeMachine(error.errno) {
        failed[team] = "\(error)"
      } catch let error as StoreError where error.isAboutData {
        failed[team] = "\(error)"
      }
    }
    return failed
  }

  private func recover(
    _ team: TeamID, _ known: (TeamID) async throws -> StoredPhotos
  ) async throws {
    let path = "\(folder)/\(team.number)"
    let names = try PrivateFiles.names(in: path)
    let staged = names.compactMap { name -> UUID? in
      guard name.hasPrefix("."), name.hasSuffix(".bin.partial") else { return nil }
      return UUIDText.uuid(String(name.dropFirst().dropLast(".bin.partial".count)))
    }
    // Remove incomplete downloads from a database server.
    for name in names where name.hasPrefix(".") && name.hasSuffix(".fetched.partial") { unlink("\(path)/\(name)") }
    let isUnsettled = names.contains(PhotoFolder.mark)
    guard isUnsettled || !staged.isEmpty else { return }
    let (wanted, committedChange) = try await known(team)
    let photos = try PhotoFolder(path: path)
    let marked = isUnsettled ? photos.markedChange() : nil
    let isCommitted = marked != nil && marked == committedChange
    for record in staged {
      let name = PhotoPath.name(of: record)
      if wanted.unsized.contains(record), !isUnsettled || isCommitted {
        try photos.keep(name)
      } else if let size = wanted.sizes[record], photos.size(ofStaged: name) == size,
        isCommitted || photos.size(of: name) != size
      {
        try photos.keep(name)
      } else {
        photos.discard(name)
      }
    }
    if isUnsettled { try photos.removeAll(but: wanted.unsized.union(wanted.sizes.keys)) }
    try photos.sync()
    photos.removeMark()
  }

  /// Creates and opens a team's photo folder.
  private func makeFolder(of team: TeamID) throws -> PhotoFolder {
    let path = "\(folder)/\(team.number)"
    for path in [folder, path] where mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw SystemFailure("cannot make '\(path)'")
    }
    return try PhotoFolder(path: path)
  }
}

/// A photo format, recognized by the first bytes of a file; the raw value is its file extension.
package enum PhotoKind: String, CaseIterable {
  case jpeg = "jpg"
  case png, heic, webp, gif

  package init?(_ head: ArraySlice<UInt8>) {
    func holds(_ text: String, at offset: Int) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if holds("ftyp", at: 4), ["heic", "heix", "hevc", "mif1", "msf1"].contains(where: { holds($0, at: 8) }) {
      self = .heic
    } else if holds("RIFF", at: 0), holds("WEBP", at: 8) {
      self = .webp
    } else if holds("GIF8", at: 0) {
      self = .gif
    } else {
      return nil
    }
  }
}
