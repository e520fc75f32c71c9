import FlowCalendar
import FlowModel
import FlowNotices
import PoolModel

// The pages that are not about one day.
extension TeamSite {
  /// The office's start page: each technician's route, low stock, missed visits, days off, and links to the technicians'
  /// pages.
  func officePage(_ names: [SiteOwner: String]) -> Document {
    let phrases = localizer.phrases
    var blocks: [Document.Block] = [.list(links + [.init(phrases.weeklyTitle(), link: "week.html"), feedLink])]
    blocks += [.heading(phrases.drivesTitle(), level: 2), .list(technicians.map { routeLine(of: $0, names) })]
    if let closure = days[0].closure {
      blocks.append(.paragraph(.init([phrases.teamIsClosed(), closure.note].joined(separator: " "), .warning)))
    }
    if !lowStock.isEmpty {
      blocks += [
        .heading(phrases.lowStockTitle(), level: 2),
        .list(lowStock.map { .init($0.words(localizer), $0.stockOz < $0.thresholdOz ? .warning : .plain) }),
      ]
    }
    blocks.append(.heading(phrases.missedTitle(), level: 2))
    if missed.isEmpty { blocks.append(.paragraph(.init(phrases.noMissed(), .muted))) }
    let shown = missed.prefix(Limits.missedDaysOnPage)
    blocks.append(
      .list(shown.map { .init(phrases.sectionTitle(localizer.dateFormats.shortDay($0.date), $0.customer), .warning) }))
    if missed.count > shown.count {
      blocks.append(.paragraph(.init(localizer.say(localizer.more, missed.count - shown.count), .muted)))
    }
    if let off = week?.daysOff {
      blocks += [.heading(phrases.closedTitle(), level: 2), .list(off.map { .init($0.words(localizer)) })]
    }
    if let changed = week?.changedStops {
      blocks += [.heading(phrases.stopChangesTitle(), level: 2), .list(changed.map { .init($0.words(localizer)) })]
    }
    blocks.append(.paragraph(.init(phrases.feedNote(), .muted)))
    return document("\(team.name) · \(localizer.dateFormats.day(today))", blocks)
  }

  /// A technician's start page: links to the other pages.
  func ownPage(of technician: String) -> Document {
    document(
      "\(technician) · \(team.name) · \(localizer.dateFormats.day(today))",
      [
        .list(links + [.init(localizer.phrases.comingDays(), link: "week.html"), feedLink]),
        .paragraph(.init(localizer.phrases.feedNote(), .muted)),
      ])
  }

  private var links: [Document.Line] {
    [
      .init(localizer.phrases.routeTitle(), link: "today.html"),
      .init(localizer.phrases.tomorrowTitle(), link: "tomorrow.html"),
    ]
  }

  private var feedLink: Document.Line { .init(localizer.phrases.feedTitle(), link: "route.ics") }

  /// One technician's day, linked to the technician's pages: `Maria: 8 stops · 8:00 AM – 2:30 PM`
  private func routeLine(of technician: Technician, _ names: [SiteOwner: String]) -> Document.Line {
    let phrases = localizer.phrases
    let link = names[.technician(technician.id)].map { "../\($0)/index.html" }
    let section = days[0].digest?.sections.first { $0.technician == technician.name }
    let words: String
    switch section {
    case nil: words = phrases.noRoute()
    case let section? where section.isAway == true:
      return .init(
        phrases.uncovered(technician.name, localizer.say(phrases.stops, section.stops.count)), .plain, link: link)
    case let section?:
      words = section.hours(on: today, localizer)
    }
    return .init(phrases.sectionTitle(technician.name, words), .plain, link: link)
  }

