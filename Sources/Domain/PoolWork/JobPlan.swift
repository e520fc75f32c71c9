package import PoolCalendar
package import PoolModel

/// A job's rule as it is to be from now on.
package struct JobPlan: Sendable {
  package let kind: JobKind
  package let rule: JobRule
  /// What was chosen besides: for all teams, where it is not a team's own yet.
  package let timing: JobTiming
  /// Up to when a job that is new to the ledger counts as settled: now without it.
  package let settled: Timestamp?

  package init(kind: JobKind, rule: JobRule, timing: JobTiming = .unchosen, settled: Timestamp? = nil) {
    self.kind = kind
    self.rule = rule
    self.timing = timing
    self.settled = settled
  }
}

extension JobPlan {
  /// Of every kind that a team has a job of, by its settings and plan, and by what holds for all teams.
  package static func all(
    of team: Team, in catalogue: JobCatalogue, zone: Zone, defaults: [JobKind: JobTiming] = [:]
  ) -> [JobPlan] {
    catalogue.ofTeam.map { kind in
      let rule = kind.rule(for: team, zone: zone)
      var timing = defaults[kind] ?? .unchosen
      // A rule for all teams gives way to a time that the team set itself.
      var plain = team
      plain.settings = TeamSettings()
      if rule != kind.rule(for: plain, zone: zone) { timing.rule = nil }
      return JobPlan(kind: kind, rule: rule, timing: timing)
    }
  }

  /// Of the server's own jobs, in the machine's zone.
  /// - Parameters:
  ///   - backup: when the backup begins; nil for never.
  ///   - defaults: what the settings say of a kind.
  ///   - settled: up to when a job that is new to the ledger counts as settled.
  package static func server(
    _ catalogue: JobCatalogue, backup: TimeOfDay?, defaults: [JobKind: JobTiming] = [:],
    settled: (JobKind) -> Timestamp? = { _ in nil }
  ) -> [JobPlan] {
    catalogue.ofServer.map { kind in
      JobPlan(
        kind: kind, rule: kind.effect?.rule(set: backup) ?? .never, timing: defaults[kind] ?? .unchosen,
        settled: settled(kind))
    }
  }
}

extension JobKind {
  /// The rule of a team's job; never for what is not a team's work.
  package func rule(for team: Team, zone: Zone) -> JobRule { decision?.rule(team, zone) ?? .never }
}
