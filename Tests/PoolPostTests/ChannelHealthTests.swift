import PoolModel
import PoolNotices
import PoolSettings
import Testing

@testable import PoolPost

/// The failure and recovery of a channel, with lanes and a clock of the test.
struct ChannelHealthTests {
  /// A queue and the health of its channel `hook`, checked as `PostDaemon` does.
  private final class Bench {
    var queue = PostQueue()
    var health = ChannelHealth()
    var now = noon
    var up: Duration = .hours(1)
    var quiet = 0

    func add(_ id: String, recipient: String = "t12", quiet: QuietTime? = nil) throws {
      queue.add(try delivery(id, recipient: recipient, at: now, quiet: quiet))
    }

    /// Starts and finishes every due delivery.
    func tryAll(_ verdict: (Delivery) -> SendVerdict) {
      let (now, quiet) = (now, quiet)
      while let begun = queue.begin(at: now, quietMinutesLeft: { _ in quiet }) { end(begun, verdict(begun)) }
    }

    /// Starts and finishes one delivery if one is due.
    func tryOne(_ verdict: SendVerdict) {
      let now = now
      if let begun = queue.begin(at: now, quietMinutesLeft: { _ in 0 }) { end(begun, verdict) }
    }

    private func end(_ delivery: Delivery, _ verdict: SendVerdict) {
      _ = queue.applyOutcome(delivery, verdict, at: now, jitter: 1)
      health.applyOutcome("hook", verdict, at: now, up: up)
    }

    @discardableResult
    func pass(_ time: Duration) -> SenderReport.Health {
      now = now.advanced(by: time)
      up += time
      return update()
    }

    @discardableResult
    func update() -> SenderReport.Health {
      let quiet = quiet
      health.update(at: queue, channels: ["hook"], patience: .minutes(2), now: now, up: up) { _ in quiet }
      return health.health(of: "hook", in: queue)
    }

    var failures: [SenderReport.Failure] {
      health.failures(in: queue, at: now, since: { _ in nil }, fallback: { _ in nil })
    }
  }

  private static let away = SendVerdict.later("the server cannot be reached (curl 7)", affectsWholeServer: true)

