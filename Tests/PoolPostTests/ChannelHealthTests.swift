import PoolModel
import PoolNotices
import PoolSettings
import Testing

@testable import PoolPost

/// When a channel has failed, and when it works again, by lanes and a clock of the test's own.
struct ChannelHealthTests {
  /// A queue and the health of its channel `hook`, looked at as `Poster` does.
  private struct Bench {
    var queue = PostQueue()
    var health = ChannelHealth()
    var now = noon
    var up: Duration = .hours(1)
    var quiet = 0

    mutating func add(_ id: String, recipient: String = "t12", quiet: QuietTime? = nil) throws {
      queue.add(try delivery(id, recipient: recipient, at: now, quiet: quiet))
    }

    /// Begins whatever is due and ends it.
    mutating func tryAll(_ verdict: (Delivery) -> Verdict) {
      while let begun = queue.begin(at: now, quietLeft: { _ in quiet }) {
        let verdict = verdict(begun)
        _ = queue.settle(begun, verdict, at: now, spread: 1)
        health.settle("hook", verdict, at: now, up: up)
      }
    }

    @discardableResult
    mutating func pass(_ time: Duration) -> SenderReport.Health {
      now = now.advanced(by: time)
      up += time
      return look()
    }

    mutating func look() -> SenderReport.Health {
      health.look(at: queue, channels: ["hook"], patience: .minutes(2), now: now, up: up) { _ in quiet }
      return health.health(of: "hook", in: queue)
    }

    var failures: [SenderReport.Failure] {
      health.failures(in: queue, at: now, since: { _ in nil }, fallback: { _ in nil })
    }
  }

  private static let away = Verdict.later("the server cannot be reached (curl 7)", isEverybodys: true)

