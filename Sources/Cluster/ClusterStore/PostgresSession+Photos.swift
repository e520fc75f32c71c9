import FlowModel
import FlowPlatform
import FlowStore
import FoundationEssentials

// On a server, photos are stored in the database in pieces of limited size.

extension PostgresSchema {
  /// Additional SQL of a migration on a server, by the schema version it leads to.
  static func own(_ trades: StoreTrades) -> [Int: String] {
    let records = trades.photoOwners.map { owner in
      ", FOREIGN KEY (team_id, \(owner.idColumn)) REFERENCES \(owner.table) ON DELETE CASCADE"
    }
    return [
      7: """
      CREATE TABLE \(photoPieces) (
        team_id bigint NOT NULL, event_id text COLLATE "C", horse_id text COLLATE "C", place bigint NOT NULL,
        sum text NOT NULL, piece bytea NOT NULL,
        CHECK ((event_id IS NULL) <> (horse_id IS NULL)),
        UNIQUE (team_id, event_id, place), UNIQUE (team_id, horse_id, place)
        \(records.joined()));
      """
    ]
  }

  static let photoPieces = "photo_pieces"
}

extension PostgresSession: ServerPhotos {
  func storePhoto(
    of record: UUID, _ owner: Connection.PhotoOwner, team: TeamID, isWanted: Bool, on connection: Connection
  ) throws(StoreError) {
    guard let folder = server.photos else { return }
    let path = "\(folder)/\(team.number)/\(PhotoPath.staged(PhotoPath.name(of: record)))"
    guard isWanted || FileFacts.exists(path) else { return }
    try storePhoto(of: record, owner, team: team, from: path, on: connection)
  }

  /// Replaces a record's photo by the file at `path`.
  func storePhoto(
    of record: UUID, _ owner: Connection.PhotoOwner, team: TeamID, from path: String, on connection: Connection
  ) throws(StoreError) {
    try dropPhoto(of: record, owner, team: team, on: connection)
    do {
      var sum = SHA256()
      try Self.pieces(of: path) { $0.withUnsafeBytes { sum.update($0) } }
      let hex = sum.hex()
      var place = 0
      try Self.pieces(of: path) { piece in
        try connection.run(
          """
          INSERT INTO \(PostgresSchema.photoPieces) (team_id, \(owner.idColumn), place, sum, piece)
          VALUES (?, ?, ?, ?, decode(?, 'base64'))
          """, .integer(team.number), .uuid(record), .integer(place), .text(hex),
          .text(Data(piece).base64EncodedString())
        )
        place += 1
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw .server(operation: "take the photo in", state: "", reason: "\(error)")
    }
  }

  func dropPhoto(
    of record: UUID, _ owner: Connection.PhotoOwner, team: TeamID, on connection: Connection
  ) throws(StoreError) {
    try connection.run(
      "DELETE FROM \(PostgresSchema.photoPieces) WHERE team_id = ? AND \(owner.idColumn) = ?", .integer(team.number),
      .uuid(record))
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

  func photos(of team: TeamID, records: [UUID]?, on connection: Connection) throws(StoreError) -> [StoredPhoto] {
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

  func read(
    _ photo: StoredPhoto, on connection: Connection, _ take: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
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
