// What org.poolflow.Backup tells.

/// What is known of a backup: whole and restored for proof, or damaged.
package enum BackupStateView: String, Codable, Sendable, CaseIterable {
  case tested, damaged
}

/// A backup as a whole.
package struct BackupView: Codable, Sendable {
  package let id: String
  package let state: BackupStateView
  /// What is wrong with it; nil where nothing is known to be.
  package let finding: String?
  package let createdAt: String
  package let createdLocal: String
  package let reason: String
  package let bytes: Int
  package let archives: Int
  /// Of the snapshot's store; nil where the manifest cannot be read.
  package let schema: Int?
  package let version: String?
  package let sha256: String?
  package let verifiedAt: String?
  package let verifiedLocal: String?
  package let path: String
  /// Teams without archives in it, and why.
  package let troubles: [BackupTroubleView]?

  package init(
    id: String, state: BackupStateView, finding: String? = nil, createdAt: String, createdLocal: String,
    reason: String, bytes: Int, archives: Int, schema: Int? = nil, version: String? = nil, sha256: String? = nil,
    verifiedAt: String? = nil, verifiedLocal: String? = nil, path: String, troubles: [BackupTroubleView]? = nil
  ) {
    self.troubles = troubles
    self.id = id
    self.state = state
    self.finding = finding
    self.createdAt = createdAt
    self.createdLocal = createdLocal
    self.reason = reason
    self.bytes = bytes
    self.archives = archives
    self.schema = schema
    self.version = version
    self.sha256 = sha256
    self.verifiedAt = verifiedAt
    self.verifiedLocal = verifiedLocal
    self.path = path
  }

  private enum CodingKeys: String, CodingKey {
    case id, state, finding, reason, bytes, archives, schema, version, sha256, path, troubles
    case createdAt = "created_at"
    case createdLocal = "created_local"
    case verifiedAt = "verified_at"
    case verifiedLocal = "verified_local"
  }
}

/// One archive of a backup, in the form of the PoolFlow app.
package struct BackupArchiveView: Codable, Sendable {
  package let name: String
  package let team: String
  package let technician: String
  package let pools: Int
  package let visits: Int
  package let photos: Int
  package let dosesWithoutStock: Int

  package init(
    name: String, team: String, technician: String, pools: Int, visits: Int, photos: Int, dosesWithoutStock: Int
  ) {
    self.name = name
    self.team = team
    self.technician = technician
    self.pools = pools
    self.visits = visits
    self.photos = photos
    self.dosesWithoutStock = dosesWithoutStock
  }

  private enum CodingKeys: String, CodingKey {
    case name, team, technician, pools, visits, photos
    case dosesWithoutStock = "doses_without_stock"
  }
}

/// A team whose archives could not be made; the snapshot holds it all the same.
package struct BackupTroubleView: Codable, Sendable, Hashable {
  package let team: String
  /// A sentence.
  package let why: String

  package init(team: String, why: String) {
    self.team = team
    self.why = why
  }
}

/// One file of a backup.
package struct BackupFileView: Codable, Sendable {
  package let name: String
  package let bytes: Int
  package let sha256: String

  package init(name: String, bytes: Int, sha256: String) {
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
  }
}

/// How many rows of a table there are, and would be.
package struct RestoredTableView: Codable, Equatable, Sendable {
  package let table: String
  package let before: Int
  package let after: Int

  package init(table: String, before: Int, after: Int) {
    self.table = table
    self.before = before
    self.after = after
  }
}

/// One archive that is put back.
package struct RestoredArchiveView: Codable, Sendable {
  package let name: String
  package let technician: String?
  /// Of the archive's form: 1 or 2.
  package let schema: Int
  /// The app, or the poolflowd, that wrote it, and when.
  package let madeBy: String
  package let madeLocal: String
  package let pools: Int
  package let visits: Int
  package let photos: Int

  package init(
    name: String, technician: String? = nil, schema: Int, madeBy: String, madeLocal: String, pools: Int, visits: Int,
    photos: Int
  ) {
    self.name = name
    self.technician = technician
    self.schema = schema
    self.madeBy = madeBy
    self.madeLocal = madeLocal
    self.pools = pools
    self.visits = visits
    self.photos = photos
  }

  private enum CodingKeys: String, CodingKey {
    case name, technician, schema, pools, visits, photos
    case madeBy = "made_by"
    case madeLocal = "made_local"
  }
}
