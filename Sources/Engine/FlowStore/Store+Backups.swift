package import FlowModel

/// The store's record of a backup.
package struct BackupRecord: Hashable, Sendable {
  package let id: String
  package let createdAt: Timestamp
  package let reason: String
  /// Total size of its files.
  package let bytes: Int
  /// SHA-256 of the manifest: 64 lower-case hexadecimal digits.
  package let manifestSHA256: String
  /// Time of the last verification and the damage found; `finding` is nil if the backup was undamaged.
  package let verifiedAt: Timestamp?
  package let finding: String?

  package init(
    id: String, createdAt: Timestamp, reason: String, bytes: Int, manifestSHA256: String, verifiedAt: Timestamp?,
    finding: String?
  ) {
    self.id = id
    self.createdAt = createdAt
    self.reason = reason
    self.bytes = bytes
    self.manifestSHA256 = manifestSHA256
    self.verifiedAt = verifiedAt
    self.finding = finding
  }
}

extension Store {
  package func record(_ backup: BackupRecord) throws {
    try connection.run(
      """
      INSERT INTO backups (backup_id, created_ms, reason, bytes, manifest_sha256, verified_ms, finding)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (backup_id) DO UPDATE SET verified_ms = excluded.verified_ms, finding = excluded.finding
      """, .text(backup.id), .at(backup.createdAt), .text(backup.reason), .integer(backup.bytes),
      .text(backup.manifestSHA256), .at(backup.verifiedAt), .optional(backup.finding))
  }

  package func recordVerification(of id: String, finding: String?, at now: Timestamp) throws {
    try connection.run(
      "UPDATE backups SET verified_ms = ?, finding = ? WHERE backup_id = ?", .at(now), .optional(finding), .text(id))
  }

  package func forgetBackup(_ id: String) throws {
    try connection.run("DELETE FROM backups WHERE backup_id = ?", .text(id))
  }

  package func newestBackup(reason: String) throws -> Timestamp? {
    try connection.first("SELECT max(created_ms) FROM backups WHERE reason = ?", .text(reason)) {
      row throws(StoreError) in row.optionalInstant(0)
    } ?? nil
  }

  package func firstStart() throws -> Timestamp? {
    try connection.first("SELECT min(started_ms) FROM epochs") {
      row throws(StoreError) in row.optionalInstant(0)
    } ?? nil
  }

  package func backups() throws -> [BackupRecord] {
    try connection.rows(
      """
      SELECT backup_id, created_ms, reason, bytes, manifest_sha256, verified_ms, finding FROM backups
      ORDER BY created_ms DESC, backup_id DESC
      """
    ) { row throws(StoreError) in
      BackupRecord(
        id: row.text("backup_id"), createdAt: row.instant("created_ms"), reason: row.text("reason"),
        bytes: row.number("bytes"),
        manifestSHA256: row.text("manifest_sha256"), verifiedAt: row.optionalInstant("verified_ms"),
        finding: row.optionalText("finding"))
    }
  }
}

extension Store {
  package func inboxReport(of claim: String) throws -> String? {
    try connection.first("SELECT report FROM inbox_claims WHERE claim = ?", .text(claim)) { row throws(StoreError) in
      row.text(0)
    }
  }

  package func forgetInboxClaim(_ claim: String) throws {
    try connection.run("DELETE FROM inbox_claims WHERE claim = ?", .text(claim))
  }
}
