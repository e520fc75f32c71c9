import FlowControl
import FlowModel
import FlowWork
import PoolJobs
import Testing

@testable import FlowNodes

/// Broadcasts of one node's events to other nodes.
@Suite struct EventBroadcastTests {
  private static let north = EventBroadcast.Sender(name: "north", mark: "0badcafe")
  private static let now = Timestamp(seconds: 1_772_400_000)

  private func event(_ detail: String, team: String? = "desert-blue") -> BroadcastEvent {
    let event: DaemonEvent = if let team { .team(team, detail) } else { .settings(detail) }
    return BroadcastEvent(EventBus.Stamped(at: Self.now, event: event))
  }

  @Test func `any event is received unchanged, in calls of allowed size`() throws {
    let details = [
      "", "O'Brien's \"pool\" \\ 7", "a line\nand a tab\t", "Schwimmbäder 泳池 🏊‍♀️", "\u{2028} [1,2] events north",
    ]
    let events = (0..<2_000).map { event(details[$0 % details.count] + String(repeating: "x", count: $0 % 97)) }
    let calls = EventBroadcast(of: Self.north, events: events, lost: 3).calls
    #expect(calls.allSatisfy { $0.utf8.count <= Limits.nodeMessageBytes } && calls.count < 100, "\(calls.count)")
    let heard = try calls.map { try #require(EventBroadcast(call: $0)) }
    #expect(heard.flatMap(\.events) == events)
    #expect(heard.allSatisfy { $0.sender == Self.north } && heard.reduce(0) { $0 + $1.lost } == 3)
  }

  @Test func `an oversized event is truncated without affecting others`() throws {
    let long = String(repeating: "ü", count: 30_000)
    let events = [event("before"), event(long), event("\u{1E}\u{1F}\u{0}after\u{1}")]
    let calls = EventBroadcast(of: Self.north, events: events, lost: 0).calls
    #expect(calls.allSatisfy { $0.utf8.count <= Limits.nodeMessageBytes })
    let heard = calls.compactMap { EventBroadcast(call: $0) }.flatMap(\.events)
    #expect(heard.map(\.detail) == ["before", String(long.prefix(500)) + "…", "after"])
    let nameless = EventBroadcast(of: Self.north, events: [event("x", team: long)], lost: 0).calls
    #expect(nameless.compactMap { EventBroadcast(call: $0)?.lost } == [1], "what has no room at all is counted")
  }

  @Test func `every kind of event is received unchanged`() throws {
    let run = RunRecord(
      jobID: JobID(7), teamID: TeamID(3), teamName: "desert-blue", kind: .lowStock, zone: "America/Phoenix",
      slot: Self.now,
      cause: .schedule, outcome: .failed, reason: nil, detail: nil, attempts: 1, startedAt: nil, finishedAt: nil,
      lateness: nil, note: nil, inputs: nil, nextTryAt: nil, noticeID: nil, people: [])
    let all: [DaemonEvent] = [
      .cancelled(run), .sink("drop", state: .sick, detail: "no room"), .team("desert-blue", "was added"),
      .settings("Sinks"),
    ]
    let events = all.map { BroadcastEvent(EventBus.Stamped(at: Self.now, event: $0)) }
    #expect(
      try #require(EventBroadcast(call: EventBroadcast(of: Self.north, events: events, lost: 0).calls[0])).events
        == events)
    #expect(events.map { BroadcastEvent(text: $0.text[...]) } == events)
  }

  @Test func `no events give no call; other calls are not parsed as events`() {
    #expect(EventBroadcast(of: Self.north, events: [], lost: 0).calls.isEmpty)
    for call in [
      "", "news 7 1,2", "events", "events north 0badcafe", "events north 0badcafe x\u{1E}1", "wish",
      "events north 0badcafe -1", "events north 0badcafe 9223372036854775807",
    ] {
      #expect(EventBroadcast(call: call) == nil, "\(call)")
    }
  }

  @Test func `only the newest events are broadcast, with the number of lost ones`() {
    let (shared, own) = (EventBus(isShared: true), EventBus())
    let count = 2 * Limits.eventsBroadcast + 200
    for number in 0..<count {
      shared.publish(.settings("\(number)"), at: Self.now)
      own.publish(.settings("\(number)"), at: Self.now)
    }
    let (events, lost) = shared.takeUnsent()
    #expect(events.map { BroadcastEvent($0).detail } == (count - Limits.eventsBroadcast..<count).map(String.init))
    #expect(lost == count - Limits.eventsBroadcast)
    #expect(shared.takeUnsent().events.isEmpty && own.takeUnsent().events.isEmpty)
  }

  @Test func `received events are shown but not broadcast again; losses are counted`() async throws {
    let bus = EventBus(isShared: true)
    let broadcast = EventBroadcast(of: Self.north, events: [event("was added"), event("Sinks", team: nil)], lost: 4)
    try await bus.listen(for: 1) { stream, lost in
      bus.receive(broadcast)
      var heard: [BroadcastEvent] = []
      for await stamped in stream {
        heard.append(BroadcastEvent(stamped))
        if heard.count == 2 { break }
      }
      // A team's events have no node prefix; settings belong to one node.
      #expect(heard.map(\.detail) == ["was added", "node 'north': Sinks"])
      #expect(heard.map(\.at) == [Self.now.milliseconds, Self.now.milliseconds])
      #expect(lost() == 4 && lost() == 0)
    }
    #expect(bus.recent.count == 2 && bus.takeUnsent().events.isEmpty)
  }
}
