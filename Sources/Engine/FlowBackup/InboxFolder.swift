package import FlowModel
package import FlowPlatform
import Glibc

/// The inbox: a folder per team, and in it a folder per technician with own archives, into which people drop files to be
/// imported.
///
/// The scanner takes a file by renaming it, and renames it again by its outcome, with a result file beside it: `customers.csv`
/// → `.taken.1.CLAIM.customers.csv` → `customers.csv.CLAIM.done` and `customers.csv.CLAIM.result`. Folders are opened without
/// following links, and names are resolved only inside the open folder, because users control its contents.
package struct InboxFolder: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// The team and technician of a folder; `technician` is nil for the team's own folder.
  package struct Subfolder: Hashable, Sendable {
    package let team: String
    package let technician: String?
  }

  /// The properties that must not change while a file is being read.
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

  /// A file that waits to be taken.
  package struct Entry: Hashable, Sendable {
    package let subfolder: Subfolder
    package let name: String
    package let owner: UInt32
    package let stamp: Stamp
  }

  /// A file that has been taken and not renamed to its outcome yet.
  package struct Claim: Hashable, Sendable {
    package let subfolder: Subfolder
    /// The original name.
    package let name: String
    /// Identifies this import: time and random digits.
    package let id: String
    /// The number of the present try, from 1.
    package let attempt: Int
    package let owner: UInt32

    var takenName: String { ".taken.\(attempt).\(id).\(name)" }
  }

  /// The files found by one scan.
  package struct Listing: Sendable {
    package var waiting: [Entry] = []
    package var claims: [Claim] = []
    /// The names of files that will not be taken, with the reason.
    package var unsupported: [(name: String, why: String)] = []
  }

  // MARK: Scanning

  /// Scans the inbox, and removes imported files older than `Limits.inboxRetention`.
  ///
  /// - Parameter now: the time for the age of imported files.
  /// - Throws: `SystemFailure` if the inbox folder itself cannot be read.
  package func list(now: Timestamp) throws(SystemFailure) -> Listing {
    let root = try InboxHandle(path)
    var listing = Listing()
    for name in try root.names().prefix(Limits.inboxFolders) {
      guard let status = root.status(of: name) else { continue }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        listing.unsupported.append((name, "it is not in a team's folder; move it into \(path)/TEAM"))
        continue
      }
      list(Subfolder(team: name, technician: nil), in: root, as: name, now: now, &listing)
    }
    return listing
  }

  /// Scans the folder of a team or technician.
  private func list(
    _ subfolder: Subfolder, in parent: InboxHandle, as name: String, now: Timestamp, _ listing: inout Listing
  ) {
    let displayPath = "\(subfolder.team)/\(subfolder.technician.map { "\($0)/" } ?? "")"
    do throws(SystemFailure) {
      let folder = try parent.folder(name)
      for name in try folder.names(hidden: true).prefix(Limits.inboxFiles) {
        guard let status = folder.status(of: name) else { continue }
        if let claim = Self.claim(name, at: subfolder, owner: status.st_uid) {
          listing.claims.append(claim)
        } else if name.hasPrefix(".") {
          continue
        } else if status.st_mode & S_IFMT == S_IFDIR, subfolder.technician == nil {
          list(Subfolder(team: subfolder.team, technician: name), in: folder, as: name, now: now, &listing)
        } else if let end = Self.end(of: name) {
          if end.isDone, now.since(end.at) > Limits.inboxRetention { folder.remove(name) }
        } else if let why = Self.whyLeft(name, status) {
          listing.unsupported.append((displayPath + name, why))
        } else {
          listing.waiting.append(Entry(subfolder: subfolder, name: name, owner: status.st_uid, stamp: Stamp(status)))
        }
      }
    } catch {
      listing.unsupported.append((displayPath, "\(error)"))
    }
  }

  /// Returns the reason why a file is not taken; nil if it is.
  private static func whyLeft(_ name: String, _ status: stat) -> String? {
    guard status.st_mode & S_IFMT == S_IFREG else { return "it is no regular file" }
    guard [".zip", ".csv", ".tsv", ".txt", ".json"].contains(where: { name.lowercased().hasSuffix($0) }) else {
      return "only files named .zip, .csv, .tsv, .txt or .json are imported"
    }
    guard name.utf8.count <= Limits.inboxNameBytes else {
      return "its name has more than \(Limits.inboxNameBytes) bytes; give it a shorter name"
    }
    return nil
  }

  /// Parses the name of a taken file, `.taken.ATTEMPT.CLAIM.NAME`; nil for any other name.
  private static func claim(_ name: String, at subfolder: Subfolder, owner: UInt32) -> Claim? {
    let parts = name.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "taken", let attempt = Int(parts[2]), attempt > 0,
      isClaim(parts[3]), !parts[4].isEmpty
    else { return nil }
    return Claim(subfolder: subfolder, name: String(parts[4]), id: String(parts[3]), attempt: attempt, owner: owner)
  }

  /// Whether a text is a claim's id, such as `20260302T140000Z-1f2e3d4c`.
  private static func isClaim(_ text: Substring) -> Bool { instant(of: text) != nil }

  /// The time in a claim's id; nil if the text is not such an id.
  private static func instant(of claim: Substring) -> Timestamp? {
    let parts = claim.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 8, parts[1].allSatisfy(\.isHexDigit) else { return nil }
    return Timestamp(compact: String(parts[0]))
  }

  /// Returns the outcome and the time in the name of a settled file; nil for any other name.
  private static func end(of name: String) -> (isDone: Bool, at: Timestamp)? {
    let parts = name.split(separator: ".")
    guard parts.count > 2, let word = parts.last, ["done", "refused", "result"].contains(word),
      let at = instant(of: parts[parts.count - 2])
    else { return nil }
    return (word != "refused", at)
  }

  // MARK: Claiming files

  /// Takes a file by renaming it.
  ///
  /// - Returns: nil if the file is gone or has changed.
  package func take(_ entry: Entry, now: Timestamp) throws(SystemFailure) -> Claim? {
    let random = UInt32.random(in: 0...UInt32.max)
    let hex = String(random, radix: 16)
    let id = "\(Timestamp(seconds: now.seconds).compact)-\(String(repeating: "0", count: 8 - hex.count))\(hex)"
    let claim = Claim(subfolder: entry.subfolder, name: entry.name, id: id, attempt: 1, owner: entry.owner)
    let folder = try open(entry.subfolder)
    guard try folder.rename(entry.name, to: claim.takenName) else { return nil }
    guard let status = folder.status(of: claim.takenName), Stamp(status) == entry.stamp else {
      _ = try folder.rename(claim.takenName, to: entry.name)
      return nil
    }
    try folder.flush()
    return claim
  }

  /// Takes a file again that an earlier process had taken, and counts the try.
  package func retake(_ claim: Claim) throws(SystemFailure) -> Claim {
    let next = Claim(
      subfolder: claim.subfolder, name: claim.name, id: claim.id, attempt: claim.attempt + 1, owner: claim.owner)
    let folder = try open(claim.subfolder)
    _ = try folder.rename(claim.takenName, to: next.takenName)
    try folder.flush()
    return next
  }

  /// The reason why a file is not imported, or not yet.
  package enum CopyFailure: Error {
    /// The file cannot be imported, with the reason.
    case refused(String)
    /// The file changed while it was read; it has its original name again and waits.
    case changing
  }

  /// Copies a taken file to `target`, where no user can change it.
  ///
  /// - Returns: the file's time of last modification.
  /// - Throws: `CopyFailure`, `SystemFailure`.
  @discardableResult
  package func copy(_ claim: Claim, to target: String) throws -> Timestamp {
    let folder = try open(claim.subfolder)
    guard let file = folder.file(claim.takenName) else {
      throw CopyFailure.refused("it cannot be read: \(SystemFailure.words(errno)); the daemon's user must be able to")
    }
    defer { close(file) }
    var before = stat()
    guard fstat(file, &before) == 0, before.st_mode & S_IFMT == S_IFREG else {
      throw CopyFailure.refused("it is no regular file")
    }
    guard before.st_size > 0 else { throw CopyFailure.refused("it is empty") }
    guard before.st_size <= Limits.archiveBytes else {
      throw CopyFailure.refused(
        "it has \(sizeText(Int(before.st_size))), more than the \(sizeText(Limits.archiveBytes)) of an import")
    }
    var count = 0
    try PrivateFiles.write(target) { put in
      var piece = [UInt8](repeating: 0, count: Limits.fileChunkBytes)
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
      throw CopyFailure.changing
    }
    return Timestamp(ofFile: after.st_mtim.tv_sec)
  }

  /// Writes the result file, then renames the file by its outcome. It may be repeated after a crash.
  package func settle(_ claim: Claim, imported: Bool, result: [UInt8]) throws {
    let folder = try open(claim.subfolder)
    try folder.write("\(claim.name).\(claim.id).result", result)
    _ = try folder.rename(claim.takenName, to: "\(claim.name).\(claim.id).\(imported ? "done" : "refused")")
    try folder.flush()
  }

  /// Opens the folder of a team or technician.
  private func open(_ subfolder: Subfolder) throws(SystemFailure) -> InboxHandle {
    let team = try InboxHandle(path).folder(subfolder.team)
    guard let technician = subfolder.technician else { return team }
    return try team.folder(technician)
  }
}

/// Decides which waiting files are complete: those that have not changed for some time.
package struct InboxWatch: Sendable {
  private var seen: [InboxFolder.Entry: Timestamp] = [:]

  package init() {}

  /// - Returns: the files unchanged for `Limits.inboxUnchangedTime`, longest wait first.
  package mutating func ready(_ waiting: [InboxFolder.Entry], at now: Timestamp) -> [InboxFolder.Entry] {
    // If the clock was set back, start to count again.
    seen = Dictionary(
      waiting.map { entry in (entry, seen[entry].flatMap { $0 <= now ? $0 : nil } ?? now) },
      uniquingKeysWith: { first, _ in first })
    return seen.filter { now.since($0.value) >= Limits.inboxUnchangedTime }.sorted {
      ($0.value, $0.key.subfolder.team, $0.key.name) < ($1.value, $1.key.subfolder.team, $1.key.name)
    }.map(\.key)
  }
}
