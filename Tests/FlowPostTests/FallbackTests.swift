import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FlowTestKit
import Foundation
import PoolDigests
import Testing

@testable import FlowPost

struct FallbackTests {
  private static let channels = """
    [Channel mail]
    Type = smtp
    Server = smtp://127.0.0.1
    From = routes@example.com
    Fallback = push
    FallbackAfter = 10min
    [Channel push]
    Type = ntfy
    Server = https://ntfy.example.com
    Fallback = sms
    FallbackAfter = 5min
    [Channel sms]
    Type = webhook
    Credential = sms
    Unknown = stop
    """

  private func after(_ seconds: Int) -> Timestamp { noon.advanced(by: .seconds(seconds)) }

  private func plan(
    _ addresses: [(String, String)], _ text: String = channels, quiet: String? = nil, quietMinutesLeft: Int = 0,
    expires: String = "2026-11-24T12:00:00Z"
  ) throws -> [Delivery] {
    let event = try PostEvent(
      try eventBytes(recipient: person(addresses, quiet: quiet), expires: expires), name: "e1")
    return PostPlan.deliveries(
      of: event, try settings(text), machineZone: "UTC", takenAt: noon, quietMinutesLeft: { _ in quietMinutesLeft })
  }

  private func queue(_ plan: [Delivery]) -> PostQueue {
    var queue = PostQueue()
    for delivery in plan where delivery.end == nil { queue.add(delivery) }
    return queue
  }

  private func next(_ queue: inout PostQueue, _ now: Timestamp) -> Delivery? {
    queue.begin(at: now, quietMinutesLeft: { _ in 0 })
  }

  // MARK: Who is meant

  @Test func `a person's addresses at fallback channels are tried one after the other`() throws {
    let plan = try plan([("ntfy", "maria"), ("mail", "maria@example.com"), ("webhook", "sms")])
    #expect(plan.map(\.channel) == ["push", "mail", "sms"])
    #expect(plan.map { $0.standsFor?.map(\.channel) } == [["mail"], nil, ["mail", "push"]])
    #expect(plan.map(\.standsFrom) == [after(600).milliseconds, 0, after(900).milliseconds])
    #expect(plan.map(\.isOnce) == [false, false, true] && plan.allSatisfy { !$0.isShared })
    #expect(Set(plan.map(\.key)).count == 3)
    // A person without an address at the first channel gets the message at once.
    #expect(try self.plan([("ntfy", "maria")]).map { $0.standsFor == nil } == [true, false])
  }

  @Test func `a fallback without an address of the person sends its own recipient a headline`() throws {
    let plan = try plan(
      [("mail", "maria@example.com")], Self.channels.replacing("Fallback = push", with: "Fallback = sms"))
    #expect(plan.map(\.channel) == ["mail", "sms"] && plan.map(\.isShared) == [false, true])
    // An ntfy channel without `To` has no recipient, so the chain ends there.
    #expect(try self.plan([("mail", "maria@example.com")]).map(\.channel) == ["mail"])
    let told = try event(recipient: person([("mail", "maria@example.com")])).unreached
    #expect(told.data.title.hasPrefix("No se ha podido avisar a María: "))
    #expect(told.data.lines.isEmpty && told.details == nil && told.data.access == nil)
    #expect(told.data.recipient?.addresses.isEmpty == true && told.data.recipient?.name.isEmpty == true)
    let whole = try eventBytes(recipient: person([("mail", "maria@example.com")]))
    var channel = try #require(try settings(Self.channels).channels.last)
    channel.detail = .full
    let secret = try ChannelSecret(
      PostSettings.Channel(name: "x", kind: .smtp), PostCredentials(settings: "post.conf", environment: [:]))
    let request = try #require(
      PostRequest(
        plan[1], try PostEvent(whole, name: "e1"), whole: whole, calendar: [], channel, secret, SystemZones(), at: noon)
    )
    let text = String(decoding: request.body, as: UTF8.self)
    #expect(text.contains("No se ha podido avisar a María"))
    for word in ["maria@example.com", "Calloway", "gate", "\"lines\"", "\"details\"", "\"access\""] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test func `a mail address uses the normal channel first and its fallback later`() throws {
    // The order in the file does not matter.
    let spare = "[Channel spare]\nType = sendmail\nFrom = routes@example.com\n"
    let plan = try plan(
      [("mail", "maria@example.com")],
      spare + Self.channels.replacing("Fallback = push", with: "Fallback = spare"))
    #expect(plan.map(\.channel) == ["mail", "spare"] && plan.map(\.isShared) == [false, false])
    #expect(plan[1].address == "maria@example.com" && plan[1].standsFor == [.init(key: plan[0].key, channel: "mail")])
  }

