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

      package init(backup: BackupView) {
        self.backup = backup
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
}
