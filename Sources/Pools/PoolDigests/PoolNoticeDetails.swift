package import FlowModel
package import FlowNotices
import PoolModel

/// The types of the details of a pool service's notices.
package enum PoolNoticeDetails {
  /// The type for a notice's identifier; nil for notices without details.
  package static func type(of identifier: String) -> (any NoticeDetails.Type)? {
    if NoticeIdentifier.isRoute(identifier) { return MorningDigest.self }
    if NoticeIdentifier.isReminder(identifier) { return ReminderDigest.self }
    return identifier == NoticeIdentifier.week ? WeekDigest.self : nil
  }
}

extension MorningDigest: NoticeDetails {
  package func document(access: [String: AccessData]) -> Document {
    document(access: access.compactMap { id, access in PoolID(id).map { PoolAccess(access, of: $0) } })
  }

  package var maps: [PinMap] {
    let localizer = speaks.localizer
    return sections.compactMap { map(of: $0, localizer) }
  }

  package var threadDay: CivilDate? { civilDate }

  /// A technician's day with what is special about it; of a team's digest one line for each technician.
  package var summary: NoticeSummary? {
    let localizer = speaks.localizer
    let title = subject(localizer)
    if changedStops != nil {
      let (own, tomorrow) = changeLines(localizer)
      return NoticeSummary(title: title, body: nil, lines: [], namedLines: own + tomorrow)
    }
    let weatherLines = weather?.unnamedLines(localizer, on: civilDate, of: team) ?? []
    let namedWeather = weather?.namedLines(localizer) ?? []
    if sections.count == 1, let section = sections.first, section.isAway != true {
      let highlights = CardComposer(self, section, localizer).highlights
      return NoticeSummary(
        title: title, body: dayLine(of: section, localizer),
        lines: weatherLines + highlights.map { $0.sentence(localizer.language.colon) }, namedLines: namedWeather)
    }
    let phrases = localizer.phrases
    let days = sections.map { section in
      section.isAway == true
        ? phrases.uncovered(section.technician, localizer.say(phrases.stops, section.stops.count))
        : phrases.sectionTitle(section.technician, section.hours(on: civilDate, localizer))
    }
    return sections.isEmpty
      ? nil : NoticeSummary(title: title, body: nil, lines: weatherLines, namedLines: namedWeather + days)
  }
}

extension PoolAccess {
  fileprivate init(_ access: AccessData, of pool: PoolID) {
    self.init(
      poolID: pool, customer: access.customer, notes: access.notes, contact: access.contact, phone: access.phone,
      email: access.email, gate: access.gate)
  }
}

extension WeekDigest: NoticeDetails {
  package func document(access: [String: AccessData]) -> Document { document() }
}

extension ReminderDigest: NoticeDetails {
  package func document(access: [String: AccessData]) -> Document { document() }
}
