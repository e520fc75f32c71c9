import Glibc
package import PoolModel
package import PoolPlatform

/// A folder of folders, one for each team and in it one for each technician who has archives of his own, into which people
/// drop files to be imported.
///
/// A file is taken by a rename that says so, and ends under a name that says what came of it, with the answer beside it:
/// `customers.csv` → `.taken.1.CLAIM.customers.csv` → `customers.csv.CLAIM.done` and `customers.csv.CLAIM.result`.
/// Folders are opened without following links and names looked up in them alone: whoever drops files rules there.
package struct InboxFolder: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// Whose files lie in a folder.
  package struct Place: Hashable, Sendable {
    package let team: String
    package let technician: String?
  }

  /// What a file must not change in while it is looked at.
  package struct Stamp: Hashable, Sendable {
    let inode: UInt64
    let bytes: Int
    let seconds: Int64
    let nanoseconds: Int64

    init(_ status: stat) {
      inode = UInt64(status.st_ino)
      bytes = Int(status.st_size)
      (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
    }
  }

  /// A file that waits.
  package struct Entry: Hashable, Sendable {
    package let place: Place
    package let name: String
    package let owner: UInt32
    package let stamp: Stamp
  }

  /// A file that is taken and has no last name yet.
  package struct Claim: Hashable, Sendable {
    package let place: Place
    /// As it was dropped.
    package let name: String
    package let id: String
    package let attempt: Int
    package let owner: UInt32

    var takenName: String { ".taken.\(attempt).\(id).\(name)" }
  }

  package struct Listing: Sendable {
    package var waiting: [Entry] = []
    package var claims: [Claim] = []
    /// Names that are never taken, with the reason.
    package var unsupported: [(name: String, why: String)] = []
  }

  // MARK: Looking

  /// - Parameter now: by which imported files have their age; those that are too old are removed.
  /// - Throws: `SystemFailure` where the folder itself cannot be read.
  package func list(now: Timestamp) throws(SystemFailure) -> Listing {
    let root = try InboxHandle(path)
    var listing = Listing()
    for name in try root.names().prefix(Limits.inboxFolders) {
      guard let status = root.status(of: name) else { continue }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        listing.unsupported.append((name, "it lies in no team's folder; move it into \(path)/TEAM"))
        continue
      }
      list(Place(team: name, technician: nil), in: root, as: name, now: now, &listing)
    }
    return listing
  }

  private func list(_ place: Place, in parent: InboxHandle, as name: String, now: Timestamp, _ listing: inout Listing) {
    let shown = "\(place.team)/\(place.technician.map { "\($0)/" } ?? "")"
    do throws(SystemFailure) {
      let folder = try parent.folder(name)
      for name in try folder.names(hidden: true).prefix(Limits.inboxFiles) {
        guard let status = folder.status(of: name) else { continue }
        if let claim = Self.claim(name, at: place, owner: status.st_uid) {
          listing.claims.append(claim)
        } else if name.hasPrefix(".") {
          continue
        } else if status.st_mode & S_IFMT == S_IFDIR, place.technician == nil {
          list(Place(team: place.team, technician: name), in: folder, as: name, now: now, &listing)
        } else if let end = Self.end(of: name) {
          if end.isDone, now.since(end.at) > Limits.inboxKept { folder.remove(name) }
        } else if let why = Self.whyLeft(name, status) {
          listing.unsupported.append((shown + name, why))
        } else {
          listing.waiting.append(Entry(place: place, name: name, owner: status.st_uid, stamp: Stamp(status)))
        }
      }
    } catch {
      listing.unsupported.append((shown, "\(error)"))
    }
  }

  /// Why a file is left where it lies; nil for one that is taken.
  private static func whyLeft(_ name: String, _ status: stat) -> String? {
    guard status.st_mode & S_IFMT == S_IFREG else { return "it is no regular file" }
    guard [".zip", ".csv", ".tsv", ".txt", ".json"].contains(where: { name.lowercased().hasSuffix($0) }) else {
      return "only files called .zip, .csv, .tsv, .txt or .json are taken"
    }
    guard name.utf8.count <= Limits.inboxNameBytes else {
      return "its name has more than \(Limits.inboxNameBytes) bytes; give it a shorter one"
    }
    return nil
  }

  /// `.taken.ATTEMPT.CLAIM.NAME`.
  private static func claim(_ name: String, at place: Place, owner: UInt32) -> Claim? {
    let parts = name.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "taken", let attempt = Int(parts[2]), attempt > 0,
      isClaim(parts[3]), !parts[4].isEmpty
    else { return nil }
    return Claim(place: place, name: String(parts[4]), id: String(parts[3]), attempt: attempt, owner: owner)
  }

  /// `20260302T140000Z-1f2e3d4c`.
  private static func isClaim(_ text: Substring) -> Bool { instant(of: text) != nil }

  private static func instant(of claim: Substring) -> Timestamp? {
    let parts = claim.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 8, parts[1].allSatisfy(\.isHexDigit) else { return nil }
    return Timestamp(compact: String(parts[0]))
  }

  /// What a last name says; nil for any other name.
  private static func end(of name: String) -> (isDone: Bool, at: Timestamp)? {
    let parts = name.split(separator: ".")
    guard parts.count > 2, let word = parts.last, ["done", "refused", "result"].contains(word),
      let at = instant(of: parts[parts.count - 2])
    else { return nil }
    return (word != "refused", at)
  }

  // MARK: Taking

  /// - Returns: nil where the file is gone or has changed.
  package func take(_ entry: Entry, now: Timestamp) throws(SystemFailure) -> Claim? {
    let random = UInt32.random(in: 0...UInt32.max)
    let hex = String(random, radix: 16)
    let id = "\(Timestamp(seconds: now.seconds).compact)-\(String(repeating: "0", count: 8 - hex.count))\(hex)"
    let claim = Claim(place: entry.place, name: entry.name, id: id, attempt: 1, owner: entry.owner)
    let folder = try open(entry.place)
    guard try folder.rename(entry.name, to: claim.takenName) else { return nil }
    guard let status = folder.status(of: claim.takenName), Stamp(status) == entry.stamp else {
      _ = try folder.rename(claim.takenName, to: entry.name)
      return nil
    }
    try folder.flush()
    return claim
  }

  /// Takes up what an earlier try left, and counts it.
  package func retake(_ claim: Claim) throws(SystemFailure) -> Claim {
    let next = Claim(
      place: claim.place, name: claim.name, id: claim.id, attempt: claim.attempt + 1, owner: claim.owner)
    let folder = try open(claim.place)
    _ = try folder.rename(claim.takenName, to: next.takenName)
    try folder.flush()
    return next
  }

  /// Why a file is not taken, or not yet.
  package enum Trouble: Error {
    case refused(String)
    /// It changed while it was read; it has its name back and waits again.
    case changing
  }

  /// Copies a taken file to a place where nobody but us can change it.
  ///
  /// - Returns: when the file was last modified.
  /// - Throws: `Trouble`, `SystemFailure`.
  @discardableResult
  package func copy(_ claim: Claim, to target: String) throws -> Timestamp {
    let folder = try open(claim.place)
    guard let file = folder.file(claim.takenName) else {
      throw Trouble.refused("it cannot be read: \(SystemFailure.words(errno)); the daemon's user must be able to")
    }
    defer { close(file) }
    var before = stat()
    guard fstat(file, &before) == 0, before.st_mode & S_IFMT == S_IFREG else {
      throw Trouble.refused("it is no regular file")
    }
    guard before.st_size > 0 else { throw Trouble.refused("it is empty") }
    guard before.st_size <= Limits.archiveBytes else {
      throw Trouble.refused(
        "it has \(sizeText(Int(before.st_size))), more than the \(sizeText(Limits.archiveBytes)) of an import")
    }
    var count = 0
    try PrivateFiles.write(target) { put in
      var piece = [UInt8](repeating: 0, count: Limits.filePieceBytes)
      while count <= Limits.archiveBytes {
        let length = read(file, &piece, piece.count)
        if length < 0, errno == EINTR { continue }
        guard length >= 0 else { throw SystemFailure("cannot read '\(claim.name)'") }
        if length == 0 { return }
        count += length
        try piece.withUnsafeBytes { try put(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
      }
    }
    var after = stat()
    guard fstat(file, &after) == 0, Stamp(after) == Stamp(before), count == Stamp(before).bytes else {
      _ = try folder.rename(claim.takenName, to: claim.name)
      throw Trouble.changing
    }
    return Timestamp(ofFile: after.st_mtim.tv_sec)
  }

  /// Gives a file its last name, once the answer lies beside it. Doing it again after a crash comes to the same.
  package func settle(_ claim: Claim, imported: Bool, result: [UInt8]) throws {
    let folder = try open(claim.place)
    try folder.write("\(claim.name).\(claim.id).result", result)
    _ = try folder.rename(claim.takenName, to: "\(claim.name).\(claim.id).\(imported ? "done" : "refused")")
    try folder.flush()
  }

  private func open(_ place: Place) throws(SystemFailure) -> InboxHandle {
    let team = try InboxHandle(path).folder(place.team)
    guard let technician = place.technician else { return team }
    return try team.folder(technician)
  }
}

/// Which of the files that wait are complete: those that looked the same for a while.
package struct InboxWatch: Sendable {
  private var seen: [InboxFolder.Entry: Timestamp] = [:]

  package init() {}

  /// - Returns: those that have not changed for `Limits.inboxQuiet`, the one that waits longest first.
  package mutating func ready(_ waiting: [InboxFolder.Entry], at now: Timestamp) -> [InboxFolder.Entry] {
    // A clock that was set back says nothing about how long a file has been quiet.
    seen = Dictionary(
      waiting.map { entry in (entry, seen[entry].flatMap { $0 <= now ? $0 : nil } ?? now) },
      uniquingKeysWith: { first, _ in first })
    return seen.filter { now.since($0.value) >= Limits.inboxQuiet }.sorted {
      ($0.value, $0.key.place.team, $0.key.name) < ($1.value, $1.key.place.team, $1.key.name)
    }.map(\.key)
  }
}