  @Test func `a channel is stuck once a message has been due for two minutes and nothing was accepted since`() throws {
    var bench = Bench()
    #expect(bench.look() == .ok && bench.failures.isEmpty)
    for number in 0..<12 { try bench.add("e\(number)", recipient: "t\(number + 1)") }
    #expect(bench.look() == .ok && bench.health.isWatching)
    bench.tryAll { _ in Self.away }
    #expect(bench.pass(.seconds(119)) == .ok)
    #expect(bench.pass(.seconds(1)) == .stuck)
    let failure = try #require(bench.failures.first)
    #expect(failure.about == "channel hook" && failure.since == noon.description)
    #expect(failure.title == "[Channel hook] delivers nothing")
    #expect(
      failure.words.hasPrefix(
        "12 messages wait, the first due since \(noon): the server cannot be reached (curl 7), last"))
    let row = bench.health.row("hook", kind: "webhook", in: bench.queue, delivered: nil, teams: ["a"])
    #expect(row.overdue == 12 && row.waiting == 12 && row.health == .stuck && row.dueSince == noon.description)
    #expect(row.lastError == "the server cannot be reached (curl 7)" && row.teams == ["a"])
    bench.tryAll { _ in .delivered }
    #expect(bench.look() == .ok && bench.failures.isEmpty)
  }

  @Test func `a message that expires does not make a stuck channel healthy, an accepted one does`() throws {
    var bench = Bench()
    try bench.add("e1")
    bench.look()
    bench.tryAll { _ in Self.away }
    bench.pass(.minutes(2))
    let end = bench.queue.lanes["hook"]?.waiting.first?.expiresAt ?? 0
    bench.now = Timestamp(milliseconds: end)
    _ = bench.queue.expired(at: bench.now) { _ in 0 }
    #expect(bench.queue.count == 0 && bench.pass(.minutes(1)) == .stuck)
    try bench.add("e2")
    bench.tryAll { _ in .noSuchAddress("no such mailbox (550)") }
    #expect(bench.look() == .ok)
  }

  @Test func `a message that fails alone is slow, and does not hide that the channel fails later`() throws {
    var bench = Bench()
    try bench.add("grey", recipient: "t1")
    bench.look()
    bench.tryAll { _ in .later("not yet (450)") }
    bench.pass(.seconds(5))
    try bench.add("fine", recipient: "t2")
    bench.tryAll { $0.event == "fine" ? .delivered : .later("not yet (450)") }
    #expect(bench.pass(.minutes(3)) == .slow && bench.failures.isEmpty)
    try bench.add("later", recipient: "t3")
    bench.look()
    bench.tryAll { _ in Self.away }
    #expect(bench.pass(.seconds(119)) == .slow)
    #expect(bench.pass(.seconds(1)) == .stuck)
  }

  @Test func `many messages that a slow provider accepts one by one are no failure`() throws {
    var bench = Bench()
    for number in 0..<300 { try bench.add("e\(number)", recipient: "t\(number + 1)") }
    bench.look()
    for _ in 0..<300 {
      let begun = bench.queue.begin(at: bench.now) { _ in 0 }
      if let begun {
        _ = bench.queue.settle(begun, .delivered, at: bench.now, spread: 1)
        bench.health.settle("hook", .delivered, at: bench.now, up: bench.up)
      }
      #expect(bench.pass(.seconds(1)) == .ok)
    }
  }

  @Test func `quiet hours make nothing due`() throws {
    var bench = Bench()
    bench.quiet = 60
    try bench.add("e1", quiet: QuietTime("11:00-13:00", zone: "UTC"))
    #expect(bench.pass(.minutes(30)) == .ok && !bench.health.isWatching)
    bench.quiet = 0
    #expect(bench.pass(.seconds(1)) == .ok)
    bench.tryAll { _ in Self.away }
    #expect(bench.pass(.minutes(2)) == .stuck)
  }

  @Test(arguments: [Duration.hours(24 * 400), .zero - .hours(24 * 400), .minutes(3)])
  func `a clock that is set makes no channel stuck`(step: Duration) throws {
    var bench = Bench()
    try bench.add("e1")
    bench.look()
    bench.tryAll { _ in Self.away }
    bench.now = bench.now.advanced(by: step)
    bench.up += .seconds(10)
    #expect(bench.look() == .ok)
  }

  @Test func `a restart keeps what was stuck, and takes it for healthy only once something is accepted`() throws {
    var bench = Bench()
    try bench.add("e1")
    bench.look()
    bench.tryAll { _ in Self.away }
    bench.pass(.minutes(2))
    let row = bench.health.row("hook", kind: "webhook", in: bench.queue, delivered: nil, teams: [])
    var second = Bench()
    second.health.recall(SenderReport(channels: [row]))
    #expect(second.look() == .stuck && second.failures.first?.since == noon.description)
    try second.add("e1")
    second.tryAll { _ in .delivered }
    #expect(second.look() == .ok)
  }

  // MARK: What is told

  private func health(_ text: String) throws -> SenderHealth { SenderHealth(try settings(text)) }

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

  /// Lets `hook` be stuck from noon on.
  private func stuck(_ health: inout SenderHealth, _ queue: inout PostQueue) throws {
    queue.add(try delivery("e1"))
    health.look(at: queue, now: noon, up: .hours(1)) { _ in 0 }
    health.look(at: queue, now: noon.advanced(by: .minutes(2)), up: .hours(1) + .minutes(2)) { _ in 0 }
  }

  @Test func `a failure and its end are logged and told once each, also through a restart`() throws {
    var (health, queue) = (try health(Self.twoWays), PostQueue())
    try stuck(&health, &queue)
    let soon = noon.advanced(by: .minutes(2))
    #expect(health.newLines().map(\.isFailure) == [true] && health.newLines().isEmpty)
    let told = try #require(health.news(in: queue, at: soon))
    let event = try PostEvent(told.bytes, name: told.id)
    #expect(event.isOperators && event.data.title == "poolflow-post: [Channel hook] delivers nothing")
    #expect(event.data.severity == "error" && health.news(in: queue, at: soon) == nil)
    let report = try SenderReport(
      try #require(try health.report(queue, delivered: [:], at: soon, up: .hours(2))))
    #expect(report.failures?.first?.told == soon.description && report.at == soon.description)

    var second = try self.health(Self.twoWays)
    second.recall(report)
    second.look(at: queue, now: soon, up: .hours(1)) { _ in 0 }
    #expect(second.newLines().isEmpty && second.news(in: queue, at: soon) == nil)
    second.settle("hook", .delivered, at: soon, up: .hours(1) + .seconds(1))
    second.look(at: PostQueue(), now: soon, up: .hours(1) + .seconds(1)) { _ in 0 }
    #expect(second.newLines().map(\.text) == ["[Channel hook] works again"])
    let over = try #require(second.news(in: PostQueue(), at: soon))
    #expect(try PostEvent(over.bytes, name: over.id).data.title == "poolflow-post: [Channel hook] works again")
    #expect(second.news(in: PostQueue(), at: soon) == nil)
  }

  @Test func `the operator is not told by the channel that fails, and by another one once there is one`() throws {
    let alone = Self.twoWays.replacing("Credential = hook", with: "Credential = hook\nOperator = yes")
      .replacing("To = desk\nOperator = yes", with: "To = desk")
    var (health, queue) = (try health(alone), PostQueue())
    try stuck(&health, &queue)
    #expect(health.operatorWays(in: queue).isEmpty && health.news(in: queue, at: noon) == nil)
    health.use(try settings(Self.twoWays))
    #expect(health.operatorWays(in: queue) == ["desk"] && health.news(in: queue, at: noon) != nil)
  }

  @Test func `the daemon's own notice of a failing channel goes to a person by the others`() throws {
    var (health, queue) = (try health(Self.twoWays), PostQueue())
    try stuck(&health, &queue)
    let both = person([("webhook", "hook"), ("ntfy", "anna")])
    let notice = try event(
      recipient: both, changing: ["job": "operator", "identifier": "poolflow.operator.sender-failed.post"])
    func channels(_ event: PostEvent) throws -> [String] {
      let plan = PostPlan.deliveries(of: event, try settings(Self.twoWays), machineZone: "UTC", taken: noon)
      return health.take(event, plan, in: queue, at: noon).map(\.channel)
    }
    #expect(try channels(notice) == ["desk"])
    #expect(try channels(try event(recipient: both)) == ["hook", "desk"])
    let only = try event(
      recipient: person([("webhook", "hook")]),
      changing: ["job": "operator", "identifier": "poolflow.operator.sender-failed.post"])
    #expect(try channels(only) == ["hook"])
  }

  @Test func `settings that a reload refused are a failure until others are taken`() throws {
    var health = try health(Self.twoWays)
    let (_, problems) = PostSettings.read("[Channel mail]\nType = smpt\n", name: "/etc/poolflow/post.conf")
    health.refuse(SettingsError.mistakes(problems), at: noon)
    health.look(at: PostQueue(), now: noon, up: .hours(1)) { _ in 0 }
    #expect(health.summary == "; the settings on disk are not effective")
    let line = try #require(health.newLines().first)
    #expect(line.isFailure && line.text.contains("/etc/poolflow/post.conf:2:"), "\(line.text)")
    health.use(try settings(Self.twoWays))
    health.look(at: PostQueue(), now: noon, up: .hours(1)) { _ in 0 }
    #expect(health.newLines().map(\.text) == ["the settings on disk are effective"])
  }

  // MARK: Teams that nobody is told of

  private static let board = "[Channel crew]\nType = slack\nCredential = crew\nTeams = desert-bleu\n"

  @Test func `a team without an address and a board is lost by each notice, and told once`() throws {
    var health = try health(Self.board)
    for number in 0..<3 {
      let event = try event(id: "e\(number)")
      let plan = PostPlan.deliveries(of: event, try settings(Self.board), machineZone: "UTC", taken: noon)
      #expect(plan.map(\.end) == [.refused] && plan.first?.recipient == "*" && plan.first?.isForNobody == true)
      #expect(plan.first?.receipt.words.contains("no [Channel] has Teams = desert-blue") == true)
      let bytes = try #require(plan.first?.receipt.bytes)
      #expect((try? Receipt(bytes)) != nil)
      _ = health.take(event, plan, in: PostQueue(), at: noon)
      health.look(at: PostQueue(), now: noon, up: .hours(1)) { _ in 0 }
      #expect(health.newLines().count == (number == 0 ? 1 : 0))
    }
    let report = try SenderReport(try #require(try health.report(PostQueue(), delivered: [:], at: noon, up: .hours(1))))
    let failure = try #require(report.failures?.first)
    #expect(failure.about == "team desert-blue" && failure.words.hasPrefix("3 notices are lost (morning-summary)"))
    #expect(failure.words.contains("it has desert-bleu; did you mean it by desert-bleu?"), "\(failure.words)")
    // Settings with the right name end it; a process that finds them at its start knows that, too.
    let right = Self.board.replacing("desert-bleu", with: "desert-blue")
    var second = try self.health(right)
    second.recall(report)
    second.look(at: PostQueue(), now: noon, up: .hours(1)) { _ in 0 }
    #expect(second.newLines().map(\.text) == ["notices of team 'desert-blue' reach people again"])
  }

  @Test func `a team's notice that its people have otherwise, or do not want, is no loss`() throws {
    func plan(_ changes: [String: Any], _ recipient: [String: Any]? = nil) throws -> [Delivery] {
      PostPlan.deliveries(
        of: try event(recipient: recipient, changing: changes), try settings(Self.board), machineZone: "UTC",
        taken: noon)
    }
    #expect(try plan(["told_otherwise": true]).isEmpty)
    #expect(try plan(["job": "operator", "team": ""]).isEmpty)
    #expect(try plan(["told_otherwise": false]).count == 1)
    let left = try plan([:], person([]))
    #expect(left.map(\.recipient) == ["t12"] && left.first?.words == "there is no address of the person any more")
  }
}
