import FlowDelivery
import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import Testing

struct LaneStateTests {
  private var random = SeededNumbers(seed: 7)
  private let broken = SinkError.temporary(.outputClosed(sink: "out"))
  private let later = SinkError.temporary(.journalBusy(path: "/run/journal"))
  private let never = SinkError.permanent(.nameTaken(path: "/drop/new/a.json"))

  private mutating func after(
    _ events: [LaneState.Event], in lane: inout LaneState, now: Timestamp = slot
  ) -> LaneState.Action {
    var action = LaneState.Action.askNextDue
    for event in events { action = lane.handle(event, now: now, using: &random) }
    return action
  }

  @Test mutating func `a one-step lane fetches, delivers, records and fetches again`() {
    var lane = LaneState(sink: "out", isStaging: false)
    #expect(!lane.isPaused && !lane.isIdle && lane.trouble == nil && lane.failureCount == 0)
    let entries = sampleEntries(2, sink: "out")
    #expect(lane.start(now: slot) == .fetch(asOf: slot))
    #expect(after([.fetched(entries)], in: &lane) == .deliver(entries))
    var record = LaneState.Record()
    record.sent = [1, 2]
    #expect(after([.judged([.delivered, .delivered])], in: &lane) == .record(record))
    #expect(after([.recorded], in: &lane) == .fetch(asOf: slot))
    #expect(after([.fetched([])], in: &lane) == .askNextDue)
    #expect(after([.nextDue(nil)], in: &lane) == .wait(nil))
    #expect(lane.isIdle)
  }

  @Test mutating func `a lane is idle while nothing is due, until it fetches again`() {
    var lane = LaneState(sink: "out", isStaging: false)
    func waits(_ lane: inout LaneState, _ random: inout SeededNumbers) -> Bool {
      for event in [LaneState.Event.fetched([]), .nextDue(slot.advanced(by: .seconds(9)))] {
        _ = lane.handle(event, now: slot, using: &random)
      }
      return lane.isIdle
    }
    _ = lane.start(now: slot)
    for event in [LaneState.Event.woken, .resumed, .timeReached] {
      #expect(waits(&lane, &random))
      _ = lane.handle(event, now: slot, using: &random)
      #expect(!lane.isIdle, "\(event)")
    }
    _ = lane.handle(.fetched(sampleEntries(1)), now: slot, using: &random)
    #expect(!lane.isIdle)
    // A pause ends with the next fetch.
    for event in [LaneState.Event.woken, .resumed, .timeReached] {
      _ = lane.handle(.failed(broken), now: slot, using: &random)
      #expect(lane.isPaused)
      _ = lane.handle(event, now: slot, using: &random)
      #expect(!lane.isPaused, "\(event)")
    }
    _ = lane.handle(.failed(broken), now: slot, using: &random)
    _ = lane.start(now: slot)
    #expect(!lane.isPaused)
    // A lane stopped during a wait starts again.
    lane = LaneState(sink: "out", isStaging: false)
    _ = lane.start(now: slot)
    #expect(waits(&lane, &random))
    _ = lane.start(now: slot)
    #expect(!lane.isIdle)
  }

