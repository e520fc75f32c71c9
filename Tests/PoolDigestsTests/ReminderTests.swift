import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import Testing

/// Reminders with a team's own text, and their conditions.
struct ReminderTests {
  static func reminder(
    _ name: String = "filters", title: String = "", text: String, technician: Int64? = nil,
    condition: Reminder.Condition = .always, severity: Severity = .notice, timesLeft: Int? = nil
  ) throws -> Reminder {
    Reminder(
      name: try #require(ReminderName(name)), title: try ReminderText(title), text: try ReminderText(text),
      technicianID: technician.map { TechnicianID($0) }, severity: severity, condition: condition, timesLeft: timesLeft)
  }

  /// Two stops on Mondays, one of them Nora's.
  private func decide(
    _ reminder: Reminder?, on date: CivilDate = DigestStand.monday, low: Bool = true, off: String? = nil
  ) throws -> Decision {
    var stand = DigestStand()
    stand.names = ["maria", "Nora"]
    stand.stops = [DigestStand.stop(1), DigestStand.stop(2, technician: 2)]
    stand.stock = [StockItem(item: Samples.item(stock: low ? 1 : 99, threshold: 9), technicianID: nil)]
    var facts = stand.facts
    if let reminder { facts.reminders[reminder.name] = reminder }
    if let off {
      facts.daysOff = DaysOff([
        DayOff(id: 1, technicianID: nil, span: try DaySpan(off, today: date), note: "", setBy: "")
      ])
    }
    let now = Timestamp(seconds: Int64(date.daysSince1970) * 86_400 + 9 * 3_600)
    let kind = JobKind.reminder(try #require(reminder?.name ?? ReminderName("gone")))
    return try #require(kind.scenario).decision(
      facts, at: DecisionMoment(digest: DigestMoment(zone: .utc, asOf: now), now: now, kind: kind))
  }

  private func body(_ decision: Decision) -> String {
    switch decision {
    case .notice(let draft): "\(draft.title): \(draft.body)"
    case .suppressed(let silence): "(\(silence.code))"
    }
  }

  @Test func `placeholders are filled in for the team or for one technician`() throws {
    let text = "Order cartridges for {pools.today} pools, tomorrow {pools.tomorrow}; {low-stock} low {{today}}"
    #expect(
      body(try decide(try Self.reminder(title: "Filters", text: text)))
        == "Filters: Order cartridges for 2 pools, tomorrow 0; Muriatic Acid low {today}")
    #expect(
      body(try decide(try Self.reminder(text: "{technician}: {pools.today}", technician: 2))) == "Reminder: Nora: 1")
    #expect(body(try decide(try Self.reminder(text: "{technician}"))) == "Reminder: desert-blue")
    #expect(body(try decide(try Self.reminder(text: "{low-stock}"), low: false)) == "Reminder: nothing")
  }

  @Test func `a reminder's condition may be stops, low stock or always`() throws {
    let tuesday = DigestStand.monday.adding(days: 1)
    let stops = try Self.reminder(text: "x", condition: .stops)
    #expect(body(try decide(stops)) == "Reminder: x")
    #expect(body(try decide(stops, on: tuesday)) == "(no-stops-today)")
    #expect(body(try decide(stops, off: "2026-03-02")) == "(no-stops-today)")
    #expect(body(try decide(try Self.reminder(text: "x", technician: 3, condition: .stops))) == "(no-stops-today)")
    let low = try Self.reminder(text: "x", condition: .lowStock)
    #expect(body(try decide(low)) == "Reminder: x")
    #expect(body(try decide(low, low: false)) == "(nothing-low)")
    #expect(body(try decide(try Self.reminder(text: "x"), on: tuesday, off: "2026-03-03")) == "Reminder: x")
    #expect(body(try decide(nil)) == "(no-reminder)")
  }

  @Test func `a reminder has its severity and a page like other notices`() throws {
    let reminder = try Self.reminder(title: "<Salt>", text: "Buy \"salt\" & more", technician: 2, severity: .error)
    guard case .notice(let draft) = try decide(reminder) else { throw Silent() }
    #expect(draft.severity == .error && draft.lines == ["Nora"])
    #expect(draft.identifier == "poolflow.notification.reminder.filters")
    let notice = Notice(
      id: "n", teamID: TeamID(1), teamName: "desert-blue", jobID: JobID(1), job: "reminder-filters",
      slot: Samples.mondayMorning, identifier: draft.identifier, title: draft.title, body: draft.body,
      lines: draft.lines, dataJSON: draft.dataJSON, lateness: .zero, createdAt: Samples.mondayMorning, expiresAt: nil)
    let page = String(decoding: try #require(NoticePage.html(notice)), as: UTF8.self)
    #expect(page.contains("&lt;Salt&gt; · desert-blue"), "\(page.prefix(400))")
    #expect(page.contains("Buy &quot;salt&quot; &amp; more") || page.contains("Buy \"salt\" &amp; more"))
    #expect(page.contains("Nora"))
  }

  private struct Silent: Error {}

  @Test(arguments: [
    ("{pool.today}", 1, "did you mean {pools.today}?"), ("ab {Team}", 4, "did you mean {team}?"),
    ("{}", 1, "there are {team}, {technician}"), ("x {", 3, "'{' has no partner"), ("}", 1, "text as '}}'"),
    ("{{{x}}}", 3, "there is no placeholder {x}"),
    ("é {nope nope nope}", 3, "there is no placeholder {nope nope nope}"),
  ])
  func `an unknown placeholder is refused with its column`(text: String, column: Int, hint: String) {
    #expect {
      _ = try ReminderText(text)
    } throws: { error in
      let sentence = "\(error)"
      return sentence.hasPrefix("column \(column): ") && sentence.contains(hint)
    }
  }

  @Test func `any text is a valid template or refused, and text without braces is unchanged`() throws {
    var random = SeededNumbers(seed: 11)
    var accepted = 0
    let pieces = ["{", "}", "{{", "}}", "{team}", "{low-stock}", "a", "é", "{x}", " ", "\u{301}", "{pools.today}"]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }.joined()
      guard let template = try? ReminderText(text) else { continue }
      #expect(template.description == text)
      if !text.contains("{") && !text.contains("}") { #expect(template.placeholders.isEmpty) }
      accepted += 1
    }
    #expect(accepted > 200 && accepted < 2_000)
  }

  @Test func `reminder names are plain words and part of the job's name`() {
    for bad in ["", "-a", "a-", "A", "a b", "ä", "a/b", String(repeating: "x", count: 41)] {
      #expect(ReminderName(bad) == nil, "\(bad)")
    }
    for good in ["a", "filters", "20261124-1500", String(repeating: "x", count: 40)] {
      #expect(JobCatalogues.all.kind(named: "reminder-\(good)")?.reminderName?.text == good)
    }
    #expect(JobCatalogues.all.kind(named: "reminder-") == nil && JobCatalogues.all.kind(named: "reminder-A") == nil)
    #expect(JobKind.trialReminder.reminderName == nil)
  }
}
