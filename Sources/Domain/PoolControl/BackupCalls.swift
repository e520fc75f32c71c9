// The calls of org.poolflow.Backup. A backup's id may be `latest` wherever one is asked for.

package enum BackupCall {
  /// Makes a backup and restores it for proof.
  package struct Create: ControlMethod {
    package static let method = "org.poolflow.Backup.Create"
    package static let changes = true

    package let reason: String?

    package init(reason: String? = nil) {
      self.reason = reason
    }

    package struct Reply: Codable, Hashable, Sendable {
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

    package struct Reply: Codable, Hashable, Sendable {
      package let backups: [BackupView]

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

    package struct Reply: Codable, Hashable, Sendable {
      package let backup: BackupView
      package let archives: [BackupArchiveView]
      package let files: [BackupFileView]

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
    package static let changes = true

    package let id: String
    package let full: Bool

    package init(id: String, full: Bool) {
      self.id = id
      self.full = full
    }

    package struct Reply: Codable, Hashable, Sendable {
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
    package static let changes = true

    package let dryRun: Bool

    package init(dryRun: Bool) {
      self.dryRun = dryRun
    }

    private enum CodingKeys: String, CodingKey {
      case dryRun = "dry_run"
    }

    package struct Reply: Codable, Hashable, Sendable {
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

    package struct Reply: Codable, Hashable, Sendable {
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
}