  @Test func `an address without a channel is no fallback, whatever the channels' names`() throws {
    let crew = "[Channel slack]\nType = slack\nCredential = slack\n"
    let text = crew + Self.two.replacing("Fallback = push", with: "Fallback = slack")
    let plan = try plan([("slack", "gone"), ("mail", "maria@example.com")], text)
    #expect(plan.map(\.channel) == ["slack", "mail", "slack"] && plan.map(\.isShared) == [false, false, true])
    #expect(plan.map { $0.standsFor?.count } == [nil, nil, 1] && plan[0].end == .refused)
  }

  @Test func `quiet hours delay the fallback, and half of the event's lifetime belongs to it`() throws {
    let addresses = [("mail", "maria@example.com"), ("ntfy", "maria")]
    let asleep = try plan(addresses, Self.two, quiet: "22:00-13:00", quietMinutesLeft: 60)
    #expect(asleep.last?.standsFrom == after(3_600 + 600).milliseconds)
    let brief = try plan(addresses, Self.two, expires: "2026-11-23T12:08:00Z")
    #expect(brief.last?.standsFrom == after(240).milliseconds)
  }

  @Test func `a team notice uses the fallback's own address with full detail`() throws {
    let text =
      Self.channels + "\nTeams = desert-blue\nFallback = push2\n[Channel push2]\nType = ntfy\n"
      + "Server = https://ntfy.example.com\nTo = office\n"
    let plan = PostPlan.deliveries(of: try event(), try settings(text), machineZone: "UTC", takenAt: noon)
    #expect(plan.map(\.channel) == ["sms", "push2"] && plan.map(\.address) == ["sms", "office"])
    #expect(plan.map(\.isShared) == [false, false] && plan[1].standsFor?.count == 1)
  }

  // MARK: When

  private static let two = channels.replacing("Fallback = sms\nFallbackAfter = 5min\n", with: "")

  private func pair() throws -> [Delivery] {
    try plan([("mail", "maria@example.com"), ("ntfy", "maria")], Self.two)
  }

  @Test func `a delivery in time cancels its fallback`() throws {
    var queue = queue(try pair())
    let first = try #require(next(&queue, noon))
    let second = next(&queue, noon)
    #expect(first.channel == "mail" && second == nil)
    let late = queue.applyOutcome(first, .later("not yet (450)"), at: noon, jitter: 1).delivery
    #expect(queue.nextWakeUp(after: after(10), quietMinutesLeft: { _ in 0 }) == after(10), "the mail again")
    let again = try #require(next(&queue, after(10)))
    #expect(again.id == late.id)
    let settled = queue.applyOutcome(again, .delivered, at: after(11), jitter: 1)
    // The person's other address gets a receipt that says it was not needed.
    #expect(settled.replaced.map(\.channel) == ["push"] && settled.unneeded.isEmpty && queue.count == 0)
    #expect(settled.replaced.first?.receipt.words == "[Channel mail] delivered it instead")
  }

  @Test func `a delivery that is late is sent by the fallback, one at a time`() throws {
    var queue = queue(try pair())
    var first = try #require(next(&queue, noon))
    first = queue.applyOutcome(first, .later("not yet (450)"), at: noon, jitter: 1).delivery
    #expect(next(&queue, after(5))?.channel == "mail")
    // An active attempt of the first channel keeps the fallback from starting.
    let both = next(&queue, after(600))
    #expect(both == nil)
    _ = queue.applyOutcome(first, .later("not yet (450)"), at: after(601), jitter: 1)
    let second = try #require(next(&queue, after(601)))
    #expect(second.channel == "push")
    let again = next(&queue, after(700))
    #expect(again == nil)
    let settled = queue.applyOutcome(second, .delivered, at: after(701), jitter: 1)
    #expect(settled.replaced.map(\.end) == [.replaced] && settled.unneeded.isEmpty && queue.count == 0)
    #expect(settled.replaced.first?.words == "[Channel push] delivered it instead: not yet (450)")
    #expect(settled.delivery.receipt.words == "accepted by ntfy, instead of [Channel mail]")
  }

