package import FlowCalendar
package import FlowModel
package import FlowNotices
package import PoolModel

/// The content of a team's published folders on one local day. It reads no clock: equal records on the same day give equal
/// bytes except for the time at which the pages were made, and the content changes with the date even if no notice was sent.
package struct TeamSite: Sendable {
  /// The content for one day.
  struct Day: Sendable {
    let date: CivilDate
    /// The route; nil if the day has no stops or the team is closed.
    let digest: MorningDigest?
    let closure: DayOff?
  }

  /// A service day without a visit.
  package struct Missed: Hashable, Sendable {
    let date: CivilDate
    let customer: String
  }

  let team: Team
  let technicians: [Technician]
  let zone: Zone
  let today: CivilDate
  /// The time at which the pages are made.
  private let made: LocalDateTime
  /// Today and the next thirteen days.
  let days: [Day]
  /// The routes that were sent on days before today, oldest first.
  let told: [SentRoute]
  let week: WeekDigest?
  let lowStock: [MorningDigest.LowStockLine]
  let missed: [Missed]
  /// Gate codes and contact data of the stops; empty unless the sink is sensitive.
  private let access: [PoolAccess]

  /// The number of days in the calendar feed from today on, and below the number of past days.
  package static let daysAhead = 14
  package static let daysBack = 14
  /// The days before today that are checked for missed visits.
  private static let visitsRequiredForMissed = 4...10

  /// - Parameters:
  ///   - facts: the morning facts of seven days, from today on.
  ///   - told: all recorded routes, of any days.
  ///   - week: the facts for a weekly digest of today.
  ///   - pools: all of the team's pools.
  ///   - worksOnClosedDays: true if morning notices ignore closed days.
  ///   - now: the time at which the pages are made.
  package init?(
    _ facts: [TeamFacts], told: [SentRoute], week: TeamFacts?, pools: [Pool], access: [PoolAccess] = [],
    worksOnClosedDays: Bool = false, now: Timestamp, zone: Zone
  ) {
    made = zone.local(at: now)
    let today = made.date
    guard let first = facts.first, facts.count == 7 else { return nil }
    (team, technicians, self.zone, self.today, self.access) = (first.team, first.technicians, zone, today, access)
    func morning(_ date: CivilDate) -> Timestamp {
      zone.resolve(LocalDateTime(date: date, time: first.team.settings.morningTime)).standard
    }
    days = (0..<Self.daysAhead).map { offset in
      let date = today.adding(days: offset)
      let facts = facts[offset % 7]
      let closure = worksOnClosedDays ? nil : first.daysOff.closure(on: date)
      // Tomorrow's page equals the preview of the evening before.
      let moment =
        offset == 1
        ? DigestMoment(zone: zone, asOf: morning(today), daysAhead: 1) : DigestMoment(zone: zone, asOf: morning(date))
      let digest =
        closure == nil && !facts.stops(on: date).isEmpty ? MorningDigest(facts, at: moment) : nil
      return Day(date: date, digest: digest, closure: closure)
    }
    self.told = told.filter { today.adding(days: -Self.daysBack) <= $0.date && $0.date < today }
      .sorted { $0.date < $1.date }
    self.week = week.map {
      let evening = TimeOfDay(hour: 17, minute: 0) ?? .sevenInTheMorning
      return WeekDigest(
        $0,
        at: DigestMoment(zone: zone, asOf: zone.resolve(LocalDateTime(date: today, time: evening)).standard))
    }
    lowStock = MorningDigest.LowStockLine.lines(
      first, before: first.nextWorkingDay(after: today), from: today, isMorning: true, in: zone)
    let visits = Dictionary(grouping: week?.week?.week.visits ?? [], by: \.poolID)
    missed = pools.flatMap { pool in
      let visited = visits[pool.id]?.map { zone.local(at: $0.at).date.daysSince1970 } ?? []
      return pool.missedDays(
        Self.visitsRequiredForMissed.map { today.adding(days: -$0) }, visited, first.daysOff, first.services,
        today: today, zone
      ).map { Missed(date: $0, customer: pool.customerName) }
    }.sorted { ($0.date, $0.customer) < ($1.date, $1.customer) }
  }

  var localizer: Localizer { Localizer(team) }

  package var owners: [SiteOwner] { SiteOwner.all(technicians) }
}

