package import PoolModel
package import PoolNotices

// What each kind of notice says, in the team's language. Titles and bodies are the app's own: golden file
// `notifications.json`. Whether it is said at all is the decision's.
extension NoticeDraft {
  /// Today's route; `stops` of them.
  package static func morning(_ facts: TeamFacts, stops: Int, at moment: DigestMoment) -> NoticeDraft {
    let digest = MorningDigest(facts, at: moment)
    let speech = Speech(facts.team)
    return NoticeDraft(
      identifier: NoticeIdentifier.morning(moment.date.weekday), title: speech.phrases.routeTitle(),
      body: speech.say(speech.phrases.scheduledToday, stops), lines: digest.lines, dataJSON: DigestJSON.text(digest),
      kept: digest.route)
  }

  /// `low` chemicals are below their thresholds before tomorrow's `stops`.
  package static func lowStock(_ facts: TeamFacts, low: Int, stops: Int, at moment: DigestMoment) -> NoticeDraft {
    let speech = Speech(facts.team)
    return NoticeDraft(
      identifier: NoticeIdentifier.lowStock, title: speech.phrases.prepTitle(),
      body: speech.say(speech.phrases.lowBeforeStops, low, stops),
      lines: [speech.phrases.lowStockTitle() + ":"]
        + MorningDigest.LowStockLine.lines(facts, after: moment.date).map { "     " + $0.words(speech) })
  }

  /// The week in numbers.
  package static func week(_ facts: TeamFacts, at moment: DigestMoment) -> NoticeDraft {
    let speech = Speech(facts.team)
    return NoticeDraft(
      identifier: NoticeIdentifier.week, title: speech.phrases.weeklyTitle(),
      body: speech.say(speech.phrases.activePools, facts.poolCount),
      dataJSON: DigestJSON.text(WeekDigest(facts, at: moment)))
  }

  /// That the trial ends tomorrow.
  package static func trial(_ team: Team) -> NoticeDraft {
    let phrases = team.language.phrases
    return NoticeDraft(identifier: NoticeIdentifier.trial, title: phrases.trialTitle(), body: phrases.trialBody())
  }
}
