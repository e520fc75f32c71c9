package import FlowModel
import FlowPlatform
import FoundationEssentials

/// The description of a backup, `manifest.json`, which is written after all other files. The backup gets its name after a test
/// restore.
package struct BackupManifest: Codable, Hashable, Sendable {
  /// A file of the backup with its size and checksum.
  package struct File: Codable, Hashable, Sendable {
    /// The path relative to the backup's folder.
    package var name: String
    package var bytes: Int
    /// 64 lowercase hexadecimal digits.
    package var sha256: String

    package init(name: String, bytes: Int, sha256: String) {
      self.name = name
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// The number of records of one kind, with its singular and plural.
  package struct Count: Codable, Hashable, Sendable {
    package var one: String
    package var many: String
    package var count: Int

    package init(_ count: Int, _ one: String, _ many: String) { (self.count, self.one, self.many) = (count, one, many) }
  }

  /// An archive in the format of the PoolFlow app, of a stable, or of another trade.
  package struct Archive: Codable, Hashable, Sendable {
    /// The members of the JSON object that contain the numbers of records and events. They differ because released manifests
    /// have one pair for each of the first two trades.
    package enum Members: Hashable, Sendable {
      /// `pools` and `visits`, which every archive has; they are 0 if other members contain the numbers.
      case original
      /// `horses` and `care`.
      case second
      /// `others`, with the trade's name in `trade`.
      case named
    }

    package var name: String
    package var team: String
    package var technician: String
    /// True if its records were imported for this technician only.
    package var own: Bool
    /// The number of records, and below that of their events, as the trade counts them.
    package var records: Int
    package var events: Int
    package var photos: Int
    /// The number of doses whose chemical is not in the inventory any more; the archive has them without a chemical.
    package var dosesWithoutStock: Int
    package var members: Members
    /// The trade; nil unless the members are `named`.
    package var trade: String?
    /// The number of the trade's records, followed by those of their events; nil unless the members are `named`.
    package var others: [Count]?

    package init(
      name: String, team: String, technician: String, own: Bool, records: Int, events: Int, photos: Int,
      dosesWithoutStock: Int, members: Members = .original
    ) {
      self.name = name
      self.team = team
      self.technician = technician
      self.own = own
      self.records = records
      self.events = events
      self.photos = photos
      self.dosesWithoutStock = dosesWithoutStock
      self.members = members
    }

    /// An archive of a trade that names itself, for a whole team.
    ///
    /// - Parameter others: the number of the trade's records, followed by those of their events.
    package init(name: String, team: String, trade: Trade, photos: Int, others: [Count]) {
      self.init(
        name: name, team: team, technician: "", own: false, records: Self.records(in: others),
        events: Self.events(in: others), photos: photos, dosesWithoutStock: 0, members: .named)
      self.trade = trade.rawValue
      self.others = others
    }

    private static func records(in counts: [Count]) -> Int { counts.first?.count ?? 0 }
    private static func events(in counts: [Count]) -> Int { counts.dropFirst().reduce(0) { $0 + $1.count } }

    private enum CodingKeys: String, CodingKey {
      case name, team, technician, own, photos, dosesWithoutStock, trade, others
      case originalRecords = "pools"
      case originalEvents = "visits"
      case secondRecords = "horses"
      case secondEvents = "care"
    }

    package init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: CodingKeys.self)
      name = try object.decode(String.self, forKey: .name)
      team = try object.decode(String.self, forKey: .team)
      technician = try object.decode(String.self, forKey: .technician)
      own = try object.decode(Bool.self, forKey: .own)
      records = try object.decode(Int.self, forKey: .originalRecords)
      events = try object.decode(Int.self, forKey: .originalEvents)
      photos = try object.decode(Int.self, forKey: .photos)
      dosesWithoutStock = try object.decode(Int.self, forKey: .dosesWithoutStock)
      trade = try object.decodeIfPresent(String.self, forKey: .trade)
      others = try object.decodeIfPresent([Count].self, forKey: .others)
      let second = try object.decodeIfPresent(Int.self, forKey: .secondRecords)
      let secondEvents = try object.decodeIfPresent(Int.self, forKey: .secondEvents)
      members = trade != nil ? .named : second != nil ? .second : .original
      if let others { (records, events) = (Self.records(in: others), Self.events(in: others)) }
      if let second { (records, events) = (second, secondEvents ?? 0) }
    }

    package func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(name, forKey: .name)
      try object.encode(team, forKey: .team)
      try object.encode(technician, forKey: .technician)
      try object.encode(own, forKey: .own)
      try object.encode(members == .original ? records : 0, forKey: .originalRecords)
      try object.encode(members == .original ? events : 0, forKey: .originalEvents)
      try object.encode(photos, forKey: .photos)
      try object.encode(dosesWithoutStock, forKey: .dosesWithoutStock)
      try object.encodeIfPresent(members == .second ? records : nil, forKey: .secondRecords)
      try object.encodeIfPresent(members == .second ? events : nil, forKey: .secondEvents)
      try object.encodeIfPresent(trade, forKey: .trade)
      try object.encodeIfPresent(others, forKey: .others)
    }
  }

  /// A team whose archives could not be written; the snapshot still holds its records.
  package struct FailedTeam: Codable, Hashable, Sendable {
    package var team: String
    /// The reason, as a sentence.
    package var why: String
    /// The number of the team's main records in the snapshot; nil if they could not be counted.
    package var records: Int?
    /// The number of the events of its records in the snapshot; nil if they could not be counted.
    package var events: Int?

    private enum CodingKeys: String, CodingKey {
      case team, why
      case records = "pools"
      case events = "visits"
    }
  }

  package var format: Int
  package var id: String
  package var createdMs: Int64
  package var reason: String
  /// The version of the poolflowd that wrote it.
  package var version: String
  package var install: String
  package var schema: Int
  /// The number of rows of every table in the snapshot.
  package var rows: [String: Int]
  /// The SHA-256 of the notices of the next seven days, which store and snapshot must have in common; see `WeekFingerprint`.
  package var weekSHA256: String
  package var archives: [Archive]
  package var files: [File]
  /// Nil in manifests of older versions, which made all archives or none.
  package var troubles: [FailedTeam]?

  package static let currentFormat = 1
  package static let fileName = "manifest.json"
  /// The checksum file in the format of sha256sum(1): `sha256sum -c` verifies the manifest, which in turn has the checksums of
  /// all files.
  package static let sumName = "manifest.json.sha256"
  package static let snapshotName = "poolflow.db"

  package var createdAt: Timestamp { Timestamp(milliseconds: createdMs) }
  /// False if the store is on a database server; the backup then holds archives only.
  package var hasSnapshot: Bool { snapshot != nil }
  var snapshot: File? { files.first { $0.name == Self.snapshotName } }
  package var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [0x0A]
  }

  /// Decodes and checks a manifest.
  ///
  /// - Throws: `BackupDamage.badManifest`.
  package init(_ bytes: [UInt8]) throws(BackupDamage) {
    do {
      self = try UntrustedJSON.decode(BackupManifest.self, from: bytes)
    } catch let fault as UntrustedJSON.Fault {
      throw .badManifest("\(fault)")
    } catch {
      throw .badManifest("it cannot be read")
    }
    guard format == Self.currentFormat else {
      throw .badManifest("it has format \(format), but this poolflowd reads \(Self.currentFormat)")
    }
    // Limit the sizes, because an overflow of their sum would crash the daemon: 2^40 bytes exceed any store, and a manifest of
    // limited size cannot list 2^20 files.
    guard files.count < 1 << 20, files.allSatisfy({ (0...1 << 40).contains($0.bytes) }) else {
      throw .badManifest("it names a file of an impossible size")
    }
    guard files.allSatisfy({ Self.isPlain($0.name) }), Set(files.map(\.name)).count == files.count else {
      throw .badManifest("it names a file outside the backup, or one twice")
    }
    // Check the archives' names, because they are used to open files.
    let names = Set(files.map(\.name))
    guard archives.allSatisfy({ names.contains($0.name) && $0.name != Self.snapshotName }) else {
      throw .badManifest("it names an archive that is not one of its files")
    }
    guard BackupFolder.isID(id) else { throw .badManifest("'\(visible(id))' is no backup's name") }
  }

  /// Whether a name is a file in the backup's folder or in `archives/`, and cannot lead out of it.
  package static func isPlain(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { (try? PathComponent(String($0))) != nil }
      && (parts.count == 1 || parts[0] == "archives")
  }

  package init(
    id: String, createdAt: Timestamp, reason: String, version: String, install: String, schema: Int,
    rows: [String: Int], weekSHA256: String, archives: [Archive], files: [File], troubles: [FailedTeam] = []
  ) {
    format = Self.currentFormat
    self.id = id
    createdMs = createdAt.milliseconds
    self.reason = reason
    self.version = version
    self.install = install
    self.schema = schema
    self.rows = rows
    self.weekSHA256 = weekSHA256
    self.archives = archives
    self.files = files
    self.troubles = troubles.isEmpty ? nil : troubles
  }

  /// The contents of the checksum file.
  static func sumLine(_ sum: FileSum) -> String { "\(sum.sha256)  \(fileName)\n" }
}

