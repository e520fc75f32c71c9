extension Schema {
  /// What was backed up, and what proves it: a copy of a backup's checksum that does not lie beside the backup.
  static let backups = """
    -- The server's own, so without a team. manifest_sha256 covers the manifest, and that every file of the backup.
    CREATE TABLE backups (
      backup_id TEXT PRIMARY KEY, created_ms INTEGER NOT NULL, reason TEXT NOT NULL, bytes INTEGER NOT NULL,
      manifest_sha256 TEXT NOT NULL, verified_ms INTEGER, finding TEXT
    ) STRICT, WITHOUT ROWID;
    """
}