// MARK: Files

extension TeamSite {
  /// The files of each owner's folder, by file name.
  ///
  /// - Parameter names: the folder name of each owner, for links on the office's page.
  package func files(_ names: [SiteOwner: String]) -> [SiteOwner: [String: [UInt8]]] {
    var files: [SiteOwner: [String: [UInt8]]] = [:]
    for owner in owners {
      let name = technician(owner)?.name
      let pages: [SitePage: Document] = [
        .start: owner == .office ? officePage(names) : ownPage(of: name ?? ""),
        .today: page(of: days[0], for: owner), .tomorrow: page(of: days[1], for: owner), .week: weekPage(of: owner),
      ]
      var own = SiteFolderPart.homeScreenFiles(
        name: localizer.phrases.routeTitle(), start: .today, language: localizer.language)
      for (page, document) in pages {
        let part = SiteFolderPart(of: page, madeAt: localizer.format.moment(made), in: localizer.language)
        own[page.rawValue] = Self.bytes(
          document.published(last: localizer.language.commonPhrases.pageFollows(), in: part))
      }
      own["route.ics"] = Array(feed(of: owner).utf8)
      files[owner] = own
    }
    return files
  }

  /// The files for a team whose records cannot be read; the existing pages would be outdated tomorrow.
  package static func errorPages(_ team: Team) -> [String: [UInt8]] {
    let localizer = Localizer(team)
    let page = Document(
      language: localizer.language.rawValue, title: team.name,
      blocks: [.paragraph(.init(localizer.phrases.pageBroken(), .warning))], footer: [""], paper: localizer.paper)
    let bytes = bytes(page.published(last: localizer.language.commonPhrases.pageFollows()))
    return ["index.html": bytes, "today.html": bytes, "tomorrow.html": bytes, "week.html": bytes]
  }

  private static func bytes(_ page: Document) -> [UInt8] { Array(page.html.utf8) }

  /// The technician of a folder; nil for the office.
  func technician(_ owner: SiteOwner) -> Technician? {
    guard case .technician(let id) = owner else { return nil }
    return technicians.first { $0.id == id }
  }

  /// The digest of a day for an owner; nil if there is no route.
  func digest(of day: Day, for owner: SiteOwner) -> MorningDigest? {
    guard let technician = technician(owner) else { return day.digest }
    return day.digest?.only(technician.name).flatMap { $0.sections.first?.isAway == true ? nil : $0 }
  }

  private func page(of day: Day, for owner: SiteOwner) -> Document {
    guard let digest = digest(of: day, for: owner) else {
      let title = day.date == today ? localizer.phrases.routeTitle() : localizer.phrases.tomorrowTitle()
      return document(
        "\(title) · \(team.name) · \(localizer.dateFormats.day(day.date))",
        [.paragraph(.init(whyNoRoute(on: day, for: owner), .warning))])
    }
    return digest.document(access: access, hasSentences: false)
  }

  /// The reason why a day has no route for an owner: a closure, an absence, or no stops.
  func whyNoRoute(on day: Day, for owner: SiteOwner) -> String {
    let phrases = localizer.phrases
    if let closure = day.closure {
      return [phrases.teamIsClosed(), closure.note].filter { !$0.isEmpty }.joined(separator: " ")
    }
    if let technician = technician(owner), day.digest?.only(technician.name)?.sections.first?.isAway == true {
      return phrases.away(technician.name)
    }
    return phrases.noRoute()
  }

  /// A page with the time of the newest data in its footer; `files` replaces the last line.
  func document(_ title: String, _ blocks: [Document.Block]) -> Document {
    let changed = days.compactMap(\.digest?.dataAsOf).max().flatMap { LocalDateTime(minuteText: $0) }
    let footer = changed.map { [localizer.phrases.dataAsOf(localizer.format.moment($0))] } ?? []
    return Document(
      language: localizer.language.rawValue, title: title, blocks: blocks, footer: footer + [""], paper: localizer.paper
    )
  }
}