  /// The week page: for the office the weekly digest without money, for a technician the stops of seven days.
  func weekPage(of owner: SiteOwner) -> Document {
    guard let technician = technician(owner) else {
      return week?.document(hasMoney: false)
        ?? document(localizer.phrases.weeklyTitle(), [])
    }
    var blocks: [Document.Block] = []
    for day in days.prefix(7) {
      blocks.append(.heading(localizer.dateFormats.day(day.date), level: 2))
      if let section = digest(of: day, for: owner)?.sections.first {
        blocks.append(
          .list(
            section.stops.map { stop in
              let time = localizer.time(stop.eta, daysLater: stop.etaDays, than: day.date)
              let place = [stop.customer, stop.address].filter { !$0.isEmpty }.joined(separator: ", ")
              let changed = stop.changed.map { localizer.words(of: $0, on: day.date) }
              return .init([time, place, changed].compactMap(\.self).joined(separator: " · "))
            }))
      } else {
        blocks.append(.paragraph(.init(whyNoRoute(on: day, for: owner), .muted)))
      }
    }
    return document(
      "\(localizer.phrases.comingDays()) · \(technician.name) · \(localizer.dateFormats.day(today))", blocks)
  }
}

// MARK: The feed

extension TeamSite {
  /// The route as a calendar subscription (RFC 5545, RFC 7986). It covers several days ahead, because calendar programs
  /// refresh only every few hours; for past days it contains the route that was sent. A stop's UID is stable for its day.
  func feed(of owner: SiteOwner) -> String {
    let title = CalendarText.escaped(technician(owner).map { "\($0.name) · \(team.name)" } ?? team.name)
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//poolflow//route feed//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
      "NAME:" + title, "X-WR-CALNAME:" + title, "X-WR-TIMEZONE:" + CalendarText.escaped(zone.name),
      "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H",
    ]
    for route in told {
      let name = technician(owner)?.name
      let stops = route.stops.filter { name == nil || $0.technician == name }
      guard !stops.isEmpty else { continue }
      lines += wholeDay(
        route.date, of: owner, stops: stops.count, stamp: stamp(route.date),
        words: stops.enumerated().map { "\($0 + 1). \($1.customer)" })
    }
    for day in days {
      let digests = routes(on: day, by: owner)
      guard !digests.isEmpty else { continue }
      let changed = digests.compactMap(\.dataAsOf).max().flatMap { LocalDateTime(minuteText: $0) }
      // The time of the last change, not of writing, so that equal content has equal bytes.
      let stamp = changed.map { zone.resolve($0).standard.compactSecond } ?? stamp(today)
      lines += wholeDay(
        day.date, of: owner, stops: digests.reduce(0) { $0 + ($1.sections.first?.stops.count ?? 0) }, stamp: stamp)
      for digest in digests { lines += digest.events(stamp: stamp, isDetailed: false) }
    }
    return CalendarText.whole(lines + ["END:VCALENDAR"])
  }

  /// One digest for each technician with stops who is not away.
  private func routes(on day: Day, by owner: SiteOwner) -> [MorningDigest] {
    guard let digest = digest(of: day, for: owner) else { return [] }
    guard owner == .office else { return [digest] }
    return digest.sections.filter { $0.isAway != true }.compactMap { digest.only($0.technician) }
  }

  /// The `DTSTAMP` of a past day: its midnight in the team's zone.
  private func stamp(_ date: CivilDate) -> String {
    zone.resolve(LocalDateTime(date: date, time: .midnight)).standard.compactSecond
  }

  /// An all-day event, `Route: 8 stops`, which remains visible in calendars that hide dense lists.
  private func wholeDay(
    _ date: CivilDate, of owner: SiteOwner, stops: Int, stamp: String, words: [String] = []
  ) -> [String] {
    let key: String
    switch owner {
    case .office: key = "team\(team.id.number)"
    case .technician(let id): key = "t\(id.number)"
    }
    func compact(_ date: CivilDate) -> String { date.description.replacing("-", with: "") }
    let title = localizer.phrases.routeOfDay(localizer.say(localizer.phrases.stops, stops))
    return [
      "BEGIN:VEVENT", "UID:route-\(key)-\(date)@poolflow", "DTSTAMP:\(stamp)", "DTSTART;VALUE=DATE:\(compact(date))",
      "DTEND;VALUE=DATE:\(compact(date.adding(days: 1)))", "SUMMARY:" + CalendarText.escaped(title),
      "TRANSP:TRANSPARENT",
    ] + (words.isEmpty ? [] : ["DESCRIPTION:" + words.map(CalendarText.escaped).joined(separator: "\\n")])
      + ["END:VEVENT"]
  }
}
