package import PoolCalendar
package import PoolModel
package import PoolNotices

/// The kinds of work: of some every team has one job, of the others the server. The words are stable: the ledger, `pfctl`
/// and file names use them.
package enum JobKind: String, Sendable, CaseIterable, Comparable {
  case morningSummary = "morning-summary"
  case lowStock = "low-stock"
  case weeklyDigest = "weekly-digest"
  case trialReminder = "trial-reminder"
  case backup
  case lsiRefresh = "lsi-refresh"
  case routePrecompute = "route-precompute"

  package static let ofTeam: [JobKind] = [.morningSummary, .lowStock, .weeklyDigest, .trialReminder]
  package static let ofServer: [JobKind] = [.backup, .lsiRefresh, .routePrecompute]

  /// Of no team: its effect is heavy work for all of them.
  package var isServers: Bool { effect != nil }

  /// What a run does that decides nothing and tells nobody; nil where a run is a decision.
  package var effect: String? {
    switch self {
    case .morningSummary, .lowStock, .weeklyDigest, .trialReminder: nil
    case .backup: "backs the store up, proves the copy, and lets old backups go"
    case .lsiRefresh: "computes the saturation index of every pool whose readings changed"
    case .routePrecompute: "puts every technician's days in the best order, where something changed"
    }
  }

  package static func < (left: JobKind, right: JobKind) -> Bool { left.rawValue < right.rawValue }
}

/// When a job's work falls due, before zones are looked up: what the store keeps.
package enum JobRule: Hashable, Sendable {
  /// A calendar expression, in the team's zone.
  case calendar(String)
  case once(Timestamp)
  case never
}

extension JobKind {
  /// The default rules of the product, in the team's zone; never for what is not a team's work.
  ///
  /// The trial's reminder is due one calendar day before expiry at the same local wall-clock time, and has no rule
  /// without a trial. Source: PoolFlow functional scope §6.1; golden file `notifications.json`, R-NOTIF-5.
  package func rule(for team: Team, zone: Zone) -> JobRule {
    switch self {
    case .morningSummary: .calendar("*-*-* \(team.settings.morningTime.withSeconds)")
    case .lowStock: .calendar("*-*-* 18:30:00")
    case .weeklyDigest: .calendar("Sun *-*-* 17:00:00")
    case .trialReminder:
      if case .trial(let expires) = team.plan { .once(zone.oneDayBefore(expires)) } else { .never }
    case .backup, .lsiRefresh, .routePrecompute: .never
    }
  }

  /// The rules of the server's own jobs, in the machine's zone.
  ///
  /// The refresh comes after the backup, so that a night's backup holds what people entered and nothing half done.
  /// - Parameter backup: when the backup begins; nil for never.
  package static func serverPlans(backup: TimeOfDay?) -> [(kind: JobKind, rule: JobRule)] {
    [
      (.backup, backup.map { .calendar("*-*-* \($0.withSeconds)") } ?? .never),
      (.lsiRefresh, .calendar("*-*-* 02:30:00")), (.routePrecompute, .calendar("*-*-* 03:00:00")),
    ]
  }

  /// What becomes of slots that were slept through: the newest one runs if it is young enough.
  ///
  /// - Parameter expires: the end of the team's trial; a reminder is worth sending until then.
  package func catchUp(rule: JobRule, trialExpires expires: Timestamp?) -> MissedRunPolicy {
    switch self {
    case .morningSummary: .latest(within: .hours(5))
    case .lowStock: .latest(within: .hours(3))
    case .weeklyDigest: .latest(within: .hours(24))
    case .trialReminder:
      if let expires, case .once = rule { .latestUntil(deadline: expires) } else { .none }
    case .backup, .lsiRefresh, .routePrecompute: .latest(within: .hours(24))
    }
  }

  /// How long after its slot a notice is still worth reading.
  package func expiry(slot: Timestamp, team: Team) -> Timestamp? {
    switch self {
    case .morningSummary: slot.advanced(by: .hours(16))
    case .lowStock: slot.advanced(by: .hours(12))
    case .weeklyDigest: slot.advanced(by: .hours(7 * 24))
    case .trialReminder: if case .trial(let expires) = team.plan { expires } else { nil }
    case .backup, .lsiRefresh, .routePrecompute: nil
    }
  }

  /// How much its notices matter: what a sink's `Severity=` is compared with.
  package var severity: Severity {
    switch self {
    case .weeklyDigest, .backup, .lsiRefresh, .routePrecompute: .info
    case .morningSummary: .notice
    case .lowStock, .trialReminder: .warning
    }
  }

  /// The days whose stops a decision at local `date` looks at.
  package func daysLookedAt(on date: CivilDate) -> [Weekday] {
    switch self {
    case .morningSummary: [date.weekday]
    case .lowStock: [date.weekday.next]
    case .weeklyDigest, .trialReminder, .backup, .lsiRefresh, .routePrecompute: []
    }
  }
}

extension TimeOfDay {
  var withSeconds: String { "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }
}

extension Zone {
  /// One calendar day earlier at the same wall-clock time; a time that does not exist then is the first instant after
  /// the gap, one that occurs twice is the first.
  func oneDayBefore(_ instant: Timestamp) -> Timestamp {
    let local = local(at: instant)
    let wanted = LocalDateTime(date: local.date.adding(days: -1), time: local.time)
    return resolve(wanted).standard
  }
}
