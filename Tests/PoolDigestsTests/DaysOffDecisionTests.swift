import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import PoolModel
import Testing

/// Notices around days off, and the evening preview of the route.
struct DaysOffDecisionTests {
  /// Four stops on Thursday, one on Friday, two on Monday; Nora drives Friday's stop and one of Monday's.
  private func facts(
    _ settings: TeamSettings = TeamSettings(), off: [(String, Int64?, String)] = [], low: Int = 1,
    language: Language = .english
  ) throws -> TeamFacts {
    var team = Samples.team(zone: "UTC", settings: settings)
    team.language = language
    let stops: [(Weekday, Int, Int64)] = [
      (.thursday, 1, 1), (.thursday, 2, 1), (.thursday, 3, 1), (.thursday, 4, 1), (.friday, 5, 2), (.monday, 6, 1),
      (.monday, 7, 2),
    ]
    var byDay: [Weekday: [DayStop]] = [:]
    for (day, number, technician) in stops {
      byDay[day, default: []].append(DigestStand.stop(number, technician: technician))
    }
    var facts = TeamFacts(
      team: team,
      technicians: ["anna", "Nora"].enumerated().map {
        Technician(id: TechnicianID(Int64($0 + 1)), teamID: team.id, name: $1, isDefault: $0 == 0)
      }, poolCount: 7, stopsByDay: byDay,
      stock: (0..<low).map {
        StockItem(item: Samples.item(3_000 + $0, name: "Acid \($0)", stock: 1, threshold: 9), technicianID: nil)
      })
    facts.daysOff = DaysOff(
      try off.enumerated().map { index, one in
        let span = try DaySpan(one.0, today: Self.wednesday)
        return DayOff(
          id: Int64(index), technicianID: one.1.map { TechnicianID($0) }, span: span, note: one.2, setBy: "anna")
      })
    return facts
  }

  private static let wednesday = CivilDate(year: 2026, month: 12, day: 23)
  private static let christmas = ("2026-12-24..2026-12-26", nil as Int64?, "Christmas")
  private static let quiet = TeamSettings(morningNotice: false)

