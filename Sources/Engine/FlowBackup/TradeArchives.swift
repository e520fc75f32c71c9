package import FlowModel
package import FlowPlatform
package import FlowStore
package import FoundationEssentials

/// The archives of one trade: its teams' records as files of a backup.
package protocol TradeArchives: Sendable {
  var trade: Trade { get }

  /// True if this trade wrote an archive whose entry in the manifest names no trade.
  func wrote(_ archive: BackupManifest.Archive) -> Bool

  /// The numbers of a team's records and of its events, for a team whose archives could not be written.
  func counts(of team: TeamID, in snapshot: StoreSnapshot) throws -> (records: Int, events: Int)

  /// Writes all archives of a team, and verifies each by reading it again.
  ///
  /// - Throws: an error of the team's records or photos, or of the disk or store.
  func write(_ team: Team, in snapshot: StoreSnapshot, to folder: inout TeamArchiveFolder) throws

  /// Reads an archive completely and compares its counts with its entry in the manifest.
  ///
  /// - Throws: `BackupDamage.archive`.
  func verify(_ archive: BackupManifest.Archive, at path: String) throws(BackupDamage)

  /// The photos that a team's records refer to; none for a team of another trade.
  func photos(of team: TeamID, in store: Store) async throws -> RecordPhotos

  /// Extracts the photos of these records, each under its own name after it is complete.
  ///
  /// - Returns: the number of photos.
  func copyPhotos(of records: Set<UUID>, fromArchiveAt path: String, into folder: PhotoFolder) throws -> Int
}

extension TradeArchives {
  package func wrote(_ archive: BackupManifest.Archive) -> Bool { false }
}

/// The records of a team that have a photo.
package struct RecordPhotos: Sendable {
  /// The size of each photo in bytes.
  package var sizes: [UUID: Int]
  /// The records with a photo whose size the store does not have.
  package var unsized: Set<UUID>

  package init(sizes: [UUID: Int] = [:], unsized: Set<UUID> = []) {
    self.sizes = sizes
    self.unsized = unsized
  }
}

/// Everything that backups need from the trades. The list of trades makes the one value, which is passed in.
package struct BackupTrades: Sendable {
  /// What a store is opened with.
  package let stores: StoreTrades
  private let archives: [any TradeArchives]

  package init(stores: StoreTrades, archives: [any TradeArchives]) {
    self.stores = stores
    self.archives = archives
  }

  /// The trades whose archives are known.
  package var trades: [Trade] { archives.map(\.trade) }

  /// The archives of a trade.
  ///
  /// - Throws: `BackupDamage.archive` if the list of trades has none.
  func archives(of trade: Trade) throws(BackupDamage) -> any TradeArchives {
    guard let found = archives.first(where: { $0.trade == trade }) else {
      throw .archive(trade.rawValue, "this poolflowd has no archives of the trade")
    }
    return found
  }

  /// The photos that a team's records refer to, for a team whose trade may be unknown because it was removed.
  package func photos(of team: TeamID, in store: Store) async throws -> RecordPhotos {
    var all = RecordPhotos()
    for archives in archives {
      let found = try await archives.photos(of: team, in: store)
      all.sizes.merge(found.sizes) { first, _ in first }
      all.unsized.formUnion(found.unsized)
    }
    return all
  }

  /// The trade's archives that an entry of a manifest belongs to.
  ///
  /// - Throws: `BackupDamage.archive` if no trade wrote it.
  func archives(with entry: BackupManifest.Archive) throws(BackupDamage) -> any TradeArchives {
    for archives in archives
    where entry.trade.map({ $0 == archives.trade.rawValue }) ?? archives.wrote(entry) { return archives }
    throw .archive(entry.name, "no trade of this poolflowd has such archives")
  }
}

/// The folder of a backup while the archives of one team are written into it.
package struct TeamArchiveFolder {
  package let team: Team
  package let photos: PhotoStore
  /// The version of the poolflowd that makes the backup.
  package let version: String
  package let now: Timestamp
  private let path: String
  private(set) var archives: [BackupManifest.Archive] = []
  private(set) var files: [BackupManifest.File] = []
  private var begun: [String] = []

  init(of team: Team, in path: String, photos: PhotoStore, version: String, now: Timestamp) {
    self.team = team
    self.path = path
    self.photos = photos
    self.version = version
    self.now = now
  }

  /// The folder of the team's photos.
  package var photoFolder: String { "\(photos.folder)/\(team.id.number)" }

  /// The first part of the names of all archives of the team. A team's name contains no spaces or slashes, unless the store
  /// was edited.
  package var prefix: String { "archives/\(PathComponent(encoding: team.name, longest: 2 * Limits.teamNameLength))" }

  /// Writes one archive.
  ///
  /// - Parameters:
  ///   - name: the archive's path in the backup.
  ///   - write: writes the file at a path, and returns its checksum and its entry in the manifest.
  package mutating func add(
    _ name: String, _ write: (_ path: String) throws -> (sum: FileSum, archive: BackupManifest.Archive)
  ) throws {
    begun.append("\(path)/\(name)")
    let (sum, archive) = try write("\(path)/\(name)")
    files.append(BackupManifest.File(name: name, bytes: sum.bytes, sha256: sum.sha256))
    archives.append(archive)
  }

  /// Removes all archives of the team.
  func removeAll() throws(SystemFailure) {
    for path in begun { try PrivateFiles.removeTree(path) }
  }
}
