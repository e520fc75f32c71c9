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

    package struct Reply: Codable, Hashable, Sendable {
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

    package struct Reply: Codable, Hashable, Sendable {
      package let teams: [TeamView]

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

    package struct Reply: Codable, Hashable, Sendable {
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

    package struct Reply: Codable, Hashable, Sendable {
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

    package struct Reply: Codable, Hashable, Sendable {
      package let team: TeamView
      package let replanned: [ReplannedView]

      package init(team: TeamView, replanned: [ReplannedView]) {
        self.team = team
        self.replanned = replanned
      }
    }
  }
}
