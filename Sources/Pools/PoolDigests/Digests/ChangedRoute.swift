import FlowCalendar
import FlowModel
package import FlowNotices
import PoolModel

/// The differences between the route of a day and the one that was told for it.
package struct ChangedRoute: Sendable {
  /// The route as it is now.
  fileprivate let digest: MorningDigest
  package let changes: [MorningDigest.ChangedStop]

  package init(_ facts: TeamFacts, since told: SentRoute, at moment: DigestMoment) {
    let date = moment.date
    let off = facts.daysOff.closure(on: date)
    let digest = MorningDigest(facts.withoutStops(on: date, because: off), at: moment)
    let before = Dictionary(told.stops.map { ($0.poolID, $0) }, uniquingKeysWith: { first, _ in first })
    var present: Set<PoolID> = []
    var changes: [MorningDigest.ChangedStop] = []
    for section in digest.sections {
      for stop in section.stops {
        guard let pool = PoolID(stop.poolID) else { continue }
        present.insert(pool)
        let old = before[pool]
        guard old?.technician != section.technician else { continue }
        changes.append(
          MorningDigest.ChangedStop(
            customer: stop.customer, before: old?.technician, after: section.technician, to: nil,
            changed: stop.changed))
      }
    }
    for old in told.stops where !present.contains(old.poolID) {
      let service = facts.services[old.poolID]
      let moved = service?.movedStop(from: date)
      let reason =
        (moved?.stop ?? service?.skippedStop(on: date))?.reason ?? service?.pause(on: date)?.reason ?? off?.note ?? ""
      changes.append(
        MorningDigest.ChangedStop(
          customer: old.customer, before: old.technician, after: nil, to: moved?.date.description,
          changed: reason.isEmpty ? nil : MorningDigest.StopChange(from: nil, technician: nil, reason: reason)))
    }
    (self.digest, self.changes) = (digest, changes)
  }

  /// The part of one technician; nil if no change concerns the technician.
  ///
  /// - Parameter id: the id of the technician's own notice.
  fileprivate func part(of technician: String, run id: String) -> RoutePart? {
    let own = changes.filter { $0.before == technician || $0.after == technician }
    return own.isEmpty ? nil : RoutePart(digest: digest.only(technician, run: id), changes: own)
  }

  /// The part of the whole team; nil without a change.
  fileprivate var part: RoutePart? { changes.isEmpty ? nil : RoutePart(digest: digest, changes: changes) }
}

/// What one notice tells of a changed route.
private struct RoutePart {
  /// The route as it is now; nil for a technician without a stop.
  let digest: MorningDigest?
  let changes: [MorningDigest.ChangedStop]
}

/// The routes of today and tomorrow that changed since they were told.
package struct ChangedRoutes: Sendable {
  private let team: Team
  /// Today.
  private let date: CivilDate
  /// Nil if the route was not told yet, or if the team is closed on this day.
  private let today: ChangedRoute?
  private let tomorrow: ChangedRoute?

  /// - Parameter moment: about today.
  package init(_ facts: TeamFacts, at moment: DigestMoment) {
    func route(_ told: SentRoute?, _ moment: DigestMoment) -> ChangedRoute? {
      told.map { ChangedRoute(facts, since: $0, at: moment) }
    }
    (team, date) = (facts.team, moment.date)
    today = route(facts.toldRoute, moment)
    tomorrow = route(facts.toldTomorrow, moment.ahead(days: 1))
  }

  /// The changed routes as they are now, to which the next notice is compared.
  package var routes: [SentRoute] {
    [today, tomorrow].compactMap { $0 }.filter { !$0.changes.isEmpty }.map(\.digest.route)
  }

  /// The notice to the team; nil without a change.
  package func draft() -> NoticeDraft? { .changed(today?.part, tomorrow?.part, team: team, on: date) }

  /// The notice to one technician; nil if no change concerns the technician.
  ///
  /// - Parameter id: the id of the technician's own notice.
  package func draft(for technician: String, run id: String) -> NoticeDraft? {
    .changed(today?.part(of: technician, run: id), tomorrow?.part(of: technician, run: id), team: team, on: date)
  }
}

extension Localizer {
  /// `Steve Baird moved to Tue, Mar 3 (rain)`, or `Steve Baird is new on this route. Moved from Tuesday: rain`.
  ///
  /// - Parameter date: the date of the route.
  func words(of change: MorningDigest.ChangedStop, on date: CivilDate) -> String {
    let words: String
    switch (change.before, change.after) {
    case (let before?, let after?): words = bare(phrases.movedToTechnician(change.customer, before, after))
    case (nil, .some):
      let added = phrases.added(change.customer)
      return change.changed.map { "\(added) \(self.words(of: $0, on: date))" } ?? bare(added)
    case (_, nil):
      words =
        change.to.flatMap { CivilDate($0) }.map { phrases.stopMovedTo(change.customer, dateFormats.shortDay($0)) }
        ?? phrases.stopSkipped(change.customer)
    }
    guard let reason = change.changed?.reason, !reason.isEmpty else { return words }
    return "\(words) (\(reason))"
  }

  /// A sentence without its full stop, because a reason follows.
  private func bare(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}

extension MorningDigest {
  /// The changes that a notice of a changed route tells, and those of the day after with their title; empty in every other
  /// notice.
  func changeLines(_ localizer: Localizer) -> (own: [String], tomorrow: [String]) {
    let next = civilDate.adding(days: 1)
    let tomorrow = (changedTomorrow ?? []).map { localizer.words(of: $0, on: next) }
    return (
      (changedStops ?? []).map { localizer.words(of: $0, on: civilDate) },
      tomorrow.isEmpty ? [] : [localizer.phrases.tomorrowTitle() + localizer.language.colon] + tomorrow
    )
  }
}

extension NoticeDraft {
  /// The notice of a changed route, or of two; the second one is told in lines of the first one's notice. Nil without both.
  ///
  /// - Parameter date: today.
  fileprivate static func changed(
    _ today: RoutePart?, _ tomorrow: RoutePart?, team: Team, on date: CivilDate
  ) -> NoticeDraft? {
    let localizer = Localizer(team)
    let phrases = localizer.phrases
    guard let shown = today ?? tomorrow else { return nil }
    let isToday = today != nil
    let next = date.adding(days: 1)
    var lines = shown.changes.map { localizer.words(of: $0, on: isToday ? date : next) }
    var bodies: [String] = []
    if let today { bodies.append(localizer.say(phrases.stopsChanged, today.changes.count)) }
    if let tomorrow { bodies.append(localizer.say(phrases.stopsChangedTomorrow, tomorrow.changes.count)) }
    if isToday, let tomorrow {
      lines.append(phrases.tomorrowTitle() + localizer.language.colon)
      lines += tomorrow.changes.map { "     " + localizer.words(of: $0, on: next) }
    }
    let title = isToday ? phrases.routeChangedTitle() : phrases.routeChangedTomorrowTitle()
    let body = bodies.joined(separator: " ")
    guard var digest = shown.digest, !digest.sections.isEmpty else {
      return NoticeDraft(
        identifier: NoticeIdentifier.routeRemoved, title: title, body: body, lines: lines + [phrases.noRoute()])
    }
    digest.changedStops = shown.changes
    digest.changedTomorrow = isToday ? tomorrow?.changes : nil
    return NoticeDraft(
      identifier: isToday
        ? NoticeIdentifier.changed(digest.weekday) : NoticeIdentifier.changedTomorrow(digest.weekday), title: title,
      body: body, lines: lines + digest.lines, dataJSON: DigestJSON.text(digest), kept: digest)
  }
}