  private func decide(
    _ kind: JobKind, _ facts: TeamFacts, on day: Int, timing: JobTiming = .unchosen, hour: Int = 18
  ) throws -> Decision {
    let date = CivilDate(year: 2026, month: 12, day: 1).adding(days: day - 1)
    let now = Timestamp(seconds: Int64(date.daysSince1970) * 86_400 + Int64(hour) * 3_600)
    return try #require(kind.scenario).decision(
      facts,
      at: DecisionMoment(
        digest: DigestMoment(zone: .utc, asOf: now), now: now, kind: kind,
        ignoresClosedDays: timing.closed == .ignore))
  }

  private func words(_ decision: Decision) -> String {
    switch decision {
    case .notice(let draft): ([draft.title, draft.body] + draft.lines).joined(separator: " | ")
    case .suppressed(let silence): "(\(silence.code))"
    }
  }

  @Test func `a closed day has no morning route, unless the job ignores closed days`() throws {
    let facts = try facts(off: [Self.christmas])
    for day in 24...26 { #expect(words(try decide(.morningSummary, facts, on: day)) == "(closed-today)") }
    let silence = try #require(try decide(.morningSummary, facts, on: 24).silence)
    #expect(silence.sentence == "the team is closed today: Christmas")
    var ignoring = JobTiming()
    ignoring.closed = .ignore
    #expect(words(try decide(.morningSummary, facts, on: 24, timing: ignoring)).contains("4 pool(s)"))
    #expect(words(try decide(.morningSummary, facts, on: 28)).contains("2 pool(s)"))
  }

  @Test func `the evening before the first closed day lists the stops to move`() throws {
    let facts = try facts(off: [Self.christmas])
    #expect(
      words(try decide(.closedDay, facts, on: 23)) == """
        Closed Tomorrow | 5 stops need another day. | Thu, Dec 24: Christmas |      Customer 1, 1 Elm St | \
             Customer 2, 2 Elm St |      Customer 3, 3 Elm St |      Customer 4, 4 Elm St | Fri, Dec 25: Christmas | \
             Customer 5, 5 Elm St
        """)
    for day in [22, 24, 25, 26, 27] { #expect(words(try decide(.closedDay, facts, on: day)) == "(open-tomorrow)") }
    let sunday = try self.facts(off: [("2026-12-27", nil, "")])
    #expect(words(try decide(.closedDay, sunday, on: 26)) == "(no-stops-closed)")
  }

  @Test func `low stock looks ahead to the next working day and names it`() throws {
    // Saturday and Sunday have no stops, so the day after Christmas needs no preparation.
    #expect(words(try decide(.lowStock, try facts(Self.quiet, off: [Self.christmas]), on: 23)) == "(no-stops-tomorrow)")
    let long = try facts(Self.quiet, off: [("2026-12-24..2026-12-27", nil, "")])
    let told = words(try decide(.lowStock, long, on: 23))
    #expect(told.hasPrefix("Prep for Monday | 1 low-stock chemical(s) before 2 scheduled stop(s)."), "\(told)")
    #expect(told.contains("Monday needs") || !told.contains("Tomorrow needs"), "\(told)")
    // On the closed days nothing can be done; on the last evening the next working day is tomorrow.
    for day in [24, 25, 26] { #expect(words(try decide(.lowStock, long, on: day)) == "(closed-today)") }
    #expect(words(try decide(.lowStock, long, on: 27)).hasPrefix("Prep for Tomorrow |"))
    #expect(words(try decide(.lowStock, try facts(Self.quiet), on: 23)).hasPrefix("Prep for Tomorrow |"))
  }

  @Test func `an absent technician's stops are reported as unassigned`() throws {
    let facts = try facts(off: [("2026-12-28", 2, "flu")])
    let told = words(try decide(.morningSummary, facts, on: 28, hour: 7))
    #expect(told.contains("anna: 1 stop |   1  Customer 6"), "\(told)")
    #expect(told.contains("Nora is away, 1 stop unassigned |   1  Customer 7"), "\(told)")
    let draft = try #require(try decide(.morningSummary, facts, on: 28, hour: 7).draft)
    let digest = try #require(DigestJSON.morning(draft.dataJSON))
    #expect(digest.sections.map(\.isAway) == [nil, true])
    #expect(digest.sections[1].load.isEmpty)
    #expect(digest.document().html.contains("Nora is away, 1 stop unassigned"))
  }

  @Test func `the preview shows tomorrow's route, and is suppressed before a closed day`() throws {
    let on = TeamSettings(morningNotice: false, eveningPreview: true)
    let facts = try facts(on, off: [("2026-12-25", nil, "")])
    #expect(
      words(try decide(.routePreview, facts, on: 23)).hasPrefix(
        "Tomorrow's Route | 4 pools are scheduled for tomorrow. |"))
    #expect(words(try decide(.routePreview, facts, on: 24)) == "(closed-tomorrow)")
    #expect(words(try decide(.routePreview, facts, on: 25)) == "(no-stops-tomorrow)")
    #expect(words(try decide(.routePreview, try self.facts(), on: 23)) == "(disabled)")
    let draft = try #require(try decide(.routePreview, facts, on: 23).draft)
    #expect(draft.identifier == "poolflow.notification.routePreview.5")
    let digest = try #require(DigestJSON.morning(draft.dataJSON))
    #expect(digest.date == "2026-12-24" && digest.weekday == .thursday && digest.isPreview == true)
    #expect(
      digest.document().html.contains("Tomorrow's Route"))
    #expect((draft.kept as? MorningDigest)?.route.date == CivilDate(year: 2026, month: 12, day: 24))
  }

  @Test func `low stock is reported by only one kind of notice under all settings`() throws {
    for bits in 0..<16 {
      let settings = TeamSettings(
        morningNotice: bits & 1 != 0, lowStockForTomorrow: bits & 2 != 0, eveningPreview: bits & 4 != 0)
      let facts = try facts(settings, off: bits & 8 == 0 ? [] : [Self.christmas])
      var carriers: Set<JobKind> = []
      for day in 1...31 {
        for kind in [JobKind.morningSummary, .routePreview, .lowStock] {
          if words(try decide(kind, facts, on: day)).contains("Low stock:") { carriers.insert(kind) }
        }
      }
      let expected: Set<JobKind> =
        !settings.lowStockForTomorrow
        ? [] : settings.eveningPreview ? [.routePreview] : settings.morningNotice ? [.morningSummary] : [.lowStock]
      #expect(carriers == expected, "\(settings)")
    }
  }

  @Test func `each kind suppresses only for its listed reasons, with and without closed days`() throws {
    for kind in JobCatalogue.pools.ofTeam {
      let scenario = try #require(kind.scenario)
      let codes = Set(scenario.suppressionReasons.map(\.code))
      var suppressionReasons = 0
      for bits in 0..<8 {
        let settings = TeamSettings(
          notificationsEnabled: bits & 1 == 0, morningNotice: bits & 2 == 0, eveningPreview: bits & 4 == 0)
        let facts = try facts(settings, off: [Self.christmas, ("Mon", 2, "")], low: bits % 2)
        for day in 1...31 {
          guard case .suppressed(let silence) = try decide(kind, facts, on: day) else { continue }
          #expect(codes.contains(silence.code), "\(kind.rawValue): \(silence.code)")
          suppressionReasons += 1
        }
      }
      #expect(suppressionReasons > 0, "\(kind.rawValue)")
    }
  }

  @Test func `the weekly digest names coming days off, if there are any`() throws {
    func week(_ off: [(String, Int64?, String)]) throws -> (lines: [String], html: String, json: String) {
      guard case .notice(let draft) = try decide(.weeklyDigest, try facts(off: off), on: 20, hour: 17) else {
        return ([], "", "")
      }
      return (draft.lines, try #require(DigestJSON.week(draft.dataJSON)).document().html, draft.dataJSON)
    }
    #expect(try week([]).lines.isEmpty)
    #expect(try !week([]).json.contains("days_off"))
    let told = try week([Self.christmas, ("2026-12-28..2026-12-29", 2, ""), ("2027-01-20", nil, "later")])
    #expect(
      told.lines == [
        "Days off:", "     Thu, Dec 24 to Sat, Dec 26: Christmas", "     Mon, Dec 28 to Tue, Dec 29: Nora is away",
      ])
    #expect(told.html.contains("Thu, Dec 24 to Sat, Dec 26: Christmas"))
  }

  @Test(arguments: Language.allCases)
  func `notices around days off equal the snapshot in every language`(language: Language) throws {
    var lines: [String] = []
    let off = [("2026-12-24..2026-12-27", nil as Int64?, "X"), ("2026-12-28", 2, "")]
    let quiet = try facts(Self.quiet, off: off, language: language)
    let preview = try facts(TeamSettings(eveningPreview: true), off: [("2026-12-24", 1, "")], language: language)
    lines.append("closed-day: \(words(try decide(.closedDay, quiet, on: 23)))")
    lines.append("low-stock: \(words(try decide(.lowStock, quiet, on: 23)))")
    lines.append("preview: \(words(try decide(.routePreview, preview, on: 23)))")
    lines.append("weekly: \(words(try decide(.weeklyDigest, quiet, on: 20)))")
    for name in ["all", "none"] {
      let reminder = try ReminderTests.reminder(
        text: "{team} {technician} {date} {weekday} {pools.today} {pools.tomorrow} {low-stock}")
      var facts = try facts(low: name == "all" ? 2 : 0, language: language)
      facts.reminders[reminder.name] = reminder
      lines.append("reminder \(name): \(words(try decide(.reminder(reminder.name), facts, on: 24)))")
    }
    try Snapshot.compare("days-off-\(language.rawValue).txt", lines.joined(separator: "\n") + "\n")
  }
}

extension Decision {
  fileprivate var silence: SuppressionReason? { if case .suppressed(let silence) = self { silence } else { nil } }
  fileprivate var draft: NoticeDraft? { if case .notice(let draft) = self { draft } else { nil } }
}
