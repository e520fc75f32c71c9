import FoundationEssentials
import Glibc
package import PoolCalendar
package import PoolInterchange
package import PoolModel
package import PoolPlatform
package import PoolStore
package import StableInterchange
import StableModel

/// What an import found and did, or would do.
package struct ImportReport: Sendable {
  package enum Kind: Sendable { case archive, csv }
  package struct Issue: Sendable {
    package let row: Int?
    package let isError: Bool
    package let field: String?
    package let fault: Fault
    /// The beginning of the cell, where it is nothing private.
    package var value: String?
  }
  package enum Fault: Sendable {
    case customers(RowFault)
    case stable(StableRowFault)
  }

  package var kind: Kind
  /// What a stable's list is about; nil for all else.
  package var list: StableFileKind?
  package var effect: ImportEffect
  package var creates: Int
  package var updates: Int
  package var skips: Int
  package var issues: [Issue]
  package var warnings: [ArchiveRemark]
  package var photos: Int
  /// Of a CSV file alone.
  package var file: CSVFileReport?
}

/// What an import says of a CSV file beyond its rows.
package struct CSVFileReport: Sendable {
  package struct Column: Sendable {
    /// As the file has it.
    package let heading: String
    /// Nil for one that is not used.
    package let meaning: String?
  }

  package let columns: [Column]
  package let remarks: [CSVRemark]
  /// Rows of customers who are not served any more; nil for a stable's list.
  package var inactive: Int?
  /// The first rows of a customers file; nil for a stable's list.
  package var preview: [CSVPreviewRow]?
}

/// Why a file was refused. Nothing has changed.
package struct ImportRefusal: Error, CustomStringConvertible {
  package let description: String
  /// The same without what may be private in the file: its first row, which may be no header but a customer.
  package let logged: String

  init(description: String, logged: String? = nil) {
    self.description = description
    self.logged = logged ?? description
  }
}

