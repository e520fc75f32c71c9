import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import StableJobs
import StableModel
import StableRules
import Testing

struct CareTests {
  private struct Input: Decodable {
    let kind: String
    let now: String?
    let timeZone: String?
    let horses: [String]?
    let events: [Event]?
    let settings: Settings?
    let type: String?
    let date: String?
    let nextDue: String?
    let intervals: [String: Int?]?
  }
  private struct Settings: Decodable {
    let notificationsEnabled: Bool
    let careDue: Bool
    let barnDigest: Bool

    var speaks: Bool { notificationsEnabled && careDue && !barnDigest }
  }
  private struct Event: Decodable {
    let id: String
    let horse: String
    let type: String
    let date: String
    let nextDue: String?
  }
  private struct Item: Decodable, Equatable {
    let horse: String
    let type: String
    let due: String?
    let days: Int
    let status: String?
  }
  private struct Expected: Decodable {
    let today: String?
    let items: [Item]?
    let speaks: Bool?
    let told: [Item]?
    let reason: String?
    let due: String?
  }

  @Test func `due care equals every golden case`() throws {
    var kinds: [String: Int] = [:]
    for row in try Golden<Input, Expected>.rows("care_due") {
      kinds[row.input.kind, default: 0] += 1
      switch row.input.kind {
      case "due": try due(row)
      case "proposal": try proposal(row)
      default: Issue.record("\(row.name) is of an unknown kind")
      }
    }
    for kind in ["due", "proposal"] { #expect(kinds[kind] ?? 0 > 0) }
  }

  private func due(_ row: Golden<Input, Expected>.Row) throws {
    let zone = try zones.zone(named: try #require(row.input.timeZone))
    var names = NamedHorses()
    let horses = try #require(row.input.horses).map { names.horse($0) }
    let events = try #require(row.input.events).map { event in
      CareEvent(
        id: try #require(CareEventID(event.id)), horseID: names.id(event.horse),
        type: try #require(CareType(rawValue: event.type)), date: try date(event.date),
        nextDue: try event.nextDue.map(date))
    }
    let today = FeedDates(at: try instant(row.input.now), in: zone).today
    #expect(today.description == row.expected.today, "\(row.name)")
    let care = CareDue(events: events, horses: horses, today: today)
    let items = care.items.map {
      Item(
        horse: $0.horse.name, type: $0.type.rawValue, due: $0.due.description, days: $0.days,
        status: $0.status.rawValue)
    }
    #expect(items == row.expected.items, "\(row.name)")
    #expect(care.within() == care.items.filter { $0.status != .later }, "\(row.name)")
    let settings = try #require(row.input.settings)
    let off = [(settings.careDue, "care-due"), (settings.barnDigest, "barn-digest")].filter { !$0.0 }.map(\.1)
    var job = JobCase(horses: horses, notifications: settings.notificationsEnabled, off: Set(off), zone: zone)
    job.facts.care = events
    let outcome = job.outcome(of: .careDue, slot: try instant(row.input.now))
    #expect(outcome.reason == row.expected.reason, "\(row.name)")
    #expect((outcome.result == .notified) == row.expected.speaks, "\(row.name)")
    #expect((outcome.notice?.lines.count ?? 0) == (row.expected.told ?? []).count, "\(row.name)")
    // The job decides whether settings suppress the notice; the rule gives its contents.
    guard settings.speaks else { return }
    let reminderItems = care.reminderItems.map {
      Item(horse: $0.horse.name, type: $0.type.rawValue, due: nil, days: $0.days, status: nil)
    }
    #expect(reminderItems == row.expected.told, "\(row.name)")
    #expect(!reminderItems.isEmpty == row.expected.speaks, "\(row.name)")
  }

  private func proposal(_ row: Golden<Input, Expected>.Row) throws {
    var settings = BarnSettings()
    for (name, days) in row.input.intervals ?? [:] {
      settings.intervals[try #require(CareType(rawValue: name))] = .some(days)
    }
    let type = try #require(CareType(rawValue: row.input.type ?? ""))
    let proposed = settings.proposedDue(type, on: try date(row.input.date))
    let due = row.input.nextDue ?? proposed?.description
    #expect(due == row.expected.due, "\(row.name)")
  }
}
