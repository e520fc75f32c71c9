package import PoolModel

// The four notices of the product: facts in, a notice or a reason for silence out. Identifiers, titles and bodies are the
// app's own (golden file `notifications.json`), in the team's language; the master switch silences all four.

package enum MorningSummary {
  /// The app's identifier of a weekday's notice.
  package static func identifier(_ day: Weekday) -> String {
    identifierPrefix + String(day.rawValue)
  }

  static let identifierPrefix = "poolflow.notification.morningRouteSummary."

  /// - Parameter moment: the local day the summary is about.
  package static func decide(_ facts: TeamFacts, at moment: DigestMoment) -> Decision {
    let settings = facts.team.settings
    let date = moment.date
    guard settings.notificationsEnabled else { return .silent(.notificationsOff) }
    guard settings.morningRouteSummary else { return .silent(.disabled) }
    let stops = facts.stops(on: date.weekday)
    guard !stops.isEmpty else { return .silent(.noStopsToday) }
    let digest = MorningDigest(facts, at: moment)
    let speech = Speech(facts.team)
    return .speak(
      NoticeDraft(
        identifier: identifier(date.weekday),
        title: speech.phrases.routeTitle(),
        body: speech.say(speech.phrases.scheduledToday, stops.count),
        lines: digest.lines,
        dataJSON: DigestJSON.text(digest)))
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
    let speech = Speech(facts.team)
    return .speak(
      NoticeDraft(
        identifier: "poolflow.notification.lowStockForTomorrow",
        title: speech.phrases.prepTitle(),
        body: speech.say(speech.phrases.lowBeforeStops, low.count, stops.count),
        lines: [speech.phrases.lowStockTitle() + ":"]
          + MorningDigest.LowStockLine.lines(facts, after: date).map { "     " + $0.words(speech) }))
  }
}

package enum WeeklyDigest {
  static let identifier = "poolflow.notification.weeklyDigest"

  package static func decide(_ facts: TeamFacts, at moment: DigestMoment) -> Decision {
    let settings = facts.team.settings
    guard settings.notificationsEnabled else { return .silent(.notificationsOff) }
    guard settings.weeklyDigest else { return .silent(.disabled) }
    let speech = Speech(facts.team)
    return .speak(
      NoticeDraft(
        identifier: identifier,
        title: speech.phrases.weeklyTitle(),
        body: speech.say(speech.phrases.activePools, facts.poolCount),
        dataJSON: DigestJSON.text(WeekDigest(facts, at: moment))))
  }
}

package enum TrialExpiring {
  package static func decide(_ facts: TeamFacts, at now: Timestamp) -> Decision {
    guard facts.team.settings.notificationsEnabled else { return .silent(.notificationsOff) }
    guard case .trial(let expires) = facts.team.plan else { return .silent(.notOnTrial) }
    guard now < expires else { return .silent(.alreadyPast) }
    let phrases = facts.team.language.phrases
    return .speak(
      NoticeDraft(
        identifier: "poolflow.notification.trialExpiring", title: phrases.trialTitle(), body: phrases.trialBody()))
  }
}
