package import PoolCalendar
package import PoolModel

/// A job's rule as it is to be from now on.
package struct JobPlan: Sendable {
  package let kind: JobKind
  package let rule: JobRule
  /// Up to when a job that is new to the ledger counts as settled: now without it.
  package let settled: Timestamp?

  package init(kind: JobKind, rule: JobRule, settled: Timestamp? = nil) {
    self.kind = kind
    self.rule = rule
    self.settled = settled
  }
}

extension JobPlan {
  /// Of every kind that a team has a job of, by its settings and plan.
  package static func all(of team: Team, in catalogue: JobCatalogue, zone: Zone) -> [JobPlan] {
    catalogue.ofTeam.map { JobPlan(kind: $0, rule: $0.rule(for: team, zone: zone)) }
  }

  /// Of the server's own jobs, in the machine's zone.
  /// - Parameters:
  ///   - backup: when the backup begins; nil for never.
  ///   - settled: up to when a job that is new to the ledger counts as settled.
  package static func server(
    _ catalogue: JobCatalogue, backup: TimeOfDay?, settled: (JobKind) -> Timestamp? = { _ in nil }
  ) -> [JobPlan] {
    catalogue.ofServer.map { JobPlan(kind: $0, rule: $0.effect?.rule(set: backup) ?? .never, settled: settled($0)) }
  }
}

extension JobKind {
  /// The rule of a team's job; never for what is not a team's work.
  package func rule(for team: Team, zone: Zone) -> JobRule { decision?.rule(team, zone) ?? .never }
}
