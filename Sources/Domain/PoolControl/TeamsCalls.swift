// The calls of org.poolflow.Teams.

package enum TeamsCall {
  /// Makes a team; its jobs are planned at once.
  package struct Add: ControlMethod {
    package static let method = "org.poolflow.Teams.Add"
    package static let changes = true

    package let name: String
    package let zone: String
    package let language: String?
    package let units: String?

    package init(name: String, zone: String, language: String? = nil, units: String? = nil) {
      self.name = name
      self.zone = zone
      self.language = language
      self.units = units
    }

    package struct Reply: Codable, Sendable {
      package let team: TeamView

      package init(team: TeamView) {
        self.team = team
      }
    }
  }

  /// Every team, by name.
  package struct List: ControlMethod {
    package static let method = "org.poolflow.Teams.List"

    package init() {}

    package struct Reply: Codable, Sendable {
      package internal(set) var teams: [TeamView]

      package init(teams: [TeamView]) {
        self.teams = teams
      }
    }
  }

  /// One team.
  package struct Show: ControlMethod {
    package static let method = "org.poolflow.Teams.Show"

    package let name: String

    package init(name: String) {
      self.name = name
    }

    package struct Reply: Codable, Sendable {
      package let team: TeamView

      package init(team: TeamView) {
        self.team = team
      }
    }
  }

  /// Changes settings, all or none, and plans its jobs anew.
  package struct Set: ControlMethod {
    package static let method = "org.poolflow.Teams.Set"
    package static let changes = true

    package let name: String
    package let changes: [SettingChangeView]

    package init(name: String, changes: [SettingChangeView]) {
      self.name = name
      self.changes = changes
    }

    package struct Reply: Codable, Sendable {
      package let team: TeamView
      package let replanned: [ReplannedView]

      package init(team: TeamView, replanned: [ReplannedView]) {
        self.team = team
        self.replanned = replanned
      }
    }
  }

  /// Changes what the team has bought: free, trial or paid.
  package struct Plan: ControlMethod {
    package static let method = "org.poolflow.Teams.Plan"
    package static let changes = true

    package let name: String
    package let plan: String
    /// End of a trial: RFC 3339, or a date with or without a time in the team's zone; seven days from now without it.
    package let until: String?

    package init(name: String, plan: String, until: String? = nil) {
      self.name = name
      self.plan = plan
      self.until = until
    }

    package struct Reply: Codable, Sendable {
      package let team: TeamView
      package let replanned: [ReplannedView]

      package init(team: TeamView, replanned: [ReplannedView]) {
        self.team = team
        self.replanned = replanned
      }
    }
  }

  /// Removes a team's pools, visits, stock and equipment, or says what that would do; settings, plan and technicians stay.
  package struct Clear: ControlMethod {
    package static let method = "org.poolflow.Teams.Clear"
    package static let work = CallWork.long
    package static let changes = true

    package let name: String
    package let dryRun: Bool
    /// The team's name once more, typed by who means it; not needed for a dry run.
    package let confirm: String?
    /// Clear it also where no archive of it can be made; the snapshot of that backup holds it then.
    package let withoutArchive: Bool?

    package init(name: String, dryRun: Bool, confirm: String? = nil, withoutArchive: Bool? = nil) {
      self.name = name
      self.dryRun = dryRun
      self.confirm = confirm
      self.withoutArchive = withoutArchive
    }

    private enum CodingKeys: String, CodingKey {
      case name, confirm
      case dryRun = "dry_run"
      case withoutArchive = "without_archive"
    }

    package struct Reply: Codable, Sendable {
      package let dryRun: Bool
      package let team: String
      package let before: RecordCountsView
      package let after: RecordCountsView
      /// Notices that were not delivered yet and are held.
      package let held: Int
      /// The backup that was made first, and the team's archives in it; nil for a dry run.
      package let backup: String?
      package let archives: [String]

      package init(
        dryRun: Bool, team: String, before: RecordCountsView, after: RecordCountsView, held: Int,
        backup: String? = nil, archives: [String]
      ) {
        self.dryRun = dryRun
        self.team = team
        self.before = before
        self.after = after
        self.held = held
        self.backup = backup
        self.archives = archives
      }

      private enum CodingKeys: String, CodingKey {
        case team, before, after, held, backup, archives
        case dryRun = "dry_run"
      }
    }
  }
}
