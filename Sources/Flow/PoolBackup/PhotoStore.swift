package import FoundationEssentials
import Glibc
import PoolInterchange
package import PoolModel
import PoolPlatform
package import PoolStore

/// Where the photos of visits, and a stable's of horses, lie: a folder for each team, and in it `<visit>.bin` for each photo.
///
/// A photo and its record come together or not at all: the bytes are durable before the record's transaction, under a name
/// that nobody reads; they get their own name after it. What a crash leaves between the two is settled at the next start.
/// Where a server keeps the records it keeps the photos, too, and the files are what is at hand of them.
package struct PhotoStore: Sendable {
  package let folder: String
  private let reader: StoreReader?

  /// Why a file is not taken as a photo. Nothing has changed.
  package struct Refusal: Error, CustomStringConvertible {
    package let description: String
  }

  /// - Parameter reader: of the store; nil where files are all there is.
  package init(folder: String, reader: StoreReader? = nil) {
    self.folder = folder
    self.reader = reader
  }

  /// The bytes of a photo and their number; none where there are more than `limit`.
  ///
  /// - Throws: whatever keeps it from being read, that there is none included.
  package func bytes<Entity>(
    of record: EntityID<Entity>, team: TeamID, upTo limit: Int
  ) async throws -> (bytes: [UInt8], size: Int) {
    guard let reader, reader.isOnServer else {
      let found = try PrivateFiles.piece(of: "\(folder)/\(team.number)/\(PhotoPath.name(record))", at: 0, upTo: limit)
      return found.size > limit ? ([], found.size) : found
    }
    return try await reader.look { snapshot in
      guard let photo = try snapshot.keptPhotos(of: team, records: [record.uuid]).first else {
        throw PhotoError(step: .open, name: PhotoPath.name(record), errno: ENOENT)
      }
      var bytes: [UInt8] = []
      if photo.bytes <= limit { try snapshot.read(photo) { bytes += $0 } }
      return (bytes, photo.bytes)
    }
  }

  /// Fetches what a server keeps of these records' photos, or of all of a team's, where it is not at hand as it is there;
  /// nothing of a file's store.
  package func bring(_ records: [UUID]? = nil, of team: TeamID, from snapshot: StoreSnapshot) throws {
    let kept = try snapshot.keptPhotos(of: team, records: records)
    guard !kept.isEmpty else { return }
    let photos = try makeFolder(of: team)
    for photo in kept {
      let name = "\(photo.record).bin"
      if (try? PrivateFiles.sum(of: "\(folder)/\(team.number)/\(name)"))?.sha256 == photo.sum { continue }
      // A name of its own: another copy of it may be on its way.
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

  /// Takes a copy of a file of ours, flushed to the disk; `keep` or `discard` settles it.
  ///
  /// - Parameter name: what the person calls it, for messages.
  /// - Returns: the name that the photo has in archives, and its size.
  /// - Throws: `Refusal` for what is no photo, `PhotoError`, `SystemFailure`.
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
        var piece = [UInt8](repeating: 0, count: Limits.filePieceBytes)
        while true {
          let length = read(file, &piece, piece.count)
          if length < 0, errno == EINTR { continue }
          guard length >= 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
          if length == 0 { return }
          if count == 0 {
            guard PhotoKind(piece.prefix(length)) != nil else {
              throw Refusal(
                description: "'\(name)' is no photo: a JPEG, PNG, HEIC, WebP or GIF file is wanted; nothing was changed"
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

  /// Gives a staged photo its name; its visit is committed.
  package func keep<Entity>(_ record: EntityID<Entity>, of team: TeamID) throws {
    let photos = try PhotoFolder(path: "\(folder)/\(team.number)")
    try photos.keep("\(record).bin")
    try photos.sync()
  }

  /// Forgets a staged photo, whose visit was refused.
  package func discard<Entity>(_ record: EntityID<Entity>, of team: TeamID) {
    // A folder that cannot be opened holds nothing that is in anybody's way; the next start looks again.
    (try? PhotoFolder(path: "\(folder)/\(team.number)"))?.discard("\(record).bin")
  }

  /// Removes the photos of visits that are gone. One that cannot be removed is nobody's any more.
  package func remove<Entity>(_ records: some Sequence<EntityID<Entity>>, of team: TeamID) {
    for record in records { unlink("\(folder)/\(team.number)/\(record).bin") }
  }

  /// What the store says of a team's photos.
  package typealias Known = (sizes: [ServiceEventID: Int], horses: Set<UUID>, change: PhotoChange?)

  /// Settles what a crash left: a staged photo gets its name where the store has its visit with a photo of that size, and
  /// there is none yet or the visits were being replaced and have been, else it goes; and where visits were being
  /// replaced, so do the photos of those that are gone.
  ///
  /// - Parameter known: the visits of a team that have a photo and its size; its horses that have one, whose staged photo is
  ///   the newer where nothing was being replaced; and the last change that replaced visits.
  /// - Returns: the teams whose photos could not be settled, and why: a folder that cannot be read stops no daemon.
  package func recover(
    known: (TeamID) async throws -> Known
  ) async throws -> [TeamID: String] {
    var strayed: [TeamID: String] = [:]
    for team in try PrivateFiles.names(in: folder).compactMap({ Int64($0) }).map({ TeamID($0) }) {
      do {
        try await recover(team, known)
      } catch let failure as SystemFailure where !failure.isEverybodys {
        strayed[team] = "\(failure)"
      } catch let error as PhotoError where !SystemFailure.isEverybodys(error.errno) {
        strayed[team] = "\(error)"
      } catch let error as StoreError where error.isAboutData {
        strayed[team] = "\(error)"
      }
    }
    return strayed
  }

  private func recover(
    _ team: TeamID, _ known: (TeamID) async throws -> Known
  ) async throws {
    let path = "\(folder)/\(team.number)"
    let names = try PrivateFiles.names(in: path)
    let staged = names.compactMap { name -> ServiceEventID? in
      guard name.hasPrefix("."), name.hasSuffix(".bin.partial") else { return nil }
      return ServiceEventID(String(name.dropFirst().dropLast(".bin.partial".count)))
    }
    // What was on its way from a server.
    for name in names where name.hasPrefix(".") && name.hasSuffix(".fetched.partial") { unlink("\(path)/\(name)") }
    let isUnsettled = names.contains(PhotoFolder.mark)
    guard isUnsettled || !staged.isEmpty else { return }
    let (wanted, pictured, made) = try await known(team)
    let photos = try PhotoFolder(path: path)
    let marked = isUnsettled ? photos.markedChange() : nil
    let isMade = marked != nil && marked == made
    for visit in staged {
      let name = "\(visit).bin"
      if pictured.contains(visit.uuid), !isUnsettled || isMade {
        try photos.keep(name)
      } else if let size = wanted[visit], photos.size(ofStaged: name) == size, isMade || photos.size(of: name) != size {
        try photos.keep(name)
      } else {
        photos.discard(name)
      }
    }
    if isUnsettled { try photos.removeAll(but: wanted.keys + pictured.map { ServiceEventID($0) }) }
    try photos.sync()
    photos.removeMark()
  }

  private func makeFolder(of team: TeamID) throws -> PhotoFolder {
    let path = "\(folder)/\(team.number)"
    for path in [folder, path] where mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw SystemFailure("cannot make '\(path)'")
    }
    return try PhotoFolder(path: path)
  }
}

/// What cameras write, known by its first bytes; the raw value is the ending of its name.
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
