import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import Foundation
import PoolDigests
import PoolJobs
import PoolModel
import Testing

/// Every row of the golden file `notifications.json`: the notices that the app would have pending after a reschedule equal the
/// decisions for the next slots.
struct NotificationVectorTests {
  struct File: Decodable { let cases: [Row] }

  struct Row: Decodable {
    struct Input: Decodable {
      struct Settings: Decodable {
        let notificationsEnabled: Bool
        let morningRouteSummary: Bool
        let lowStockForTomorrow: Bool
        let weeklyDigest: Bool
        let routeSummaryReminderTime: Double
      }
      struct DayOnly: Decodable { let serviceDayOfWeek: Int }
      struct Stock: Decodable {
        let lowStockThresholdOz: Double
        let currentStockOz: Double
      }
      let settings: Settings
      let pools: [DayOnly]
      let inventory: [Stock]
      let now: String
      let timeZone: String
      let trialExpiresAt: String?
    }
    struct Trigger: Decodable, Hashable {
      var type: String
      var weekday: Int?
      var hour: Int?
      var minute: Int?
      var localDateTime: String?
      var fireAt: String?
      var repeats: Bool
    }
    struct Request: Decodable, Hashable {
      var identifier: String
      var title: String
      var body: String
      var sound: String
      var trigger: Trigger
    }
    struct Expected: Decodable { let requests: [Request] }
    let name: String
    let input: Input
    let expected: Expected
  }

  private static let zones = SystemZones()

  @Test func `pending notices equal the app's in every golden case`() throws {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/notifications", withExtension: "json"))
    let rows = try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).cases
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(try pending(row.input) == row.expected.requests, "\(row.name)")
    }
  }

  private func pending(_ input: Row.Input) throws -> [Row.Request] {
    let now = try #require(Timestamp(rfc3339: input.now))
    let zone = try Self.zones.zone(named: input.timeZone)
    let facts = try facts(input)
    let team = facts.team
    var requests: [Row.Request] = []
    for kind in JobCatalogue.pools.ofTeam {
      switch kind.rule(for: team, zone: zone) {
      case .never: continue
      case .once(let instant):
        // A time that is already past when it is set stays suppressed.
        guard instant > now else { continue }
        if let notice = decide(kind, facts, slot: instant, zone: zone) {
          requests.append(request(notice, once: instant, zone: zone))
        }
      case .calendar(let text):
        let rule = CalendarRule(try CalendarExpression(text), zone: zone)
        requests += try repeating(kind, rule, facts, now: now, zone: zone)
      }
    }
    return requests.sorted { $0.identifier < $1.identifier }
  }

  private func repeating(
    _ kind: JobKind, _ rule: CalendarRule, _ facts: TeamFacts, now: Timestamp, zone: Zone
  ) throws -> [Row.Request] {
    var requests: [Row.Request] = []
    var after = now
    // A week of slots covers each weekday; the low-stock reminder is about the next evening only.
    for _ in 0..<(kind == .lowStock ? 1 : 7) {
      let slot = try #require(rule.next(after: after))
      after = slot.instant
      guard let notice = decide(kind, facts, slot: slot.instant, zone: zone) else { continue }
      if kind == .lowStock {
        requests.append(request(notice, once: slot.instant, zone: zone))
      } else {
        let trigger = Row.Trigger(
          type: "weekly", weekday: slot.nominal.date.weekday.rawValue, hour: slot.nominal.time.hour,
          minute: slot.nominal.time.minute, repeats: true)
        let request = Row.Request(
          identifier: notice.identifier, title: notice.title, body: notice.body, sound: "default", trigger: trigger)
        if !requests.contains(request) { requests.append(request) }
      }
    }
    return requests
  }

  private func request(_ notice: Notice, once instant: Timestamp, zone: Zone) -> Row.Request {
    let local = zone.local(at: instant)
    let time = "\(padded(local.time.hour, 2)):\(padded(local.time.minute, 2)):\(padded(local.time.second, 2))"
    return Row.Request(
      identifier: notice.identifier, title: notice.title, body: notice.body, sound: "default",
      trigger: Row.Trigger(
        type: "once", localDateTime: "\(local.date)T\(time)", fireAt: instant.description, repeats: false))
  }

  private func decide(_ kind: JobKind, _ facts: TeamFacts, slot: Timestamp, zone: Zone) -> Notice? {
    let run = RunContext(
      jobID: JobID(1), kind: kind, slot: slot, asOf: slot, now: slot, lateness: .zero, install: "0123abcd")
    return JobDecision.decide(run, facts: facts, zone: zone).notice
  }

  private func facts(_ input: Row.Input) throws -> TeamFacts {
    let settings = TeamSettings(
      notificationsEnabled: input.settings.notificationsEnabled,
      morningNotice: input.settings.morningRouteSummary,
      lowStockForTomorrow: input.settings.lowStockForTomorrow, weeklyDigest: input.settings.weeklyDigest,
      morningTime: try #require(TimeOfDay(secondOfDay: Int(input.settings.routeSummaryReminderTime))))
    var plan = Plan.paid
    if let text = input.trialExpiresAt { plan = .trial(expires: try #require(Timestamp(rfc3339: text))) }
    let technician = Technician(id: TechnicianID(1), teamID: TeamID(1), name: "desert-blue", isDefault: true)
    var stops: [Weekday: [DayStop]] = [:]
    for (number, pool) in input.pools.enumerated() {
      let day = try #require(Weekday(rawValue: pool.serviceDayOfWeek))
      stops[day, default: []].append(
        DayStop(
          poolID: Samples.pool(number).id, customerName: "Customer \(number)", address: "1 Elm St", latitude: 33,
          longitude: -111, technicianID: technician.id, day: day, routeOrder: number))
    }
    let stock = input.inventory.enumerated().map { number, item in
      StockItem(
        item: Samples.item(3_000 + number, stock: item.currentStockOz, threshold: item.lowStockThresholdOz),
        technicianID: nil)
    }
    return TeamFacts(
      team: Samples.team(zone: input.timeZone, plan: plan, settings: settings), technicians: [technician],
      poolCount: input.pools.count, stopsByDay: stops, stock: stock)
  }
}
