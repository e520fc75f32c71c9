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
        path: string,
        troubles: ?[]BackupTroubleView
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

      # A team whose archives could not be made; the snapshot holds it all the same.
      type BackupTroubleView (team: string, why: string)

      # One file of a backup.
      type BackupFileView (name: string, bytes: int, sha256: string)

      # How many rows of a table there are, and would be.
      type RestoredTableView (table: string, before: int, after: int)

      # How many records of each kind a team has.
      type RecordCountsView (
        pools: int,
        service_events: int,
        chemical_doses: int,
        inventory_items: int,
        customer_profiles: int,
        equipment: int,
        photos: int
      )

      # One archive that is put back.
      type RestoredArchiveView (
        name: string,
        technician: ?string,
        schema: int,
        made_by: string,
        made_local: string,
        pools: int,
        visits: int,
        photos: int
      )

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

      # Hands over the next piece of one of a backup's files, as base64; empty at the end.
      method Read(id: string, file: string, offset: int) -> (data: string, bytes: int)

      # Puts a backup's archives of one team, or an uploaded archive, in the place of the team's records, or says what that
      # would do. `confirm` is the team's name once more. Everything is one transaction; what was not delivered is held.
      method RestoreTeam(
        id: ?string,
        upload: ?string,
        team: string,
        technician: ?string,
        dry_run: bool,
        confirm: ?string
      ) -> (
        dry_run: bool,
        team: string,
        archives: []RestoredArchiveView,
        before: RecordCountsView,
        after: RecordCountsView,
        lost: RecordCountsView,
        lost_customers: []string,
        held: int,
        warnings: []string
      )

      # How far the backup, look, restore or import is that is under way now; a total of 0 is one that nobody knows.
      method Progress() -> (work: ?string, done: int, total: int)

      # No backup has this id.
      error NoSuchBackup (message: string, name: string, suggestion: ?string)

      # The backup is damaged or does not fit; nothing was changed.
      error BadBackup (message: string)

      # The backup could not be made or proved; nothing was changed.
      error BackupFailed (message: string)
      """)
}
