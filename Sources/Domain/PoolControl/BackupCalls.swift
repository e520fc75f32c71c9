// The calls of org.poolflow.Backup. A backup's id may be `latest` wherever one is asked for.

package enum BackupCall {
  /// Makes a backup and restores it for proof.
  package struct Create: ControlMethod {
    package static let method = "org.poolflow.Backup.Create"
    package static let work = CallWork.long
    package static let changes = true

    package let reason: String?

    package init(reason: String? = nil) {
      self.reason = reason
    }

    package struct Reply: Codable, Sendable {
      package let backup: BackupView
      /// Of which teams the backup has no archives because their plan holds none, each with the command that changes it.
      package let withheld: [String]

      package init(backup: BackupView, withheld: [String]) {
        self.backup = backup
        self.withheld = withheld
      }
    }
  }

  /// Every backup, the newest first.
  package struct List: ControlMethod {
    package static let method = "org.poolflow.Backup.List"

    package init() {}

    package struct Reply: Codable, Sendable {
      package internal(set) var backups: [BackupView]

      package init(backups: [BackupView]) {
        self.backups = backups
      }
    }
  }

  /// One backup with what is in it.
  package struct Show: ControlMethod {
    package static let method = "org.poolflow.Backup.Show"

    package let id: String

    package init(id: String) {
      self.id = id
    }

    package struct Reply: Codable, Sendable {
      package let backup: BackupView
      package let archives: [BackupArchiveView]
      package internal(set) var files: [BackupFileView]

      package init(backup: BackupView, archives: [BackupArchiveView], files: [BackupFileView]) {
        self.backup = backup
        self.archives = archives
        self.files = files
      }
    }
  }

  /// Reads every byte of a backup; `full` opens the snapshot and every archive, too.
  package struct Verify: ControlMethod {
    package static let method = "org.poolflow.Backup.Verify"
    package static let work = CallWork.long
    package static let changes = true

    package let id: String
    package let full: Bool

    package init(id: String, full: Bool) {
      self.id = id
      self.full = full
    }

    package struct Reply: Codable, Sendable {
      package let backup: BackupView
      /// Everything that is wrong with it, a sentence each; empty where it is whole.
      package let damage: [String]

      package init(backup: BackupView, damage: [String]) {
        self.backup = backup
        self.damage = damage
      }
    }
  }

  /// Removes what the settings no longer keep, or says what it would remove.
  package struct Prune: ControlMethod {
    package static let method = "org.poolflow.Backup.Prune"
    package static let work = CallWork.long
    package static let changes = true

    package let dryRun: Bool

    package init(dryRun: Bool) {
      self.dryRun = dryRun
    }

    private enum CodingKeys: String, CodingKey {
      case dryRun = "dry_run"
    }

    package struct Reply: Codable, Sendable {
      package let rule: String
      package let removed: [BackupView]
      package let kept: [BackupView]

      package init(rule: String, removed: [BackupView], kept: [BackupView]) {
        self.rule = rule
        self.removed = removed
        self.kept = kept
      }
    }
  }

  /// Puts a backup in the place of the whole store, or says what that would do.
  ///
  /// The daemon proves everything first, answers, and begins anew with the other store once the caller hangs up.
  package struct Restore: ControlMethod {
    package static let method = "org.poolflow.Backup.Restore"
    package static let work = CallWork.long
    package static let changes = true

    package let id: String
    package let dryRun: Bool
    /// The backup's id once more, typed by who means it; not needed for a dry run.
    package let confirm: String?

    package init(id: String, dryRun: Bool, confirm: String? = nil) {
      self.id = id
      self.dryRun = dryRun
      self.confirm = confirm
    }

    private enum CodingKeys: String, CodingKey {
      case id, confirm
      case dryRun = "dry_run"
    }

    package struct Reply: Codable, Sendable {
      package let backup: BackupView
      package let tables: [RestoredTableView]
      package let warnings: [String]
      /// Where the store of before is kept; nil for a dry run.
      package let keptAs: String?

      package init(backup: BackupView, tables: [RestoredTableView], warnings: [String], keptAs: String? = nil) {
        self.backup = backup
        self.tables = tables
        self.warnings = warnings
        self.keptAs = keptAs
      }

      private enum CodingKeys: String, CodingKey {
        case backup, tables, warnings
        case keptAs = "kept_as"
      }
    }
  }

  /// Hands over the next piece of one of a backup's files: the caller writes what it exports itself.
  package struct Read: ControlMethod {
    package static let method = "org.poolflow.Backup.Read"
    package static let answersAtLength = true

    package let id: String
    /// As `Show` lists it, or the manifest and the sum beside it.
    package let file: String
    package let offset: Int

    package init(id: String, file: String, offset: Int) {
      self.id = id
      self.file = file
      self.offset = offset
    }

    package struct Reply: Codable, Sendable {
      /// Base64; empty at the end.
      package let data: String
      /// Bytes of the whole file.
      package let bytes: Int

      package init(data: String, bytes: Int) {
        self.data = data
        self.bytes = bytes
      }
    }
  }

  /// Puts a backup's archives of one team, or an uploaded archive, in the place of the team's records, or says what that
  /// would do.
  package struct RestoreTeam: ControlMethod {
    package static let method = "org.poolflow.Backup.RestoreTeam"
    package static let work = CallWork.long
    package static let changes = true

    /// A backup, or nil for `upload`.
    package let id: String?
    package let upload: String?
    package let team: String
    package let technician: String?
    package let dryRun: Bool
    /// The team's name once more, typed by who means it; not needed for a dry run.
    package let confirm: String?

    package init(
      id: String? = nil, upload: String? = nil, team: String, technician: String? = nil, dryRun: Bool,
      confirm: String? = nil
    ) {
      self.id = id
      self.upload = upload
      self.team = team
      self.technician = technician
      self.dryRun = dryRun
      self.confirm = confirm
    }

    private enum CodingKeys: String, CodingKey {
      case id, upload, team, technician, confirm
      case dryRun = "dry_run"
    }

    package struct Reply: Codable, Sendable {
      package let dryRun: Bool
      package let team: String
      package let archives: [RestoredArchiveView]
      package let before: RecordCountsView
      package let after: RecordCountsView
      /// Records that are there now and would not be any more.
      package let lost: RecordCountsView
      /// Customers of some of the lost pools.
      package let lostCustomers: [String]
      /// Notices that were not delivered yet and are held.
      package let held: Int
      package let warnings: [String]

      package init(
        dryRun: Bool, team: String, archives: [RestoredArchiveView], before: RecordCountsView,
        after: RecordCountsView, lost: RecordCountsView, lostCustomers: [String], held: Int, warnings: [String]
      ) {
        self.dryRun = dryRun
        self.team = team
        self.archives = archives
        self.before = before
        self.after = after
        self.lost = lost
        self.lostCustomers = lostCustomers
        self.held = held
        self.warnings = warnings
      }

      private enum CodingKeys: String, CodingKey {
        case team, archives, before, after, lost, held, warnings
        case dryRun = "dry_run"
        case lostCustomers = "lost_customers"
      }
    }
  }

  /// How far the backup, look, restore or import is that is under way now.
  package struct Progress: ControlMethod {
    package static let method = "org.poolflow.Backup.Progress"

    package init() {}

    package struct Reply: Codable, Sendable {
      /// Nil where nothing is under way.
      package let work: String?
      package let done: Int
      /// Of the same unit; 0 where nobody knows.
      package let total: Int

      package init(work: String? = nil, done: Int = 0, total: Int = 0) {
        self.work = work
        self.done = done
        self.total = total
      }
    }
  }
}
