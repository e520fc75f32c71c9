package import FlowCalendar
package import FlowModel

/// The schedule and options that a job is to have from now on.
package struct JobPlan: Sendable {
  package let kind: JobKind
  package let rule: JobRule
  /// The default options for this kind; `chosen` merges the team's own options into them.
  package let timing: JobTiming
  /// For a job that is new to the ledger, the instant up to which slots count as settled; nil means now.
  package let settled: Timestamp?

  package init(kind: JobKind, rule: JobRule, timing: JobTiming = .unchosen, settled: Timestamp? = nil) {
    self.kind = kind
    self.rule = rule
    self.timing = timing
    self.settled = settled
  }
}

extension JobPlan {
  /// The plans of all jobs of a team, from its settings, its subscription plan and the defaults for all teams.
  package static func all(
    of team: Team, in catalogue: JobCatalogue, zone: Zone, defaults: [JobKind: JobTiming] = [:]
  ) -> [JobPlan] {
    catalogue.ofTeam.map { kind in
      let rule = kind.rule(for: team, zone: zone)
      var timing = defaults[kind] ?? .unchosen
      // A time that the team set itself wins over a default rule for all teams.
      var plain = team
      plain.settings = TeamSettings()
      if rule != kind.rule(for: plain, zone: zone) { timing.rule = nil }
      return JobPlan(kind: kind, rule: rule, timing: timing)
    }
  }

  /// The plans of the server's own jobs, in the machine's zone.
  ///
  /// - Parameters:
  ///   - backup: the time of day of the backup; nil for never.
  ///   - defaults: the options that the settings give for a kind.
  ///   - settled: the instant up to which a job that is new to the ledger counts as settled; nil means now.
  package static func server(
    _ catalogue: JobCatalogue, backup: TimeOfDay?, defaults: [JobKind: JobTiming] = [:],
    settled: (JobKind) -> Timestamp? = { _ in nil }
  ) -> [JobPlan] {
    catalogue.ofServer.map { kind in
      JobPlan(
        kind: kind, rule: kind.serverTask?.rule(set: backup) ?? .never, timing: defaults[kind] ?? .unchosen,
        settled: settled(kind))
    }
  }
}

extension JobKind {
  /// The schedule of this kind's job for `team`; `never` for a kind of the server.
  package func rule(for team: Team, zone: Zone) -> JobRule { decision?.rule(team, zone) ?? .never }
}
