package import FlowModel
import FlowPlatform
package import FoundationEssentials

// On a server, photos are stored in the database in pieces of limited size, so that every node has them. They are inserted and
// deleted with the row of their visit or horse. Files in the state directory are a cache.

/// File names of photos in the state directory, which has a directory for each team.
package enum PhotoPath {
  package static func name<Entity>(_ record: EntityID<Entity>) -> String { "\(record).bin" }

  /// The name of a file that is still being written; no reader opens it.
  package static func staged(_ name: String) -> String { ".\(name).partial" }
}

extension PostgresSchema {
  /// Additional SQL of a migration on a server, by the schema version it leads to.
  static let own: [Int: String] = [
    7: """
    CREATE TABLE \(photoPieces) (
      team_id bigint NOT NULL, event_id text COLLATE "C", horse_id text COLLATE "C", place bigint NOT NULL,
      sum text NOT NULL, piece bytea NOT NULL,
      CHECK ((event_id IS NULL) <> (horse_id IS NULL)),
      UNIQUE (team_id, event_id, place), UNIQUE (team_id, horse_id, place),
      FOREIGN KEY (team_id, event_id) REFERENCES service_events ON DELETE CASCADE,
      FOREIGN KEY (team_id, horse_id) REFERENCES horses ON DELETE CASCADE);
    """
  ]

  static let photoPieces = "photo_pieces"
}

extension Connection {
  /// The kind of record that a photo belongs to.
  package enum PhotoOwner: String {
    case visit = "event_id"
    case horse = "horse_id"

    /// Tables of the records, each with the column that is above 0 if a record has a photo.
    static let places: [(PhotoOwner, table: String, column: String)] = [
      (.visit, "service_events", "photo_bytes"), (.horse, "horses", "has_photo"),
    ]
  }

  /// Directory of staged photos; nil for a SQLite store, which keeps photos as files.
  private var stagedPhotos: String? {
    guard case .postgresql(let session) = driver else { return nil }
    return session.server.photos
  }

  /// Stores a record's staged photo in the database, in the transaction that writes its row. Does nothing for a SQLite store.
  ///
  /// - Parameter isWanted: true if a staged photo must exist; false to keep the stored photo if none was staged.
  package func storePhoto<Entity>(
    of record: EntityID<Entity>, _ owner: PhotoOwner, team: TeamID, isWanted: Bool = true
  ) throws(StoreError) {
    guard let folder = stagedPhotos else { return }
    let path = "\(folder)/\(team.number)/\(PhotoPath.staged(PhotoPath.name(record)))"
    guard isWanted || FileFacts.exists(path) else { return }
    try storePhoto(of: record, owner, team: team, from: path)
  }

  /// Replaces a record's photo by the file at `path`.
  func storePhoto<Entity>(
    of record: EntityID<Entity>, _ owner: PhotoOwner, team: TeamID, from path: String
  ) throws(StoreError) {
    try dropPhoto(of: record, owner, team: team)
    do {
      var sum = SHA256()
      try Self.pieces(of: path) { $0.withUnsafeBytes { sum.update($0) } }
      let hex = sum.hex()
      var place = 0
      try Self.pieces(of: path) { piece in
        try run(
          """
          INSERT INTO \(PostgresSchema.photoPieces) (team_id, \(owner.rawValue), place, sum, piece)
          VALUES (?, ?, ?, ?, decode(?, 'base64'))
          """, .integer(team.number), .id(record), .integer(place), .text(hex), .text(Data(piece).base64EncodedString())
        )
        place += 1
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw .server(operation: "take the photo in", state: "", reason: "\(error)")
    }
  }

  /// Deletes a record's photo; does nothing for a SQLite store.
  package func dropPhoto<Entity>(of record: EntityID<Entity>, _ owner: PhotoOwner, team: TeamID) throws(StoreError) {
    guard isServer else { return }
    try run(
      "DELETE FROM \(PostgresSchema.photoPieces) WHERE team_id = ? AND \(owner.rawValue) = ?", .integer(team.number),
      .id(record))
  }

  /// Reads a file in pieces of at most `Limits.fileChunkBytes`.
  private static func pieces(of path: String, _ take: ([UInt8]) throws -> Void) throws {
    var place = 0
    while true {
      let (bytes, size) = try PrivateFiles.piece(of: path, at: place, upTo: Limits.fileChunkBytes)
      // An empty file is one empty piece.
      if place == 0 || !bytes.isEmpty { try take(bytes) }
      place += bytes.count
      if bytes.isEmpty || place >= size { return }
    }
  }
}

/// A photo stored on a server.
package struct StoredPhoto: Sendable {
  package let record: UUID
  package let bytes: Int
  /// SHA-256 of the whole photo: 64 lower-case hexadecimal digits.
  package let sum: String
  let pieces: Int
  let team: TeamID
}

extension StoreSnapshot {
  /// Opens the live store for reading, while no daemon writes to it.
  package convenience init(reading place: StoreLocation, trades: StoreTrades) throws(StoreError) {
    self.init(reading: try Connection.reading(place, trades))
  }

  /// The photos of a team, or only those of the given records; empty for a SQLite store.
  package func storedPhotos(of team: TeamID, records: [UUID]? = nil) throws -> [StoredPhoto] {
    guard connection.isServer else { return [] }
    let wanted = records == nil ? "" : "AND (event_id = ANY (?2) OR horse_id = ANY (?2))"
    let values: [SQLValue] = [.integer(team.number)] + (records.map { [.texts($0.map(\.uuidString))] } ?? [])
    return try connection.rows(
      """
      SELECT coalesce(event_id, horse_id) AS record, min(sum) AS sum, count(*) AS pieces, sum(length(piece)) AS bytes
      FROM \(PostgresSchema.photoPieces) WHERE team_id = ?1 \(wanted) GROUP BY 1 ORDER BY 1
      """, values
    ) { row throws(StoreError) in
      let text = row.text("record")
      guard let record = UUID(uuidString: text) else {
        throw .damaged(table: PostgresSchema.photoPieces, column: "event_id", value: text)
      }
      return StoredPhoto(
        record: record, bytes: row.number("bytes"), sum: row.text("sum"), pieces: row.number("pieces"), team: team)
    }
  }

  /// Reads a photo piece by piece.
  package func read(_ photo: StoredPhoto, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    for place in 0..<photo.pieces {
      let text = try connection.first(
        """
        SELECT encode(piece, 'base64') FROM \(PostgresSchema.photoPieces)
        WHERE team_id = ?1 AND (event_id = ?2 OR horse_id = ?2) AND place = ?3
        """, .integer(photo.team.number), .text(photo.record.uuidString), .integer(place)
      ) { row throws(StoreError) in row.text(0) }
      // The server's base64 has line breaks.
      guard let bytes = text.flatMap({ Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }) else {
        throw StoreError.damaged(table: PostgresSchema.photoPieces, column: "piece", value: "\(place)")
      }
      try bytes.withUnsafeBytes { try take($0) }
    }
  }
}