  @Test func `a channel is stuck if a message was due for two minutes without an acceptance`() throws {
    let bench = Bench()
    #expect(bench.update() == .ok && bench.failures.isEmpty)
    for number in 0..<12 { try bench.add("e\(number)", recipient: "t\(number + 1)") }
    #expect(bench.update() == .ok && bench.health.isWatching)
    bench.tryAll { _ in Self.away }
    #expect(bench.pass(.seconds(119)) == .ok)
    #expect(bench.pass(.seconds(1)) == .stuck)
    let failure = try #require(bench.failures.first)
    #expect(failure.about == "channel hook" && failure.since == noon.description)
    #expect(failure.title == "[Channel hook] delivers nothing")
    #expect(
      failure.words.hasPrefix(
        "12 messages wait, the first due since \(noon): the server cannot be reached (curl 7), last"))
    let reportRow = bench.health.reportRow("hook", kind: "webhook", in: bench.queue, delivered: nil, teams: ["a"])
    #expect(
      reportRow.overdue == 12 && reportRow.waiting == 12 && reportRow.health == .stuck
        && reportRow.dueSince == noon.description)
    #expect(reportRow.lastError == "the server cannot be reached (curl 7)" && reportRow.teams == ["a"])
    bench.tryAll { _ in .delivered }
    #expect(bench.update() == .ok && bench.failures.isEmpty)
  }

  @Test func `an accepted message makes a stuck channel healthy, an expired one does not`() throws {
    let bench = Bench()
    try bench.add("e1")
    bench.update()
    bench.tryAll { _ in Self.away }
    bench.pass(.minutes(2))
    let end = bench.queue.lanes["hook"]?.waiting.first?.expiresAt ?? 0
    let expired = bench.queue.expired(at: Timestamp(milliseconds: end)) { _ in 0 }
    #expect(expired.count == 1 && bench.pass(.minutes(1)) == .stuck)
    try bench.add("e2")
    bench.tryAll { _ in .noSuchAddress("no such mailbox (550)") }
    #expect(bench.update() == .ok)
  }

  @Test func `a single failing message makes a channel slow and does not mask its later failure`() throws {
    let bench = Bench()
    try bench.add("grey", recipient: "t1")
    bench.update()
    bench.tryAll { _ in .later("not yet (450)") }
    bench.pass(.seconds(5))
    try bench.add("fine", recipient: "t2")
    bench.tryAll { $0.event == "fine" ? .delivered : .later("not yet (450)") }
    #expect(bench.pass(.minutes(3)) == .slow && bench.failures.isEmpty)
    try bench.add("later", recipient: "t3")
    bench.update()
    bench.tryAll { _ in Self.away }
    #expect(bench.pass(.seconds(119)) == .slow)
    #expect(bench.pass(.seconds(1)) == .stuck)
  }

  @Test func `a slow provider that accepts messages one by one is healthy`() throws {
    let bench = Bench()
    for number in 0..<150 { try bench.add("e\(number)", recipient: "t\(number + 1)") }
    bench.update()
    for _ in 0..<150 {
      bench.tryOne(.delivered)
      #expect(bench.pass(.seconds(1)) == .ok)
    }
  }

  @Test func `no message is due in quiet hours`() throws {
    let bench = Bench()
    bench.quiet = 60
    try bench.add("e1", quiet: QuietTime("11:00-13:00", zone: "UTC"))
    #expect(bench.pass(.minutes(30)) == .ok && !bench.health.isWatching)
    bench.quiet = 0
    #expect(bench.pass(.seconds(1)) == .ok)
    bench.tryAll { _ in Self.away }
    #expect(bench.pass(.minutes(2)) == .stuck)
  }

  @Test(arguments: [Duration.hours(24 * 400), .zero - .hours(24 * 400), .minutes(3)])
  func `setting the clock makes no channel stuck`(step: Duration) throws {
    let bench = Bench()
    try bench.add("e1")
    bench.update()
    bench.tryAll { _ in Self.away }
    bench.now = bench.now.advanced(by: step)
    bench.up += .seconds(10)
    #expect(bench.update() == .ok)
  }

  @Test func `a stuck channel stays stuck across a restart until a message is accepted`() throws {
    let bench = Bench()
    try bench.add("e1")
    bench.update()
    bench.tryAll { _ in Self.away }
    bench.pass(.minutes(2))
    let reportRow = bench.health.reportRow("hook", kind: "webhook", in: bench.queue, delivered: nil, teams: [])
    let second = Bench()
    second.health.restore(SenderReport(channels: [reportRow]))
    #expect(second.update() == .stuck && second.failures.first?.since == noon.description)
    try second.add("e1")
    second.tryAll { _ in .delivered }
    #expect(second.update() == .ok)
  }

  // MARK: What is told

  /// The health of a sender with a queue of its own.
  private final class Sender {
    var health: SenderHealth
    var queue = PostQueue()

    init(_ text: String) throws { health = SenderHealth(try settings(text)) }

    func update(_ passed: Duration = .zero) {
      health.update(at: queue, now: noon.advanced(by: passed), up: .hours(1) + passed) { _ in 0 }
    }

    /// Makes `hook` stuck from noon on.
    func stick() throws {
      queue.add(try delivery("e1"))
      update()
      update(.minutes(2))
    }

    func lines() -> [String] { health.newLogLines().map(\.text) }

    func news(_ passed: Duration = .zero) throws -> PostEvent? {
      guard let news = health.news(in: queue, at: noon.advanced(by: passed)) else { return nil }
      return try PostEvent(news.bytes, name: news.id)
    }

    func report(_ passed: Duration = .zero) throws -> SenderReport {
      let bytes = try health.report(queue, delivered: [:], at: noon.advanced(by: passed), up: .hours(1) + passed)
      return try SenderReport(try #require(bytes))
    }
  }

  private static let twoWays = """
    [Channel hook]
    Type = webhook
    Credential = hook
    [Channel desk]
    Type = ntfy
    Server = https://ntfy.example.com
    To = desk
    Operator = yes
    """

  @Test func `a failure and its end are logged and announced once, across restarts`() throws {
    let sender = try Sender(Self.twoWays)
    try sender.stick()
    let lines = sender.lines()
    #expect(lines.count == 1 && lines.first?.hasPrefix("[Channel hook] delivers nothing: 1 message waits") == true)
    #expect(sender.lines().isEmpty)
    let event = try #require(try sender.news(.minutes(2)))
    #expect(event.isForOperator && event.data.title == "poolflow-post: [Channel hook] delivers nothing")
    #expect(event.data.severity == "error")
    #expect(try sender.news(.minutes(2)) == nil)
    let report = try sender.report(.minutes(2))
    let soon = noon.advanced(by: .minutes(2)).description
    #expect(report.failures?.first?.told == soon && report.at == soon)

    let second = try Sender(Self.twoWays)
    second.health.restore(report)
    second.queue = sender.queue
    second.update(.minutes(2))
    #expect(second.lines().isEmpty)
    #expect(try second.news(.minutes(2)) == nil)
    second.health.applyOutcome("hook", .delivered, at: noon.advanced(by: .minutes(3)), up: .hours(1) + .minutes(3))
    second.queue = PostQueue()
    second.update(.minutes(3))
    #expect(second.lines() == ["[Channel hook] works again"])
    #expect(try second.news(.minutes(3))?.data.title == "poolflow-post: [Channel hook] works again")
    #expect(try second.news(.minutes(3)) == nil)
  }

  @Test func `the operator is notified of a failing channel through another channel`() throws {
    let alone = Self.twoWays.replacing("Credential = hook", with: "Credential = hook\nOperator = yes")
      .replacing("To = desk\nOperator = yes", with: "To = desk")
    let sender = try Sender(alone)
    try sender.stick()
    #expect(sender.health.workingOperatorChannels(in: sender.queue).isEmpty)
    #expect(try sender.news(.minutes(2)) == nil)
    sender.health.apply(try settings(Self.twoWays))
    #expect(sender.health.workingOperatorChannels(in: sender.queue) == ["desk"])
    #expect(try sender.news(.minutes(2)) != nil)
  }

  @Test func `the daemon's notice of a failing channel reaches a person through other channels`() throws {
    let sender = try Sender(Self.twoWays)
    try sender.stick()
    let both = person([("webhook", "hook"), ("ntfy", "anna")])
    let failed = ["job": "operator", "identifier": "poolflow.operator.sender-failed.post"]
    func channels(_ event: PostEvent) throws -> [String] {
      let plan = PostPlan.deliveries(of: event, try settings(Self.twoWays), machineZone: "UTC", takenAt: noon)
      return sender.health.take(event, plan, in: sender.queue, at: noon).map(\.channel)
    }
    #expect(try channels(try event(recipient: both, changing: failed)) == ["desk"])
    #expect(try channels(try event(recipient: both)) == ["hook", "desk"])
    #expect(try channels(try event(recipient: person([("webhook", "hook")]), changing: failed)) == ["hook"])
  }

  @Test func `refused settings are a failure until valid ones are loaded`() throws {
    let sender = try Sender(Self.twoWays)
    let (_, problems) = PostSettings.read("[Channel mail]\nType = smpt\n", name: "/etc/poolflow/post.conf")
    sender.health.rejectReload(SettingsError.mistakes(problems), at: noon)
    sender.update()
    #expect(sender.health.summary == "; the settings on disk are not effective")
    let lines = sender.lines()
    #expect(lines.first?.contains("/etc/poolflow/post.conf:2:") == true, "\(lines)")
    sender.health.apply(try settings(Self.twoWays))
    sender.update()
    #expect(sender.lines() == ["the settings on disk are effective"])
  }

  @Test func `an implausible clock is a failure until it is trusted`() throws {
    let sender = try Sender(Self.twoWays)
    sender.health.apply(clock: "the clock has jumped", at: noon)
    sender.update()
    #expect(sender.lines() == ["the clock is not trusted, and nothing is sent: the clock has jumped."])
    sender.health.apply(clock: nil, at: noon)
    sender.update()
    #expect(sender.lines() == ["the clock is believed again"])
  }

  // MARK: Teams without a recipient

  private static let board = "[Channel crew]\nType = slack\nCredential = crew\nTeams = desert-bleu\n"

  @Test func `a team without address and board loses each notice, and is reported once`() throws {
    let sender = try Sender(Self.board)
    for number in 0..<3 {
      let event = try event(id: "e\(number)")
      let plan = PostPlan.deliveries(of: event, try settings(Self.board), machineZone: "UTC", takenAt: noon)
      #expect(plan.map(\.end) == [.refused] && plan.first?.recipient == "*" && plan.first?.hasNoRecipient == true)
      #expect(plan.first?.receipt.words.contains("no [Channel] has Teams = desert-blue") == true)
      let bytes = try #require(plan.first?.receipt.bytes)
      #expect((try? Receipt(bytes)) != nil)
      _ = sender.health.take(event, plan, in: sender.queue, at: noon)
      sender.update()
      #expect(sender.lines().count == (number == 0 ? 1 : 0))
    }
    let report = try sender.report()
    let failure = try #require(report.failures?.first)
    #expect(failure.about == "team desert-blue" && failure.words.hasPrefix("3 notices are lost (morning-summary)"))
    #expect(failure.words.contains("it has desert-bleu; did you mean this team by desert-bleu?"), "\(failure.words)")
    // Settings with the right name end the failure, also if a new process finds them at its start.
    let right = Self.board.replacing("desert-bleu", with: "desert-blue")
    let second = try Sender(right)
    second.health.restore(report)
    second.update()
    #expect(second.lines() == ["notices of team 'desert-blue' are delivered again"])
  }

  @Test func `a team notice that its people get otherwise or do not want is no loss`() throws {
    func plan(_ changes: [String: Any], _ recipient: [String: Any]? = nil) throws -> [Delivery] {
      PostPlan.deliveries(
        of: try event(recipient: recipient, changing: changes), try settings(Self.board), machineZone: "UTC",
        takenAt: noon)
    }
    #expect(try plan(["told_otherwise": true]).isEmpty)
    #expect(try plan(["job": "operator", "team": ""]).isEmpty)
    #expect(try plan(["told_otherwise": false]).count == 1)
    let left = try plan([:], person([]))
    #expect(left.map(\.recipient) == ["t12"] && left.first?.words == "the person has no address any more")
  }
}
