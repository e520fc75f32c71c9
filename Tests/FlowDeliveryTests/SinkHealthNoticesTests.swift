import FlowDelivery
import FlowModel
import FlowNotices
import FlowStore
import Testing

struct SinkHealthNoticesTests {
  private var news = SinkHealthNotices()
  private let sick = DeliveryEvent.sick(
    sink: "drop", .folderMissing(path: "/srv/drop"), nextTryIn: .seconds(5))
  private let well = DeliveryEvent.well(sink: "drop")

  private mutating func handle(_ event: DeliveryEvent, after: Duration = .zero, operators: Bool = false)
    -> OperatorNotice?
  {
    news.handle(event, isForOperator: operators, now: slot.advanced(by: after))
  }

  private func dead(_ sequence: Int64 = 1) -> DeliveryEvent {
    .refused(sink: "drop", EntryRefusal(sequence: sequence, error: "it is there already", next: .dead))
  }

  @Test mutating func `an unhealthy sink is reported once, and once more when it recovers`() {
    guard case .sinkSick("drop", let trouble)? = handle(sick) else {
      Issue.record("not told")
      return
    }
    #expect(trouble.contains("'/srv/drop' does not exist"))
    #expect(handle(sick, after: .hours(5)) == nil)
    #expect(handle(well, after: .hours(6)) == .sinkWell(sink: "drop"))
    #expect(handle(well, after: .hours(7)) == nil)
    #expect(handle(sick, after: .hours(8)) != nil)
  }

  @Test mutating func `a flapping sink is reported every 15 minutes`() {
    var told = 0
    for minute in 0..<60 {
      if handle(sick, after: .minutes(minute)) != nil { told += 1 }
      if handle(well, after: .minutes(minute)) != nil { told += 1 }
    }
    #expect(told == 8)
  }

  @Test mutating func `a failure reported before a restart is not repeated, its end is reported`() {
    news.remember("drop", SinkHealthNotices.NoticeTimes(sick: slot.advanced(by: .hours(-1))))
    #expect(handle(sick) == nil)
    #expect(handle(.working(sink: "drop"), after: .minutes(1)) == .sinkWell(sink: "drop"))
    news.remember(
      "drop", SinkHealthNotices.NoticeTimes(sick: slot.advanced(by: .hours(-2)), well: slot.advanced(by: .hours(-1))))
    #expect(handle(.working(sink: "drop")) == nil)
    #expect(handle(sick) != nil)
  }

  @Test mutating func `failing pages are reported once an hour, and their recovery is not`() {
    let page = DeliveryError.page(owner: "'dan'", .pathOccupied(path: "/srv/p/…", found: "a link", wanted: "a folder"))
    let degraded = DeliveryEvent.degraded(sink: "web", Array(repeating: page, count: 7))
    guard case .sinkDegraded("web", let lines, 7)? = handle(degraded) else {
      Issue.record("not told")
      return
    }
    #expect(lines.count == 5 && lines[0].hasPrefix("pages of 'dan': '/srv/p/…' is a link"))
    #expect(handle(degraded, after: .minutes(59)) == nil && handle(.restored(sink: "web"), after: .minutes(59)) == nil)
    #expect(handle(degraded, after: .minutes(61)) != nil)
  }

  @Test mutating func `dead letters of one hour are one notice, and the next one counts them`() {
    #expect(handle(dead()) == .deadLetters(sink: "drop", count: 1, reason: "it is there already"))
    for minute in 1..<60 { #expect(handle(dead(Int64(minute)), after: .minutes(minute)) == nil) }
    #expect(
      handle(dead(99), after: .minutes(60)) == .deadLetters(sink: "drop", count: 60, reason: "it is there already"))
  }

  @Test mutating func `a dead operator notice and a retried refusal create no further notice`() {
    #expect(handle(dead(), operators: true) == nil)
    let again = DeliveryEvent.refused(sink: "drop", EntryRefusal(sequence: 1, error: "busy", next: .tryAgain(at: slot)))
    #expect(handle(again) == nil)
  }

  @Test func `every operator notice has a safe file name and says what to do`() {
    let all: [OperatorNotice] = [
      .sinkSick(sink: "a_b.c", trouble: "it is gone"), .sinkWell(sink: "a_b.c"),
      .deadLetters(sink: "a_b.c", count: 2, reason: "no"), .test(sink: "a_b.c", by: "root"),
    ]
    for kind in all {
      let notice = kind.notice(at: slot.advanced(by: .milliseconds(7)), install: "f3a91c02")
      #expect(notice.id == "20260302T140000.007Z-\(kind.word)-a-b-c-f3a91c02")
      #expect(notice.teamID == nil && notice.job == "operator" && !notice.title.isEmpty && !notice.body.isEmpty)
      #expect(SinkRoute(sink: "x").takes(notice) == true)
      #expect(SinkRoute(sink: "x", teams: ["coast"]).takes(notice) == false)
      #expect(SinkRoute(sink: "x", jobs: ["operator"], severity: .error).takes(notice) == (notice.severity == .error))
    }
  }
}
