import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FlowTestKit
import Foundation
import Glibc
import Testing

@testable import FlowPost

/// Receipts for the daemon, waiting deliveries, and revived dead letters.
struct ReceiptDropTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func names(_ folder: String) throws -> [String] { try PrivateFiles.names(in: "\(scratch.path)/\(folder)") }

  private func folder() throws -> PostFolder {
    try PostFolder(state: scratch.path + "/state", drop: scratch.path + "/drop")
  }

  private func ended(_ id: String, _ end: Delivery.End, _ words: String = "no (550)") throws -> Delivery {
    var delivery = try delivery(id, kind: "smtp", channel: "mail", address: "maria@example.com")
    delivery.tries = 2
    delivery.finish(end, words, at: noon)
    return delivery
  }

  /// Writes a delivery in the state right after its end was recorded.
  private func writeEnded(_ delivery: Delivery, in folder: PostFolder) throws {
    try folder.plan(delivery.event, try eventBytes(id: delivery.event), calendar: Array("ICS".utf8), [delivery])
    try folder.record(delivery)
    try folder.finish(delivery)
  }

  @Test func `a receipt is written completely once, readable by others, up to the folder's limit`() throws {
    let drop = ReceiptDrop(path: scratch.path + "/receipts", limit: 2)
    #expect(drop.write("a.json", [1]) == .folderMissing)
    try PrivateFiles.makeFolder(scratch.path + "/receipts")
    for _ in 1...2 { #expect(drop.write("a.json", [1]) == .written) }
    var status = stat()
    #expect(lstat(scratch.path + "/receipts/a.json", &status) == 0 && status.st_mode & 0o777 == 0o644)
    #expect(drop.write("b.json", [2]) == .written && drop.write("c.json", [3]) == .folderFull)
    #expect(try names("receipts") == ["a.json", "b.json"])
    unlink(scratch.path + "/receipts/a.json")
    #expect(drop.write("c.json", [3]) == .written)
    // Never through a link placed by another user.
    let link = ReceiptDrop(path: scratch.path + "/link")
    #expect(
      symlink(scratch.path + "/receipts", scratch.path + "/link") == 0 && link.write("d.json", [4]) == .folderFull)
    #expect(try names("receipts") == ["b.json", "c.json"])
  }

  @Test func `a delivery that waits a minute, or for quiet hours, is reported once per reason`() throws {
    var queue = PostQueue()
    var watch = LongWaitDetector()
    let night = try #require(QuietTime("22:00-06:00", zone: "UTC"))
    queue.add(try delivery("e1", channel: "a", address: "a"))
    queue.add(try delivery("e2", channel: "b", address: "b", quiet: night))
    func update(_ seconds: Int) -> [String] {
      watch.update(at: queue, now: noon.advanced(by: .seconds(seconds)), quietMinutesLeft: { _ in 30 })
        .map { "\($0.delivery.event) \($0.why)" }.sorted()
    }
    #expect(update(0) == ["e2 quiet hours"] && update(59) == [])
    #expect(update(60) == ["e1 others come before it"] && update(70) == [])
    let first = queue.begin(at: noon, quietMinutesLeft: { _ in 30 })
    let begun = try #require(first)
    _ = queue.applyOutcome(begun, .later("the server is away", affectsWholeServer: true), at: noon, jitter: 1)
    #expect(update(80) == ["e1 the server is away"] && update(90) == [])
    let second = queue.begin(at: noon.advanced(by: .hours(1)), quietMinutesLeft: { _ in 30 })
    let again = try #require(second)
    _ = queue.applyOutcome(again, .broken("the token is not taken (401)"), at: noon, jitter: 1)
    #expect(update(100) == ["e1 the channel is broken: the token is not taken (401)"])
    let waiting = try #require(queue.lanes["a"]?.waiting.first).waiting("…", at: noon)
    #expect(waiting.outcome == .waiting)
    #expect(try Receipt(waiting.bytes) == waiting)
  }

  @Test func `a failure is reported sooner, and a broken channel to all its waiting deliveries`() throws {
    var queue = PostQueue()
    var watch = LongWaitDetector()
    for (event, channel) in [("e1", "a"), ("e2", "b"), ("e3", "b")] {
      queue.add(try delivery(event, channel: channel, address: event))
    }
    func update(_ seconds: Int) -> [String] {
      watch.update(at: queue, now: noon.advanced(by: .seconds(seconds)), quietMinutesLeft: { _ in 0 })
        .map { "\($0.delivery.event) \($0.why)" }.sorted()
    }
    #expect(update(0) == [] && watch.hasUnreported)
    // Another message of the channel is tried before it is called broken.
    let refusal = SendVerdict.broken("the token is not taken (401)")
    for verdict in [.later("the server failed (500)"), refusal, refusal] {
      let begun = queue.begin(at: noon, quietMinutesLeft: { _ in 0 })
      _ = queue.applyOutcome(try #require(begun), verdict, at: noon, jitter: 1)
    }
    let broken = "the channel is broken: the token is not taken (401)"
    #expect(update(1) == ["e2 \(broken)", "e3 \(broken)"] && update(21) == [])
    #expect(
      watch.hasUnreported && update(22) == ["e1 the server failed (500)"] && !watch.hasUnreported && update(70) == [])
  }

  @Test(arguments: [Delivery.End.delivered, .refused, .expired, .unknown])
  func `every outcome is a receipt that the daemon can read`(end: Delivery.End) throws {
    var delivery = try ended("e1", end)
    delivery.code = 550
    let receipt = try Receipt(delivery.receipt.bytes)
    #expect(receipt == delivery.receipt && receipt.outcome.rawValue == end.rawValue)
    #expect(receipt.tries == 2 && receipt.code == 550 && receipt.at == noon)
    delivery.revive(at: noon.advanced(by: .hours(400)), lasting: .hours(1), by: nil)
    #expect(delivery.end == nil && delivery.tries == 0 && delivery.isRepeat == (end == .unknown))
    #expect(delivery.expiresAt == noon.advanced(by: .hours(401)).milliseconds)
    delivery.tries = 1
    #expect(delivery.receipt.tries == 3)
  }

  @Test func `a dead letter is revived once, even after a crash in between`() throws {
    let folder = try folder()
    let settings = try settings("[Channel post]\nType = smtp\nServer = smtp://127.0.0.1\nFrom = a@example.com\n")
    let dead = try ended("e1", .refused)
    try writeEnded(dead, in: folder)
    let state = try StateFolderView(scratch.path + "/state")
    let letter = try #require(try state.deadLetters().first)
    #expect(letter.name == "e1.\(dead.key)" && state.event(of: letter)?.id == "e1")
    #expect(try names("state/work") == [])
    #expect(try state.receipts(of: "e1").map(\.outcome) == [.refused])
    try state.retry(letter)
    // Twice, as after a crash before the retry request was removed.
    let copy = scratch.path + "/copy"
    try FileManager.default.copyItem(atPath: "\(scratch.path)/state/retry/\(letter.name)", toPath: copy)
    let living = try #require(try folder.revive(letter.name, settings, at: noon) { _ in [] }.first)
    #expect(living.key == dead.key && living.channel == "post" && living.triedBefore == 2 && living.end == nil)
    #expect(try folder.deliveries(of: "e1") == [living] && folder.calendar("e1") == Array("ICS".utf8))
    #expect(try folder.receipt(of: living) == nil && state.receipts(of: "e1").map(\.outcome) == [.waiting])
    try FileManager.default.moveItem(atPath: copy, toPath: "\(scratch.path)/state/retry/\(letter.name)")
    #expect(try folder.revive(letter.name, settings, at: noon) { _ in [] }.isEmpty && folder.retryRequests() == [])
    #expect(try folder.deliveries(of: "e1") == [living])
    // While another delivery of the event is active.
    var other = try ended("e1", .expired)
    other.finish(.expired, "", at: noon)
    try PrivateFiles.makeFolder("\(scratch.path)/state/retry/e1.nonsense")
    #expect(throws: (any Error).self) {
      try folder.revive("e1.nonsense", settings, at: noon) { _ in [] }
    }
    folder.abandonRetry(request: "e1.nonsense")
    #expect(try folder.retryRequests() == [] && state.deadLetters().isEmpty)
  }

  @Test func `a delivered event is not delivered again, for any recipient key`() throws {
    let folder = try folder()
    var odd = try delivery("e1", recipient: "María & Söhne", address: "hook")
    odd.finish(.delivered, "", at: noon)
    try folder.plan("e1", try eventBytes(id: "e1"), calendar: [], [odd])
    try folder.record(odd)
    #expect(try folder.receipt(of: odd) == odd.receipt.bytes)
    #expect(try StateFolderView(scratch.path + "/state").receipts(of: "e1").first?.outcome == .delivered)
    #expect(throws: Receipt.Fault.self) { try Receipt(odd.receipt.bytes) }
  }

  @Test func `the commands list, show, retry and drop dead letters without printing addresses`() throws {
    let folder = try folder()
    let state = try StateFolderView(scratch.path + "/state")
    try writeEnded(try ended("e1", .refused), in: folder)
    try writeEnded(try ended("e2", .unknown, "the connection ended"), in: folder)
    let keys = try state.deadLetters().map(\.delivery.key)
    func run(_ words: String..., at now: Timestamp = noon) throws -> String {
      var commands = PostCommands(state, now: now)
      try commands.run(words)
      return commands.output
    }
    let listed = try run("dead")
    #expect(listed.contains(String(keys[0].prefix(8))) && listed.contains("refused: no (550)"), "\(listed)")
    #expect(try run("dead", "list", "--json").contains(#""verdict":"unknown""#))
    let shown = try run("dead", "show", String(keys[0].prefix(6)))
    #expect(shown.contains("notice") && !shown.contains("example.com"), "\(shown)")
    #expect(try run("dead", "show", keys[0], "--reveal").contains("maria@example.com"))
    #expect(!listed.contains("example.com"))
    let late = Timestamp(milliseconds: try #require(try state.deadLetters().first).delivery.expiresAt)
    #expect(try run("dead", "retry", "--all", at: late).hasPrefix("0 dead letters are tried again; 2 expired ones"))
    let error = #expect(throws: PostCommands.UsageError.self) { try run("dead", "retry", keys[0], at: late) }
    #expect(error?.description.contains("--late") == true)
    #expect(
      try run("dead", "retry", keys[0], "--late", at: late).contains("1 dead letter is tried again; poolflow-post"))
    #expect(try run("dead", "drop", "--all") == "1 dead letter dropped\n" && names("state/dead") == [])
    #expect(try folder.retryRequests() == ["e1.\(keys[0])"])
    #expect(try run("log", "e2").contains("it is unknown whether it arrived"))
    #expect(try run("dead") == "there are no dead letters\n")
    var channel = SenderReport.Channel(name: "mail", kind: "smtp")
    channel.lastDelivered = noon.description
    try folder.writeReport(try SenderReport(channels: [channel]).bytes)
    let status = try run("status")
    #expect(status.contains("is not running") && status.contains("mail") && status.contains("\(noon)"), "\(status)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run("status", "--json").utf8)) as? [String: Any])
    #expect((json["channels"] as? [[String: Any]])?.first?["last_delivered"] as? String == "\(noon)")
    for wrong in [
      ["dead", "lst"], ["dead", "show"], ["dead", "show", "abc"], ["dead", "show", "x\u{1B}[2Jyz"], ["dead", "retry"],
      ["dead", "retry", "abcd", "--all"], ["dead", "drop"], ["dead", "--al"], ["log"], ["log", "../x"], ["log", "e9"],
      ["status", "now"], ["status", "--jsn"], ["dead", "drop", "--all", "--json"],
    ] {
      var commands = PostCommands(state, now: noon)
      let error = #expect(throws: PostCommands.UsageError.self, "\(wrong)") { try commands.run(wrong) }
      #expect(error?.description.contains("\u{1B}") == false && commands.output == "")
    }
  }
}
