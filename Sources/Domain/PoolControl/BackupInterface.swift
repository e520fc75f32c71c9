extension InterfaceDescription {
  /// `org.poolflow.Backup`, as the daemon serves it.
  package static let backup = InterfaceDescription(
    name: "org.poolflow.Backup",
    text: """
      # Backups of the whole store. An id may be `latest`.
      interface org.poolflow.Backup

      # Whole and restored for proof, or damaged.
      type BackupStateView (tested, damaged)

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

      # How many rows of a table there are, and would be.
      type RestoredTableView (table: string, before: int, after: int)

      # Makes a backup and restores it for proof.
      method Create(reason: ?string) -> (backup: BackupView, withheld: []string)

      # Every backup, the newest first.
      method List() -> (backups: []BackupView)

      # One backup with what is in it.
      method Show(id: string) -> (backup: BackupView, archives: []BackupArchiveView, files: []BackupFileView)

      # Reads every byte of a backup; `full` opens the snapshot and every archive, too.
      method Verify(id: string, full: bool) -> (backup: BackupView, damage: []string)

      # Removes what the settings no longer keep, or says what it would remove.
      method Prune(dry_run: bool) -> (rule: string, removed: []BackupView, kept: []BackupView)

      # Puts a backup in the place of the whole store, or says what that would do. `confirm` is its id once more. The
      # daemon proves everything first, answers, and begins anew with the other store once the caller hangs up.
      method Restore(id: string, dry_run: bool, confirm: ?string) -> (
        backup: BackupView,
        tables: []RestoredTableView,
        warnings: []string,
        kept_as: ?string
      )

      # No backup has this id.
      error NoSuchBackup (message: string, name: string, suggestion: ?string)

      # The backup is damaged or does not fit; nothing was changed.
      error BadBackup (message: string)

      # The backup could not be made or proved; nothing was changed.
      error BackupFailed (message: string)
      """)
}