/// Takes an archive or a customers file into the store: whole, or not at all.
package struct Importer: Sendable {
  let store: any Records & StableBooks
  let zones: any ZoneSource
  let photoFolder: String
  let clock: any WallClock
  let drafts: CustomersDrafts
  private let photosOfOnePass: Int
  /// Of the photos that are being extracted.
  package let progress = WorkProgress()

  /// - Parameters:
  ///   - photoFolder: holds a folder for each team, and in it `<visit>.bin` for each photo.
  ///   - drafts: where a preview leaves its plan for the import that follows.
  ///   - photosOfOnePass: an archive of more is looked at by the store before its photos are extracted.
  package init(
    store: any Records & StableBooks, photoFolder: String, clock: any WallClock, zones: any ZoneSource = SystemZones(),
    drafts: CustomersDrafts = CustomersDrafts(), photosOfOnePass: Int = Limits.photosOfOnePass
  ) {
    self.store = store
    self.photoFolder = photoFolder
    self.clock = clock
    self.zones = zones
    self.drafts = drafts
    self.photosOfOnePass = photosOfOnePass
  }

  /// - Parameters:
  ///   - path: a file of ours, as it was uploaded.
  ///   - name: what the person calls it, for messages.
  ///   - limitsPools: whether a plan limits how many pools there may be.
  ///   - replaces: what was logged, edited or added here since may go where an archive has it not, or otherwise.
  ///   - map: columns of a customers file that the caller names: `Their heading=ours`.
  ///   - isOfProfiles: the customers file is a list of profiles, which makes no pools.
  ///   - claim: a file of the inbox, and how its report is written down with it.
  /// - Throws: `ImportRefusal`, `StoreError`.
  @concurrent
  package func run(
    path: String, name: String, team: Team, technician: String?, rehearse: Bool, limitsPools: Bool = true,
    replaces: Bool = false, map: [String] = [], isOfProfiles: Bool = false,
    claim: (id: String, write: @Sendable (ImportReport) throws -> String)? = nil
  ) async throws -> ImportReport {
    let isArchive = try Self.isArchive(path, name: name)
    guard map.isEmpty || (!isArchive && team.trade == .poolService) else {
      throw ImportRefusal(for: team) { $0.refusal(of: name, $0.mapNotHere) }
    }
    guard !isOfProfiles || (!isArchive && team.trade == .poolService) else {
      throw ImportRefusal(for: team) { $0.refusal(of: name, $0.profilesNotHere) }
    }
    if team.trade == .stable {
      return try await isArchive
        ? runStableArchive(path, name: name, team: team, rehearse: rehearse, replaces: replaces, claim: claim)
        : runStableList(path, name: name, team: team, rehearse: rehearse, claim: claim)
    }
    if isArchive {
      return try await runArchive(
        path, name: name, team: team, technician: technician, rehearse: rehearse, limitsPools: limitsPools,
        replaces: replaces, claim: claim)
    }
    return try await runCustomers(
      path, name: name, team: team, technician: technician, rehearse: rehearse, limitsPools: limitsPools, map: map,
      isOfProfiles: isOfProfiles, claim: claim)
  }

  /// A ZIP begins with `PK`; a file that is called one is held to it.
  private static func isArchive(_ path: String, name: String) throws -> Bool {
    let head = try bytes(of: path, name: name, limit: 4)
    return head.starts(with: [0x50, 0x4B]) || name.lowercased().hasSuffix(".zip")
  }

  static func bytes(of path: String, name: String, limit: Int) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(status.st_size)))
    var filled = 0
    while filled < bytes.count {
      let wanted = bytes.count - filled
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: filled), wanted) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
      filled += count
    }
    return bytes
  }

  // MARK: Archives

  private func runArchive(
    _ path: String, name: String, team: Team, technician: String?, rehearse: Bool, limitsPools: Bool, replaces: Bool,
    claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let archive: OpenArchive
    do {
      archive = try ArchiveFile.open(path: path)
    } catch {
      if OpenStableArchive.isOne(path) {
        throw ImportRefusal(for: team) { $0.refusal(of: name, $0.archiveOfStable(team)) }
      }
      throw ImportRefusal(for: team) { $0.refusal(of: name, $0.text(ofArchive: error)) }
    }
    let contents = archive.contents
    let records = contents.records
    let now = clock.now()
    let report = { @Sendable (effect: ImportEffect, photos: Int) in
      ImportReport(
        kind: .archive, effect: effect, creates: effect.changes?.poolsCreated ?? contents.pools.count,
        updates: effect.changes?.poolsUpdated ?? 0, skips: contents.equipmentSkipped, issues: [],
        warnings: contents.warnings + records.visitsAhead(of: now), photos: photos)
    }
    let refusal = { @Sendable (changes: ArchiveChanges) throws in
      guard changes.losesWork, !replaces, !rehearse else { return }
      throw ImportRefusal(for: team) { $0.refusal(replacing: changes, by: name) }
    }
    // Photos may take minutes to be extracted: what the store refuses is refused before. A few small ones take less than to
    // write all records twice.
    let photos = contents.photoNames.count
    let isSmall = (FileFacts(of: path)?.bytes ?? .max) <= Limits.bytesOfOnePass
    let isQuick = photos == 0 || (isSmall && photos <= photosOfOnePass)
    let rehearsing = {
      try await store.replaceRecords(
        team: team.name, technician: technician, records: records, photos: [:], now: now, rehearse: true,
        change: nil, limitsPools: limitsPools, claim: nil, unless: refusal)
    }
    if rehearse || !isQuick {
      let rehearsal = try await rehearsing()
      // A rehearsal extracts none, so they are counted by name.
      if rehearse {
        let after = rehearsal.after.with(photosAdded: photos)
        return report(ImportEffect(before: rehearsal.before, after: after, changes: rehearsal.changes), photos)
      }
    }
    let staged: StagedPhotos
    do {
      staged = try staging(of: name) { try stagePhotos(of: [archive], team.id) }
    } catch {
      // Of two reasons the store's is the one to tell, however many passes there are.
      if isQuick { _ = try await rehearsing() }
      throw error
    }
    let effect = try await replacingPhotos(of: team.id, by: staged) { change in
      try await store.replaceRecords(
        team: team.name, technician: technician, records: records, photos: staged.sizes, now: now, rehearse: false,
        change: change, limitsPools: limitsPools,
        claim: claim.map { claim in
          ImportClaim(id: claim.id) { try claim.write(report($0, staged.files.count)) }
        }, unless: refusal)
    }
    return report(effect, staged.files.count)
  }

  private func staging(of name: String, _ stage: () throws -> StagedPhotos) throws(ImportRefusal) -> StagedPhotos {
    do {
      return try stage()
    } catch {
      throw ImportRefusal(description: "'\(name)' was not imported: \(error); nothing was changed")
    }
  }

  /// Writes the photos of archives into the team's folder, under names that nobody reads.
  func stagePhotos(of archives: [OpenArchive], _ team: TeamID) throws -> StagedPhotos {
    let path = "\(photoFolder)/\(team.number)"
    for path in [photoFolder, path] { try PrivateFiles.makeFolder(path) }
    return try OpenArchive.stagePhotos(of: archives, in: try PhotoFolder(path: path), progress: progress)
  }

  /// Runs a change of a team's visits, and lets their photos follow: the staged ones get their names, and those of visits
  /// that are gone go. What a crash cuts off is settled at the next start (`PhotoStore.recover`).
  ///
  /// - Parameters:
  ///   - staged: nil where no visit gets a photo.
  ///   - body: takes the change down in the store, with all that it consists of; nil where the team has no photos.
  func replacingPhotos<Effect>(
    of team: TeamID, by staged: StagedPhotos?, _ body: (PhotoChange?) async throws -> Effect
  ) async throws -> Effect {
    let path = "\(photoFolder)/\(team.number)"
    guard FileFacts.exists(path) else { return try await body(nil) }
    let folder = try PhotoFolder(path: path)
    let effect: Effect
    do {
      let change = try folder.setMark()
      effect = try await body(change)
    } catch {
      staged?.discard()
      folder.removeMark()
      // A refusal leaves no folder where there was none; one that holds anything stays.
      rmdir(path)
      throw error
    }
    // From here on a fault leaves the mark, and the next start does what is left.
    try staged?.keep()
    let horses = try await store.photoHorses(of: team).map { ServiceEventID($0.uuid) }
    try folder.removeAll(but: try await store.photoEvents(of: team, pool: nil).union(horses))
    folder.removeMark()
    return effect
  }
}

extension ArchiveContents {
  var records: RecordSet {
    RecordSet(
      pools: pools, serviceEvents: serviceEvents, chemicalDoses: chemicalDoses, inventory: inventory,
      profiles: profiles, equipment: equipment, madeAt: manifest.createdAt)
  }
}

extension RecordCounts {
  /// A rehearsal extracts nothing, so the photos it would add are counted by name.
  func with(photosAdded photos: Int) -> RecordCounts {
    var counts = self
    counts.photos += photos
    return counts
  }
}