  @Test mutating func `a rate-limited lane delivers at most its rate in any interval`() {
    var lane = LaneState(sink: "out", isStaging: false, rate: SinkRate("3/min"))
    #expect(lane.start(now: slot) == .fetch(asOf: slot) && lane.fetchLimit == 3)
    _ = after([.fetched(sampleEntries(2)), .judged([.delivered, .delivered]), .recorded], in: &lane)
    #expect(lane.fetchLimit == 1)
    let later = slot.advanced(by: .seconds(20))
    let refusal = SinkVerdict.refused(.permanent(.nameTaken(path: "/drop/new/a.json")))
    // Refused entries do not count as delivered.
    #expect(
      after([.fetched([sampleEntry(3)]), .judged([refusal]), .recorded], in: &lane, now: later)
        == .fetch(asOf: later))
    #expect(
      after([.fetched([sampleEntry(4)]), .judged([.delivered]), .recorded], in: &lane, now: later)
        == .wait(.seconds(40)))
    #expect(after([.woken], in: &lane, now: later) == .wait(.seconds(40)))
    let minute = slot.advanced(by: .seconds(60))
    #expect(after([.timeReached], in: &lane, now: minute) == .fetch(asOf: minute))
    #expect(lane.fetchLimit == 2)
    // A clock set back delays nothing.
    let past = slot.advanced(by: .hours(-2))
    #expect(after([.fetched([]), .nextDue(nil), .woken], in: &lane, now: past) == .fetch(asOf: past))
    #expect(lane.fetchLimit == 3)
  }

  @Test mutating func `an entry that expires during its wait is dead at its expiry`() throws {
    var lane = LaneState(sink: "out", isStaging: false)
    let expiry = slot.advanced(by: .seconds(2))
    let entry = sampleEntry(1, notice: sampleNotice(expiresAt: expiry))
    _ = lane.start(now: slot)
    guard case .record(let record) = after([.fetched([entry]), .judged([.refused(later)])], in: &lane) else {
      Issue.record("no record")
      return
    }
    #expect(record.refused.map(\.next) == [.tryAgain(at: expiry)])
    guard
      case .record(let last) = after([.recorded, .fetched([entry])], in: &lane, now: expiry)
    else {
      Issue.record("no record")
      return
    }
    #expect(last.refused.map(\.next) == [.dead])
    #expect(last.refused.first?.error.contains("expired at 2026-03-02T14:00:02Z") == true)
  }

  @Test mutating func `a two-step lane commits between staging and publishing`() {
    var lane = LaneState(sink: "drop", isStaging: true)
    let old = sampleEntry(1, state: .staged)
    let new = sampleEntry(2)
    #expect(lane.start(now: slot) == .prepare)
    #expect(after([.prepared], in: &lane) == .fetch(asOf: slot))
    #expect(after([.fetched([old, new])], in: &lane) == .stage([new]))
    #expect(after([.judged([.delivered])], in: &lane) == .commitStaged([2]))
    #expect(after([.committed], in: &lane) == .publish([old, new]))
    var record = LaneState.Record()
    record.sent = [1, 2]
    #expect(after([.judged([.delivered, .delivered])], in: &lane) == .record(record))
  }

  @Test mutating func `a refused entry leaves the batch and the others continue`() throws {
    var lane = LaneState(sink: "drop", isStaging: true)
    let entries = sampleEntries(3)
    _ = lane.start(now: slot)
    let action = after(
      [.prepared, .fetched(entries), .judged([.delivered, .refused(later), .delivered])], in: &lane)
    #expect(action == .commitStaged([1, 3]))
    guard case .record(let record) = after([.committed, .judged([.delivered, .refused(never)])], in: &lane) else {
      Issue.record("no record")
      return
    }
    #expect(record.sent == [1])
    #expect(record.refused.map(\.sequence) == [2, 3])
    #expect(record.refused.last?.next == .dead)
    guard case .tryAgain(let at)? = record.refused.first?.next else {
      Issue.record("not tried again")
      return
    }
    #expect(at >= slot.advanced(by: .seconds(4)) && at <= slot.advanced(by: .seconds(6)))
  }

  @Test
  mutating func `a partly accepted batch continues at once, a fully stalled one pauses`() {
    var lane = LaneState(sink: "out", isStaging: false)
    _ = lane.start(now: slot)
    let action = after(
      [.fetched(sampleEntries(3)), .judged([.delivered, .stalled(broken), .stalled(broken)])], in: &lane)
    var record = LaneState.Record()
    record.sent = [1]
    #expect(action == .record(record))
    #expect(after([.recorded], in: &lane) == .fetch(asOf: slot))
    #expect(lane.trouble == nil)
    let rest = Array(sampleEntries(3).dropFirst())
    let verdicts: [SinkVerdict] = [.stalled(broken), .stalled(broken)]
    guard case .pause(let wait) = after([.fetched(rest), .judged(verdicts)], in: &lane) else {
      Issue.record("no pause")
      return
    }
    #expect(wait >= .seconds(4) && wait <= .seconds(6))
    #expect(lane.isPaused && lane.trouble == broken.reason)
    #expect(after([.timeReached], in: &lane) == .fetch(asOf: slot))
  }

  @Test mutating func `a record that failed to commit comes first after the pause`() {
    var lane = LaneState(sink: "out", isStaging: false)
    _ = lane.start(now: slot)
    let action = after([.fetched(sampleEntries(1)), .judged([.delivered])], in: &lane)
    let failure = SinkError.temporary(.store(sink: "out", sentence: "disk full"))
    guard case .pause = after([.failed(failure)], in: &lane) else {
      Issue.record("no pause")
      return
    }
    #expect(after([.timeReached], in: &lane) == action)
    #expect(after([.recorded], in: &lane) == .fetch(asOf: slot))
  }

  @Test mutating func `a record left open by a stop comes first at the next start`() {
    var lane = LaneState(sink: "out", isStaging: false)
    _ = lane.start(now: slot)
    let action = after([.fetched(sampleEntries(1)), .judged([.delivered])], in: &lane)
    _ = after([.failed(.temporary(.store(sink: "out", sentence: "disk full")))], in: &lane)
    #expect(lane.start(now: slot) == action)
  }

  @Test mutating func `a failed commit of staged entries makes the lane fetch them again`() {
    var lane = LaneState(sink: "drop", isStaging: true)
    _ = lane.start(now: slot)
    let failure = SinkError.temporary(.store(sink: "drop", sentence: "disk full"))
    _ = after([.prepared, .fetched(sampleEntries(1)), .judged([.delivered]), .failed(failure)], in: &lane)
    #expect(lane.isPaused)
    #expect(after([.timeReached], in: &lane) == .prepare)
  }

  @Test mutating func `an expired notice is dead without an attempt, a staged one is published anyway`() {
    var lane = LaneState(sink: "drop", isStaging: true)
    _ = lane.start(now: slot)
    let old = sampleNotice(1, expiresAt: slot)
    let entries = [
      sampleEntry(1, state: .staged, notice: old), sampleEntry(2, notice: old),
      sampleEntry(3, notice: sampleNotice(3, expiresAt: slot.advanced(by: .milliseconds(1)))),
    ]
    #expect(after([.prepared, .fetched(entries)], in: &lane) == .stage([entries[2]]))
    let action = after([.judged([.delivered]), .committed, .judged([.delivered, .delivered])], in: &lane)
    guard case .record(let record) = action else {
      Issue.record("no record")
      return
    }
    #expect(record.sent == [1, 3])
    #expect(record.refused.map(\.sequence) == [2])
    #expect(record.refused.map(\.next) == [.dead])
  }

  @Test(arguments: [true, false])
  mutating func `an unreadable notice is dead with the reason and the others continue`(
    isStaging: Bool
  ) {
    var lane = LaneState(sink: "drop", isStaging: isStaging)
    _ = lane.start(now: slot)
    let entries = [
      sampleEntry(1, state: isStaging ? .staged : .pending, damage: "why"), sampleEntry(2, damage: "why"),
      sampleEntry(3),
    ]
    let taken = after([.prepared, .fetched(entries)], in: &lane)
    #expect(taken == (isStaging ? .stage([entries[2]]) : .deliver([entries[2]])))
    var record = LaneState.Record()
    record.sent = [3]
    record.refused = [1, 2].map { EntryRefusal(sequence: $0, error: "why", next: .dead) }
    let judged: [LaneState.Event] =
      isStaging ? [.judged([.delivered]), .committed, .judged([.delivered])] : [.judged([.delivered])]
    #expect(after(judged, in: &lane) == .record(record))
    // With nothing else due, unreadable notices are still dead-lettered.
    _ = after([.recorded], in: &lane)
    record.sent = []
    #expect(after([.fetched([entries[0], entries[1]])], in: &lane) == .record(record))
  }

  @Test mutating func `a clock set back does not delay a retry that is already due`() {
    var lane = LaneState(sink: "out", isStaging: false)
    _ = lane.start(now: slot)
    let due = slot.advanced(by: .minutes(5))
    #expect(after([.fetched([]), .nextDue(due)], in: &lane) == .wait(.minutes(5)))
    let yesterday = slot.advanced(by: .hours(-24))
    #expect(after([.timeReached], in: &lane, now: yesterday) == .fetch(asOf: due))
    // A wake-up before the due time does not count as reaching it.
    #expect(after([.fetched([]), .nextDue(due)], in: &lane) == .wait(.minutes(5)))
    #expect(after([.woken], in: &lane, now: yesterday) == .fetch(asOf: yesterday))
  }

  @Test mutating func `repeated failures pause longer each time, and success resets the pause`() {
    var lane = LaneState(sink: "out", isStaging: false)
    _ = lane.start(now: slot)
    var pauses: [Duration] = []
    for _ in 1...4 {
      guard case .pause(let wait) = after([.fetched(sampleEntries(1)), .judged([.stalled(broken)])], in: &lane) else {
        Issue.record("no pause")
        return
      }
      pauses.append(wait)
      _ = after([.timeReached], in: &lane)
    }
    #expect(pauses[0] <= .seconds(6) && pauses[1] >= .seconds(24) && pauses[2] >= .seconds(48))
    _ = after([.fetched(sampleEntries(1)), .judged([.delivered]), .recorded], in: &lane)
    #expect(lane.trouble == nil && lane.failureCount == 0)
  }

  @Test(arguments: [false, true])
  mutating func `only a maintained sink counts as healthy as soon as no entry is due`(isMaintained: Bool) {
    var lane =
      isMaintained
      ? LaneState(sink: "out", isStaging: false, isMaintained: true) : LaneState(sink: "out", isStaging: false)
    _ = lane.start(now: slot)
    _ = after([.fetched(sampleEntries(1)), .judged([.stalled(broken)]), .timeReached], in: &lane)
    #expect(lane.trouble == broken.reason && lane.failureCount == 1 && !lane.isPaused)
    #expect(after([.fetched([]), .nextDue(slot.advanced(by: .seconds(-5)))], in: &lane) == .wait(.zero))
    #expect((lane.trouble == nil) == isMaintained && lane.failureCount == (isMaintained ? 0 : 1))
  }
}
