import FlowCalendar
package import FlowModel
package import FlowNotices
package import StableModel
import StableRules

/// The published files of a stable: morning page, week page and care calendar. Equal records on the same day give equal
/// bytes, except when a forecast becomes outdated.
package struct BarnSite: Sendable {
  private let facts: BarnFacts
  private let moment: DigestMoment
  private let now: Timestamp

  /// The number of days ahead that the calendar covers.
  package static let daysAhead = 365

  /// Collects the data of the pages.
  ///
  /// - Parameters:
  ///   - facts: the facts for a decision today.
  ///   - moment: this morning.
  ///   - now: the current instant, for the age of the forecast.
  package init(_ facts: BarnFacts, at moment: DigestMoment, now: Timestamp) {
    self.facts = facts
    self.moment = moment
    self.now = now
  }

  private var localizer: BarnLocalizer { BarnLocalizer(facts.team) }

  /// The files by name; the same for all people of the barn.
  package var files: [String: [UInt8]] {
    let pages: [SitePage: Document] = [
      .start: index, .today: BarnDigest(facts, at: moment, now: now).document,
      .week: BarnWeek(facts, at: moment).document,
    ]
    let made = localizer.format.moment(moment.zone.local(at: now))
    var files = SiteFolderPart.homeScreenFiles(
      name: localizer.phrases.boardTitle(), start: .today, language: localizer.language)
    for (page, document) in pages {
      let part = SiteFolderPart(of: page, among: [.today, .week, .start], madeAt: made, in: localizer.language)
      let published = document.published(last: localizer.language.commonPhrases.pageFollows(), in: part)
      files[page.rawValue] = Array(published.html.utf8)
    }
    files["care.ics"] = Array(calendar.utf8)
    return files
  }

  private var index: Document {
    let phrases = localizer.phrases
    let links: [Document.Line] = [
      .init(localizer.language.commonPhrases.todayLink(), link: "today.html"), .init(phrases.week(), link: "week.html"),
      .init(phrases.careTitle(), link: "care.ics"),
    ]
    return Document(
      language: localizer.language.rawValue,
      title: "\(facts.team.name) · \(localizer.format.dateFormats.day(moment.date))", blocks: [.list(links)],
      footer: [""],
      paper: localizer.paper
    )
  }

  /// A calendar of the care due within a year, which subscribed telephones reload every hour.
  package var calendar: String {
    let care = CareDue(events: facts.care, horses: facts.horses, today: moment.date)
    return CareCalendar.text(
      care.within(days: Self.daysAhead).map { item in
        CareCalendar.Day(
          event: "\(item.event.id)", due: item.due,
          words: localizer.phrases.careLine(item.horse.name, localizer.type(item.type)),
          stamp: CareCalendar.stamp(item.event.date, in: moment.zone))
      }, title: "\(localizer.phrases.careTitle()) · \(facts.team.name)", followedIn: moment.zone)
  }
}
