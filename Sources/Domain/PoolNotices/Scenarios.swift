package import PoolModel

// The four notices of the product: facts in, a notice or a reason for silence out. Identifiers, titles and bodies are the
// app's own (golden file `notifications.json`); the master switch silences all four.

package enum MorningSummary {
  /// - Parameter date: the local day the summary is about.
  package static func decide(_ facts: TeamFacts, on date: CivilDate) -> Decision {
    let settings = facts.team.settings
    guard settings.notificationsEnabled else { return .silent(.notificationsOff) }
    guard settings.morningRouteSummary else { return .silent(.disabled) }
    let stops = facts.stops(on: date.weekday)
    guard !stops.isEmpty else { return .silent(.noStopsToday) }
    let digest = MorningDigest(facts, on: date)
    return .speak(
      NoticeDraft(
        identifier: "poolflow.notification.morningRouteSummary.\(date.weekday.rawValue)",
        title: "Today's Route",
        body: "You have \(stops.count) pool(s) scheduled today.",
        lines: digest.lines,
        dataJSON: digest.json))
  }
}

package enum LowStockForTomorrow {
  /// - Parameter date: the local day of the reminder; it speaks about the day after.
  package static func decide(_ facts: TeamFacts, on date: CivilDate) -> Decision {
    let settings = facts.team.settings
    guard settings.notificationsEnabled else { return .silent(.notificationsOff) }
    guard settings.lowStockForTomorrow else { return .silent(.disabled) }
    // At most one operational notice a day: the switch alone decides, whether or not the summary has anything to say.
    guard !settings.morningRouteSummary else { return .silent(.morningSummaryEnabled) }
    let stops = facts.stops(on: date.weekday.next)
    guard !stops.isEmpty else { return .silent(.noStopsTomorrow) }
    let low = facts.lowStock
    guard !low.isEmpty else { return .silent(.stockFine) }
    return .speak(
      NoticeDraft(
        identifier: "poolflow.notification.lowStockForTomorrow",
        title: "Prep for Tomorrow",
        body: "\(low.count) low-stock chemical(s) before \(stops.count) scheduled stop(s).",
        lines: LowStockSection(facts).lines))
  }
}

package enum WeeklyDigest {
  package static func decide(_ facts: TeamFacts) -> Decision {
    let settings = facts.team.settings
    guard settings.notificationsEnabled else { return .silent(.notificationsOff) }
    guard settings.weeklyDigest else { return .silent(.disabled) }
    return .speak(
      NoticeDraft(
        identifier: "poolflow.notification.weeklyDigest",
        title: "Weekly PoolFlow Digest",
        body: "\(facts.poolCount) active pools. Review analytics and route health before the new week."))
  }
}

package enum TrialExpiring {
  package static func decide(_ facts: TeamFacts, at now: Timestamp) -> Decision {
    guard facts.team.settings.notificationsEnabled else { return .silent(.notificationsOff) }
    guard case .trial(let expires) = facts.team.plan else { return .silent(.notOnTrial) }
    guard now < expires else { return .silent(.alreadyPast) }
    return .speak(
      NoticeDraft(
        identifier: "poolflow.notification.trialExpiring",
        title: "Your PoolFlow Pro trial ends tomorrow",
        body: "Upgrade now to keep unlimited pools, analytics, and route optimization."))
  }
}
