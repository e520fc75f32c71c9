import FlowModel
import FlowNotices
import FlowTestKit
import Testing

/// A sender's report file, and the operator notices derived from it.
struct SenderReportTests {
  private static let now = Samples.mondayMorning

  private static func failure(_ about: String, since: Timestamp = now) -> SenderReport.Failure {
    SenderReport.Failure(about: about, title: "[\(about)] fails", words: "why.", since: since)
  }

  @Test func `a report is read back as written`() throws {
    var channel = SenderReport.Channel(name: "mail", kind: "smtp")
    channel.waiting = 12
    channel.health = .stuck
    channel.overdue = 12
    (channel.dueSince, channel.lastError) = ("2026-03-02T14:00:00Z", "the server cannot be reached (curl 7)")
    (channel.lastErrorAt, channel.teams) = ("2026-03-02T14:01:00Z", ["a", "b"])
    var team = SenderReport.UnreachedTeam(team: "c", since: Self.now)
    (team.count, team.jobs) = (2, ["morning-summary": "2026-03-02T14:00:00Z"])
    let report = SenderReport(
      at: "2026-03-02T14:02:00Z", channels: [channel], failures: [Self.failure("channel mail")], unreached: [team])
    #expect(try SenderReport(try report.bytes) == report)
  }

  @Test func `a report file of an older poolflow-post is valid`() throws {
    let old =
      #"{"channels":[{"kind":"smtp","name":"mail","waiting":3,"broken":"no login","last_delivered":"2026-03-02T14:00:00Z"}]}"#
    let report = try SenderReport(Array(old.utf8))
    #expect(
      report.channels.first?.broken == "no login" && report.channels.first?.health == nil && report.failures == nil)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"channels":{}}"#, #"{"channels":[],"channels":[]}"#,
    #"{"channels":[{"name":"a\u001b[2J","kind":"smtp","waiting":0}]}"#,
    #"{"channels":[{"name":"a","kind":"smtp","waiting":-1}]}"#,
    #"{"channels":[{"name":"a","kind":"smtp","waiting":1e300}]}"#,
    #"{"channels":[{"name":"a","kind":"smtp","waiting":0,"health":"fine"}]}"#,
    #"{"channels":[{"name":"a","kind":"smtp","waiting":0,"due_since":"yesterday"}]}"#,
    #"{"channels":[],"failures":[{"about":"x","title":"t","words":"w","since":"now"}]}"#,
    #"{"at":"2026-03-02","channels":[]}"#,
  ])
  func `an invalid report file is refused`(text: String) {
    #expect(throws: SenderReport.Fault.self) { try SenderReport(Array(text.utf8)) }
  }

  @Test func `a report that is too large or has too long a text is refused`() {
    let long = #"{"channels":[{"name":"\#(String(repeating: "a", count: 2_000))","kind":"smtp","waiting":0}]}"#
    #expect(throws: SenderReport.Fault.self) { try SenderReport(Array(long.utf8)) }
    let huge = [UInt8](repeating: 0x20, count: Limits.senderReportBytes + 1)
    #expect(throws: SenderReport.Fault.self) { try SenderReport(huge) }
  }

  @Test func `text too long for a report is cut at a character boundary`() throws {
    let words = String(repeating: "é", count: 2_000)
    let failure = SenderReport.Failure(about: "a", title: "t", words: words, since: Self.now)
    #expect(failure.words.utf8.count == Limits.senderReportText)
    #expect(try SenderReport(try SenderReport(channels: [], failures: [failure]).bytes).failures == [failure])
  }

  // MARK: The alarm

  /// Runs the alarm and records its announcements.
  private func look(
    _ alarm: inout FailureAlarm, _ abouts: [String], _ at: Timestamp
  ) -> (began: [String], ended: [String]) {
    let failures = abouts.map { Self.failure($0) }
    guard let news = alarm.news(of: failures, at: at) else { return ([], []) }
    alarm.notify(news, of: failures, at: at)
    return (news.began.map(\.about), news.ended)
  }

  @Test func `failures that begin together are one notice, and so are their ends`() {
    var alarm = FailureAlarm()
    let all = (0..<30).map { "channel c\($0)" }
    #expect(look(&alarm, Array(all.prefix(29)), Self.now).began.count == 29)
    // A failure that follows within a minute waits for the minute's end.
    #expect(look(&alarm, all, Self.now.advanced(by: .seconds(2))).began.isEmpty)
    #expect(look(&alarm, all, Self.now.advanced(by: .seconds(61))).began == ["channel c29"])
    let over = look(&alarm, [], Self.now.advanced(by: .minutes(5)))
    #expect(over.ended.count == 30 && over.began.isEmpty)
  }

  @Test func `the end of one failure is announced while others last`() {
    var alarm = FailureAlarm()
    #expect(look(&alarm, ["channel a", "team b"], Self.now).began.count == 2)
    #expect(look(&alarm, ["team b"], Self.now.advanced(by: .minutes(1))).ended == ["channel a"])
  }

  @Test func `an alarm that was not sent is announced later, and its end is not`() {
    let alarm = FailureAlarm()
    #expect(alarm.news(of: [Self.failure("channel a")], at: Self.now)?.began.count == 1)
    #expect(alarm.news(of: [], at: Self.now) == nil)
    #expect(alarm.news(of: [Self.failure("channel a")], at: Self.now.advanced(by: .hours(1)))?.began.count == 1)
  }

  /// Random failures and recoveries of channels over 200 checks, 2 s apart.
  @Test(arguments: UInt64(1)...20)
  func `random failures are announced alternately with their ends, at most four times an hour`(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    var alarm = FailureAlarm()
    var open: Set<String> = []
    var began: [String: [Timestamp]] = [:]
    var notices: [Timestamp] = []
    var failing: Set<String> = []
    for step in 0..<5_000 {
      let now = Self.now.advanced(by: .seconds(2 * step))
      if Int.random(in: 0..<10, using: &random) == 0 {
        failing.formSymmetricDifference(["channel \(Int.random(in: 0..<5, using: &random))"])
      }
      let told = look(&alarm, failing.sorted(), now)
      for about in told.ended { #expect(open.remove(about) != nil && !failing.contains(about)) }
      for about in told.began {
        #expect(open.insert(about).inserted && failing.contains(about))
        began[about, default: []].append(now)
      }
      if !told.began.isEmpty { notices.append(now) }
    }
    for times in began.values {
      for (earlier, later) in zip(times, times.dropFirst()) {
        #expect(later.since(earlier) >= Limits.operatorReportInterval)
      }
    }
    for (earlier, later) in zip(notices, notices.dropFirst()) {
      #expect(later.since(earlier) >= Limits.failureReportDelay)
    }
    #expect(!notices.isEmpty)
  }
}
