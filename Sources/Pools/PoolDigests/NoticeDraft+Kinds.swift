import FlowCalendar
package import FlowModel
package import FlowNotices
import PoolModel

// The text of each kind of notice in the team's language. Titles and bodies are the app's own: golden file
// `notifications.json`. The trade's decision determines whether a notice is sent.
extension NoticeDraft {
  /// The notice of today's route with `stops` stops.
  package static func morning(_ facts: TeamFacts, stops: Int, at moment: DigestMoment) -> NoticeDraft {
    morning(MorningDigest(facts, at: moment), team: facts.team, stops: stops)
  }

  /// The morning notice for a given digest, such as one technician's.
  package static func morning(_ digest: MorningDigest, team: Team, stops: Int? = nil) -> NoticeDraft {
    let localizer = Localizer(team)
    return NoticeDraft(
      identifier: NoticeIdentifier.morning(digest.weekday), title: localizer.phrases.routeTitle(),
      body: localizer.say(localizer.phrases.scheduledToday, stops ?? digest.stopCount), lines: digest.lines,
      dataJSON: DigestJSON.text(digest), kept: digest)
  }

  /// The notice of tomorrow's route, sent the evening before; `moment` is about tomorrow.
  package static func preview(_ facts: TeamFacts, stops: Int, at moment: DigestMoment) -> NoticeDraft {
    preview(MorningDigest(facts, at: moment), team: facts.team, stops: stops)
  }

  /// The preview notice for a given digest, such as one technician's.
  package static func preview(_ digest: MorningDigest, team: Team, stops: Int? = nil) -> NoticeDraft {
    let localizer = Localizer(team)
    return NoticeDraft(
      identifier: NoticeIdentifier.preview(digest.weekday), title: localizer.phrases.tomorrowTitle(),
      body: localizer.say(localizer.phrases.scheduledTomorrow, stops ?? digest.stopCount), lines: digest.lines,
      dataJSON: DigestJSON.text(digest), kept: digest)
  }

  /// The notice of chemicals that are low, or of which the `stops` stops of `day` need more than is in stock; `day` is the
  /// next working day.
  package static func lowStock(
    _ facts: TeamFacts, stops: Int, before day: CivilDate, at moment: DigestMoment
  ) -> NoticeDraft {
    let localizer = Localizer(facts.team)
    let isTomorrow = moment.date.adding(days: 1) == day
    let low = MorningDigest.LowStockLine.lines(facts, before: day, from: moment.date, in: moment.zone)
    return NoticeDraft(
      identifier: NoticeIdentifier.lowStock,
      title: isTomorrow
        ? localizer.phrases.prepTitle() : localizer.phrases.prepForDayTitle(localizer.dateFormats.weekday(day.weekday)),
      body: localizer.say(localizer.phrases.lowBeforeStops, low.count, stops),
      lines: [localizer.phrases.lowStockTitle() + localizer.language.colon] + low.map { "     " + $0.words(localizer) })
  }

  /// The notice about the stops of the closed days that begin tomorrow.
  package static func closed(_ facts: TeamFacts, days: [CivilDate], stops: Int, at moment: DigestMoment) -> NoticeDraft
  {
    let localizer = Localizer(facts.team)
    var lines: [String] = []
    for day in days {
      let stops = facts.stops(on: day)
      guard !stops.isEmpty else { continue }
      let note = facts.daysOff.closure(on: day)?.note ?? ""
      let title = localizer.dateFormats.shortDay(day)
      lines.append(note.isEmpty ? title : localizer.phrases.sectionTitle(title, note))
      lines += stops.map { "     \($0.customerName), \($0.address)" }
    }
    return NoticeDraft(
      identifier: NoticeIdentifier.closedDay, title: localizer.phrases.closedTomorrowTitle(),
      body: localizer.say(localizer.phrases.needAnotherDay, stops), lines: lines)
  }

  /// The notice of a reminder with the team's own text.
  package static func reminder(_ reminder: Reminder, _ facts: TeamFacts, at moment: DigestMoment) -> NoticeDraft {
    let digest = ReminderDigest(reminder, facts, at: moment)
    return NoticeDraft(
      identifier: NoticeIdentifier.reminder(reminder.name), title: digest.title, body: digest.text,
      lines: digest.technician.map { [$0] } ?? [], dataJSON: DigestJSON.text(digest), severity: reminder.severity)
  }

  /// The weekly notice.
  package static func week(_ facts: TeamFacts, at moment: DigestMoment) -> NoticeDraft {
    let localizer = Localizer(facts.team)
    let digest = WeekDigest(facts, at: moment)
    return NoticeDraft(
      identifier: NoticeIdentifier.week, title: localizer.phrases.weeklyTitle(),
      body: localizer.say(localizer.phrases.activePools, facts.poolCount),
      lines: (digest.daysOff.map { daysOff in
        [localizer.phrases.closedTitle() + localizer.language.colon] + daysOff.map { "     " + $0.words(localizer) }
      } ?? [])
        + (digest.changedStops.map { stops in
          [localizer.phrases.stopChangesTitle() + localizer.language.colon]
            + stops.map { "     " + $0.words(localizer) }
        } ?? []),
      dataJSON: DigestJSON.text(digest))
  }

  /// The notice that the trial ends tomorrow.
  package static func trial(_ team: Team) -> NoticeDraft {
    let phrases = team.language.phrases
    return NoticeDraft(identifier: NoticeIdentifier.trial, title: phrases.trialTitle(), body: phrases.trialBody())
  }
}
