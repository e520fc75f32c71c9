extension InterfaceDescription {
  /// `org.poolflow.Backup`, as the daemon serves it.
  package static let backup = InterfaceDescription(
    name: "org.poolflow.Backup",
    text: """
      # Backups of the whole store. An id may be `latest`.
      interface org.poolflow.Backup

      # Whole and restored for proof, or damaged.
      type BackupStateView (restore_tested, damaged)

      # A backup as a whole.
      type BackupView (
        id: string,
        state: BackupStateView,
        finding: ?string,
        created_at: string,
        created_local: string,
        reason: string,
        bytes: int,
        archives: int,
        schema: ?int,
        version: ?string,
        sha256: ?string,
        verified_at: ?string,
        verified_local: ?string,
        path: string
      )

      # One archive of a backup, in the form of the PoolFlow app.
      type BackupArchiveView (
        name: string,
        team: string,
        technician: string,
        pools: int,
        visits: int,
        photos: int,
        doses_without_stock: int
      )

      # One file of a backup.
      type BackupFileView (name: string, bytes: int, sha256: string)

      # Makes a backup and restores it for proof.
      method Create(reason: ?string) -> (backup: BackupView)

      # Every backup, the newest first.
      method List() -> (backups: []BackupView)

      # One backup with what is in it.
      method Show(id: string) -> (backup: BackupView, archives: []BackupArchiveView, files: []BackupFileView)

      # Reads every byte of a backup; `full` opens the snapshot and every archive, too.
      method Verify(id: string, full: bool) -> (backup: BackupView, damage: []string)

      # Removes what the settings no longer keep, or says what it would remove.
      method Prune(dry_run: bool) -> (rule: string, removed: []BackupView, kept: []BackupView)

      # No backup has this id.
      error NoSuchBackup (message: string, name: string, suggestion: ?string)

      # The backup could not be made or proved; nothing was changed.
      error BackupFailed (message: string)
      """)
}
