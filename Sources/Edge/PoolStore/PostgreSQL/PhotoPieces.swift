package import FoundationEssentials
package import PoolModel
import PoolPlatform

// On a server photos live in the database, in bounded pieces that come with the row of their visit or horse and go with it,
// so that every machine that serves a team has them. The files in the state directory are what was fetched of them.

/// Where a photo lies in the state directory: a folder for each team, in it a file for each visit or horse.
package enum PhotoPath {
  package static func name<Entity>(_ record: EntityID<Entity>) -> String { "\(record).bin" }

  /// Under which nobody reads it.
  package static func staged(_ name: String) -> String { ".\(name).partial" }
}

extension PostgresSchema {
  /// What a step brings on a server alone, by the schema that it leads to.
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
  /// What a photo is of.
  enum PhotoOwner: String {
    case visit = "event_id"
    case horse = "horse_id"

    /// The table that knows of them, and its column that is above 0 where there is one.
    static let places: [(PhotoOwner, table: String, column: String)] = [
      (.visit, "service_events", "photo_bytes"), (.horse, "horses", "has_photo"),
    ]
  }

  /// Where staged photos wait; nil where files are all there is.
  private var stagedPhotos: String? {
    guard case .postgresql(let session) = driver else { return nil }
    return session.server.photos
  }

  /// Takes a record's staged photo into the database, in the transaction that has its row; nothing of a file's store.
  ///
  /// - Parameter isWanted: whether it has to be there; else what is kept stays where nothing was staged.
  func takePhoto<Entity>(
    of record: EntityID<Entity>, _ owner: PhotoOwner, team: TeamID, isWanted: Bool = true
  ) throws(StoreError) {
    guard let folder = stagedPhotos else { return }
    let path = "\(folder)/\(team.number)/\(PhotoPath.staged(PhotoPath.name(record)))"
    guard isWanted || FileFacts.exists(path) else { return }
    try takePhoto(of: record, owner, team: team, from: path)
  }

  func takePhoto<Entity>(
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

  func dropPhoto<Entity>(of record: EntityID<Entity>, _ owner: PhotoOwner, team: TeamID) throws(StoreError) {
    guard isServer else { return }
    try run(
      "DELETE FROM \(PostgresSchema.photoPieces) WHERE team_id = ? AND \(owner.rawValue) = ?", .integer(team.number),
      .id(record))
  }

  private static func pieces(of path: String, _ take: ([UInt8]) throws -> Void) throws {
    var place = 0
    while true {
      let (bytes, size) = try PrivateFiles.piece(of: path, at: place, upTo: Limits.filePieceBytes)
      // One piece at least: a photo of nothing is one, too.
      if place == 0 || !bytes.isEmpty { try take(bytes) }
      place += bytes.count
      if bytes.isEmpty || place >= size { return }
    }
  }
}

/// A photo as a server keeps it.
package struct KeptPhoto: Sendable {
  package let record: UUID
  package let bytes: Int
  /// SHA-256 of the whole: 64 lower-case hexadecimal digits.
  package let sum: String
  let pieces: Int
  let team: TeamID
}

extension StoreSnapshot {
  /// The store itself, to which nobody writes meanwhile.
  package convenience init(reading place: StorePlace) throws(StoreError) {
    self.init(lookingThrough: try Connection.reading(place))
  }

  /// What the server keeps of a team's photos, or of these records' alone; nothing of a file's store.
  package func keptPhotos(of team: TeamID, records: [UUID]? = nil) throws -> [KeptPhoto] {
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
      return KeptPhoto(
        record: record, bytes: row.number("bytes"), sum: row.text("sum"), pieces: row.number("pieces"), team: team)
    }
  }

  /// The bytes of a photo, piece by piece.
  package func read(_ photo: KeptPhoto, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    for place in 0..<photo.pieces {
      let text = try connection.first(
        """
        SELECT encode(piece, 'base64') FROM \(PostgresSchema.photoPieces)
        WHERE team_id = ?1 AND (event_id = ?2 OR horse_id = ?2) AND place = ?3
        """, .integer(photo.team.number), .text(photo.record.uuidString), .integer(place)
      ) { row throws(StoreError) in row.text(0) }
      // The server folds its lines.
      guard let bytes = text.flatMap({ Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }) else {
        throw StoreError.damaged(table: PostgresSchema.photoPieces, column: "piece", value: "\(place)")
      }
      try bytes.withUnsafeBytes { try take($0) }
    }
  }
}
