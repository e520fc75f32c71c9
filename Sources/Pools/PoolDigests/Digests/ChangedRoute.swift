import FlowModel
package import FlowNotices
import PoolModel

/// The differences between today's route and the one that was told this morning.
package struct ChangedRoute: Sendable {
  /// One stop that is no longer there, is new, or is another technician's.
  package struct Change: Hashable, Sendable {
    let customer: String
    /// The technicians who had the stop and who have it; nil if none.
    let before: String?
    let after: String?
    /// `Steve Baird moved to Tue, Mar 3 (rain)`.
    let words: String
  }

  private let digest: MorningDigest
  private let team: Team
  package let changes: [Change]

  package init(_ facts: TeamFacts, since told: SentRoute, at moment: DigestMoment) {
    let digest = MorningDigest(facts, at: moment)
    let localizer = Localizer(facts.team)
    let date = moment.date
    let before = Dictionary(told.stops.map { ($0.poolID, $0) }, uniquingKeysWith: { first, _ in first })
    var present: Set<PoolID> = []
    var changes: [Change] = []
    for section in digest.sections {
      for stop in section.stops {
        guard let pool = PoolID(stop.poolID) else { continue }
        present.insert(pool)
        let old = before[pool]
        guard old?.technician != section.technician else { continue }
        let words =
          old == nil
          ? bare(localizer.phrases.added(stop.customer))
          : localizer.phrases.stopCoveredBy(stop.customer, section.technician)
        let reason = stop.changed.map { localizer.words(of: $0, on: date) } ?? ""
        changes.append(
          Change(
            customer: stop.customer, before: old?.technician, after: section.technician,
            words: reason.isEmpty ? words : "\(words) (\(reason))"))
      }
    }
    for old in told.stops where !present.contains(old.poolID) {
      let service = facts.services[old.poolID]
      let moved = service?.movedStop(from: date)
      let reason = (moved?.stop ?? service?.skippedStop(on: date))?.reason ?? ""
      let words =
        moved.map { localizer.phrases.stopMovedTo(old.customer, localizer.dateFormats.shortDay($0.date)) }
        ?? localizer.phrases.stopSkipped(old.customer)
      changes.append(
        Change(
          customer: old.customer, before: old.technician, after: nil,
          words: reason.isEmpty ? words : "\(words) (\(reason))"))
    }
    (self.digest, self.team, self.changes) = (digest, facts.team, changes)
  }

  /// The notice to the team.
  package func draft() -> NoticeDraft { .changed(digest, changes, team: team) }

  /// The notice to one technician; nil if no change concerns the technician.
  ///
  /// - Parameter id: the id of the technician's own notice.
  package func draft(for technician: String, run id: String) -> NoticeDraft? {
    let own = changes.filter { $0.before == technician || $0.after == technician }
    guard !own.isEmpty else { return nil }
    return .changed(digest.only(technician, run: id), own, team: team)
  }
}

/// A sentence without its full stop, because a reason follows.
private func bare(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }

extension NoticeDraft {
  /// - Parameter digest: the route as it is now; nil for a technician without a stop.
  fileprivate static func changed(
    _ digest: MorningDigest?, _ changes: [ChangedRoute.Change], team: Team
  ) -> NoticeDraft {
    let localizer = Localizer(team)
    let lines = changes.map(\.words)
    let title = localizer.phrases.routeChangedTitle()
    let body = localizer.say(localizer.phrases.stopsChanged, changes.count)
    guard let digest, !digest.sections.isEmpty else {
      return NoticeDraft(
        identifier: NoticeIdentifier.routeRemoved, title: title, body: body,
        lines: lines + [localizer.phrases.noRoute()])
    }
    return NoticeDraft(
      identifier: NoticeIdentifier.changed(digest.weekday), title: title, body: body, lines: lines + digest.lines,
      dataJSON: DigestJSON.text(digest), kept: digest)
  }
}