  @Test func `a refused delivery or a broken channel starts the fallback at once`() throws {
    for verdict in [SendVerdict.noSuchAddress("gone"), .broken("401")] {
      var queue = queue(try pair())
      let first = try #require(next(&queue, noon))
      _ = queue.applyOutcome(first, verdict, at: noon, jitter: 1)
      let second = try #require(next(&queue, noon))
      #expect(second.channel == "push")
      let settled = queue.applyOutcome(second, .delivered, at: noon, jitter: 1)
      #expect(
        queue.count == 0 && settled.replaced.count == (first.channel == "mail" && verdict == .broken("401") ? 1 : 0))
    }
    // After the pause the channel itself is tried first: it may work again.
    var queue = queue(try pair())
    let first = try #require(next(&queue, noon))
    _ = queue.applyOutcome(first, .broken("401"), at: noon, jitter: 1)
    #expect(next(&queue, after(60))?.channel == "mail")
    // An address that was invalid from the beginning.
    let bad = try plan([("mail", "maria"), ("ntfy", "maria")], Self.two)
    queue = self.queue(bad)
    #expect(bad.first?.end == .refused && next(&queue, noon)?.channel == "push")
  }

  @Test func `a fallback's headline to its own recipient keeps the person's message pending`() throws {
    let plan = try plan(
      [("mail", "maria@example.com")], Self.channels.replacing("Fallback = push", with: "Fallback = sms"))
    var queue = queue(plan)
    let first = try #require(next(&queue, noon))
    _ = queue.applyOutcome(first, .later("not yet (450)"), at: noon, jitter: 1)
    #expect(next(&queue, after(5))?.channel == "mail")
    _ = queue.applyOutcome(first, .later("not yet (450)"), at: after(6), jitter: 1)
    // The person's own message has its turn first, and is not active any more.
    var told = try #require(next(&queue, after(600)))
    if told.channel == "mail" {
      _ = queue.applyOutcome(told, .later("not yet (450)"), at: after(600), jitter: 1)
      told = try #require(next(&queue, after(600)))
    }
    #expect(told.isShared)
    let settled = queue.applyOutcome(told, .delivered, at: after(600), jitter: 1)
    #expect(settled.replaced.isEmpty && queue.count == 1)
    #expect(
      settled.delivery.receipt.words
        == "accepted by webhook; another recipient was notified that [Channel mail] did not reach the person")
    #expect(next(&queue, after(2_000))?.channel == "mail")
  }

  @Test func `a waiting fallback delays no other message of the same person`() throws {
    var queue = queue(try pair())
    queue.add(
      try delivery("e2", kind: "ntfy", channel: "push", recipient: "t12", address: "maria", at: after(1)))
    let begun = [next(&queue, after(1)), next(&queue, after(1))].compactMap { $0?.channel }
    #expect(begun.sorted() == ["mail", "push"])
  }

  @Test func `fallback settings with a cycle or an unknown channel are reported`() {
    let (_, problems) = PostSettings.read(
      """
      [Channel a]
      Type = webhook
      Credential = a
      Fallback = b
      FallbackAfter = 0s
      [Channel b]
      Type = webhook
      Credential = b
      Fallback = a
      Unknown = perhaps
      [Channel c]
      Type = sendmail
      From = a@b.c
      Server = smtp://127.0.0.1
      Credential = c
      Program = sendmail
      Fallback = c
      [Channel d]
      Type = smtp
      Server = smtp://127.0.0.1
      From = a@b.c
      Program = /usr/sbin/sendmail
      Authority = ca.pem
      Fallback = unknown
      [Channel e]
      Type = webhook
      Credential = e
      FallbackAfter = 5min
      """, name: "post.conf")
    let words = problems.map { "\($0.line): \($0.message)" }
    for expected in [
      "4: Fallback cannot be \"b\": it leads back to [Channel a] itself", "5: FallbackAfter cannot be \"0s\"",
      "9: Fallback cannot be \"a\"", "10: Unknown cannot be \"perhaps\": it is repeat or stop",
      "14: Server does not belong here: sendmail is a program", "15: Credential does not belong here",
      "16: Program cannot be \"sendmail\": a path begins with /", "17: Fallback cannot be \"c\"",
      "22: Program does not belong here", "23: Authority cannot be \"ca.pem\"",
      "24: Fallback cannot be \"unknown\": it is another channel", "28: FallbackAfter does not belong here",
    ] {
      #expect(words.contains { $0.hasPrefix(expected) }, "\(expected) is not among \(words.joined(separator: "\n"))")
    }
    #expect(words.count == 12, "\(words.joined(separator: "\n"))")
  }

  // MARK: Whatever happens

  /// Random server answers, and a poster that may crash at any moment and continue from disk: each person gets the message
  /// once, except after an unknown outcome, and everything ends. `POOLFLOW_SEED` sets the first seed.
  @Test(arguments: 0..<60) func `random answers and crashes deliver by one channel only, except after unknown outcomes`(
    choice: UInt64
  ) throws {
    let seed = (ProcessInfo.processInfo.environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? 0) &+ choice
    var numbers = SeededNumbers(seed: seed)
    let people = 4
    var disk: [String: Delivery] = [:]
    for number in 0..<people {
      var recipient = person([("mail", "m\(number)@example.com"), ("ntfy", "n\(number)"), ("webhook", "sms")])
      recipient["key"] = "t\(number)"
      let event = try PostEvent(
        try eventBytes(id: "e\(number)", recipient: recipient, expires: "2026-11-23T16:00:00Z"), name: "e\(number)")
      for one in PostPlan.deliveries(of: event, try settings(Self.channels), machineZone: "UTC", takenAt: noon) {
        disk[one.id] = one
      }
    }
    var queue = self.queue(Array(disk.values))
    var (now, inProgress, takenAt, doubtful, ends) = (noon, [Delivery](), [String: Int](), Set<String>(), [Delivery]())
    let isBad = ["mail", "push", "sms"].reduce(into: [String: UInt64]()) {
      $0[$1] = UInt64.random(in: 0...10, using: &numbers)
    }

    func keep(_ settled: PostQueue.TryResult) {
      disk[settled.delivery.id] = settled.delivery.end == nil ? settled.delivery : nil
      for one in settled.unneeded + settled.replaced { disk[one.id] = nil }
      ends += settled.replaced + (settled.delivery.end == nil ? [] : [settled.delivery])
    }

    for step in 0..<4_000 {
      guard queue.count > 0 else { break }
      for one in queue.expired(at: now, quietMinutesLeft: { _ in 0 }) {
        disk[one.id] = nil
        ends.append(one)
      }
      while let begun = queue.begin(at: now, quietMinutesLeft: { _ in 0 }) {
        let same = inProgress.filter { $0.event == begun.event }
        #expect(same.isEmpty, "seed \(seed), step \(step): \(begun.channel) beside \(same.map(\.channel))")
        #expect(takenAt[begun.event] ?? 0 == 0 || doubtful.contains(begun.event), "seed \(seed): again after success")
        disk[begun.id] = begun
        inProgress.append(begun)
      }
      let nextWakeUp = queue.nextWakeUp(after: now, quietMinutesLeft: { _ in 0 })
      #expect(!inProgress.isEmpty || nextWakeUp.map { $0 > now } ?? true, "seed \(seed), step \(step): would spin")
      if let index = inProgress.indices.randomElement(using: &numbers) {
        let one = inProgress.remove(at: index)
        let isTrouble = UInt64.random(in: 0..<10, using: &numbers) < isBad[one.channel] ?? 0
        let verdict: SendVerdict =
          isTrouble
          ? [
            .later("away", affectsWholeServer: true), .later("not yet"), .broken("401"), .noSuchAddress("gone"),
            .unknown("cut"),
            .refused("bad"), .rateLimited("429", after: .seconds(30)),
          ].randomElement(using: &numbers) ?? .delivered : .delivered
        if case .unknown = verdict { doubtful.insert(one.event) }
        if verdict == .delivered { takenAt[one.event, default: 0] += 1 }
        now = now.advanced(by: .seconds(Int.random(in: 0...20, using: &numbers)))
        keep(queue.applyOutcome(one, verdict, at: now, jitter: 1))
      } else {
        now = max(now, nextWakeUp ?? now)
      }
      if Int.random(in: 0..<50, using: &numbers) == 0 {
        // A crash: active deliveries may have arrived; the state on disk continues.
        doubtful.formUnion(inProgress.map(\.event))
        inProgress = []
        queue = PostQueue()
        for var one in disk.values.sorted(by: { $0.id < $1.id }) {
          one.recordCrash(at: now)
          disk[one.id] = one.end == nil ? one : nil
          if one.end == nil { queue.add(one) } else { ends.append(one) }
        }
      }
    }
    #expect(queue.count == 0 && disk.isEmpty, "seed \(seed): \(disk.count) are left")
    for number in 0..<people {
      let event = "e\(number)"
      let own = ends.filter { $0.event == event }
      #expect(
        takenAt[event] ?? 0 <= 1 || doubtful.contains(event), "seed \(seed): \(event) came \(takenAt[event] ?? 0) times"
      )
      #expect(!own.isEmpty)
      // A person without the message has a final failure on each channel.
      if takenAt[event] == nil { #expect(Set(own.map(\.channel)) == ["mail", "push", "sms"], "seed \(seed): \(own)") }
    }
  }
}
