package import FlowModel
package import FoundationEssentials

// Photos are files in the state directory. On a server they are also in the database, and the files are a cache.

/// File names of photos in the state directory, which has a directory for each team.
package enum PhotoPath {
  package static func name<Entity>(_ record: EntityID<Entity>) -> String { name(of: record.uuid) }

  package static func name(of record: UUID) -> String { "\(UUIDText.text(record)).bin" }

  /// The name of a file that is still being written; no reader opens it.
  package static func staged(_ name: String) -> String { ".\(name).partial" }
}

extension Connection {
  /// A trade's kind of records that may have a photo.
  package struct PhotoOwner: Sendable {
    /// The column of a record's id, in its table and in the table of the photos.
    package let idColumn: String
    package let table: String
    /// The column that is above 0 if a record has a photo.
    package let column: String

    package init(idColumn: String, table: String, column: String) {
      self.idColumn = idColumn
      self.table = table
      self.column = column
    }
  }

  /// Stores a record's staged photo in the database, in the transaction that writes its row. Does nothing for a SQLite store.
  ///
  /// - Parameter isWanted: true if a staged photo must exist; false to keep the stored photo if none was staged.
  package func storePhoto<Entity>(
    of record: EntityID<Entity>, _ owner: PhotoOwner, team: TeamID, isWanted: Bool = true
  ) throws(StoreError) {
    try server?.storePhoto(of: record.uuid, owner, team: team, isWanted: isWanted, on: self)
  }

  /// Deletes a record's photo; does nothing for a SQLite store.
  package func dropPhoto<Entity>(of record: EntityID<Entity>, _ owner: PhotoOwner, team: TeamID) throws(StoreError) {
    try server?.dropPhoto(of: record.uuid, owner, team: team, on: self)
  }
}

/// A photo stored on a server.
package struct StoredPhoto: Sendable {
  package let record: UUID
  package let bytes: Int
  /// SHA-256 of the whole photo: 64 lower-case hexadecimal digits.
  package let sum: String
  /// Number of pieces that it is stored in.
  package let pieces: Int
  package let team: TeamID

  package init(record: UUID, bytes: Int, sum: String, pieces: Int, team: TeamID) {
    self.record = record
    self.bytes = bytes
    self.sum = sum
    self.pieces = pieces
    self.team = team
  }
}

extension StoreSnapshot {
  /// Opens the live store for reading, while no daemon writes to it.
  package convenience init(reading place: StoreLocation, trades: StoreTrades) throws(StoreError) {
    self.init(reading: try Connection.reading(place, trades))
  }

  /// The photos of a team, or only those of the given records; empty for a SQLite store.
  package func storedPhotos(of team: TeamID, records: [UUID]? = nil) throws -> [StoredPhoto] {
    try connection.server?.photos(of: team, records: records, on: connection) ?? []
  }

  /// Reads a photo piece by piece.
  package func read(_ photo: StoredPhoto, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    try connection.server?.read(photo, on: connection, take)
  }
}