/// A kind of damage of a backup, described by a sentence.
package enum BackupDamage: Error, Hashable, CustomStringConvertible {
  case missing(String)
  case extra(String)
  case wrongSize(String, found: Int, wanted: Int)
  case wrongSum(String)
  case badManifest(String)
  case otherThanRecorded
  case unreadable(String)
  case snapshot(String)
  case archive(String, String)
  case otherRows(String)
  case otherWeek

  package var description: String {
    switch self {
    case .missing(let name): "'\(name)' is missing"
    case .extra(let name): "'\(name)' does not belong to it"
    case .wrongSize(let name, let found, let wanted): "'\(name)' has \(found) bytes instead of \(wanted)"
    case .wrongSum(let name): "'\(name)' has a different SHA-256 than when it was written"
    case .badManifest(let why): "its manifest is damaged: \(why)"
    case .otherThanRecorded: "its manifest differs from the one recorded in the store"
    case .unreadable(let why): "\(why)"
    case .snapshot(let why): "its snapshot is damaged: \(why)"
    case .archive(let name, let why): "its archive '\(name)' cannot be restored: \(why)"
    case .otherRows(let table): "the table '\(table)' of its snapshot has a different number of rows than the store had"
    case .otherWeek: "the notices of the coming week, computed from the snapshot, differ from those of the store"
    }
  }
}
