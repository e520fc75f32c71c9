import PoolCalendar
package import PoolModel
package import PoolNotices
package import StableModel
import StableRules

/// What stands in a stable's published folders: its morning, its week, and its care as a calendar. Equal records on the same
/// day make equal bytes, but where a forecast grows old.
package struct BarnSite: Sendable {
  private let facts: BarnFacts
  private let moment: DigestMoment
  private let now: Timestamp

  /// How far ahead the calendar looks, in days.
  package static let daysAhead = 365

  /// - Parameters:
  ///   - facts: as a decision of today looks at them.
  ///   - moment: today's morning.
  ///   - now: to which the age of the forecast is counted.
  package init(_ facts: BarnFacts, at moment: DigestMoment, now: Timestamp) {
    self.facts = facts
    self.moment = moment
    self.now = now
  }

  private var speech: BarnSpeech { BarnSpeech(facts.team) }

  /// By name; the same for all of the barn's people.
  package var files: [String: [UInt8]] {
    let last = speech.phrases.follows()
    let pages = [
      "index.html": index,
      "today.html": BarnDigest(facts, at: moment, now: now).document.published(last: last),
      "week.html": BarnWeek(facts, at: moment).document.published(last: last),
    ]
    var files = pages.mapValues { Array($0.html.utf8) }
    files["care.ics"] = Array(calendar.utf8)
    return files
  }

  private var index: Document {
    let phrases = speech.phrases
    let links: [Document.Line] = [
      .init(phrases.today(), link: "today.html"), .init(phrases.week(), link: "week.html"),
      .init(phrases.careTitle(), link: "care.ics"),
    ]
    return Document(
      language: speech.language.rawValue,
      title: "\(facts.team.name) · \(speech.format.almanac.day(moment.date))", blocks: [.list(links)], footer: [""],
      paper: speech.paper
    ).published(last: phrases.follows())
  }

  /// Care that is due within a year, as days of a calendar that a telephone looks at again every hour.
  package var calendar: String {
    let care = CareDue(events: facts.care, horses: facts.horses, today: moment.date)
    return CareCalendar.text(
      care.within(days: Self.daysAhead).map { item in
        CareCalendar.Day(
          event: "\(item.event.id)", due: item.due,
          words: speech.phrases.careLine(item.horse.name, speech.type(item.type)),
          stamp: CareCalendar.stamp(item.event.date, in: moment.zone))
      }, title: "\(speech.phrases.careTitle()) · \(facts.team.name)", followedIn: moment.zone)
  }
}
