import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings

/// The delivery of one event to one person by one channel. Its file is part of the plan, which is written before anything is
/// sent.
struct Delivery: Codable, Hashable, Sendable {
  let event: String
  /// The recipient's key, such as `t12` or `office`; `*` for a team's board and other shared addresses.
  let recipient: String
  let team: String
  /// The name of the channel's section in the settings.
  private(set) var channel: String
  private(set) var kind: String
  let address: String
  /// The idempotency key, 32 hexadecimal digits: unique to this delivery and equal in all its tries.
  let key: String
  /// The time of the event, in milliseconds since 1970.
  let madeAt: Int64
  /// The time after which the message is useless, in milliseconds since 1970.
  private(set) var expiresAt: Int64
  /// The recipient's quiet hours, during which the message is not sent; nil for none.
  let quiet: QuietTime?

  var tries = 0
  /// The earliest time of the next try, in milliseconds since 1970.
  var notBefore: Int64 = 0
  /// True while a try is running, or after a crash if its outcome is unknown.
  var isUnderWay = false
  /// True if the message is sent as plain short text, because the server refused the full message.
  var isPlain = false
  /// True if an earlier try may have arrived; the message then says that it is a repeat.
  var isRepeat = false
  /// The number of tries that ended with a crash of poolflow-post.
  var crashes = 0
  /// The number of refusals while the channel accepted other messages; nil for none.
  private(set) var singledOut: Int?
  /// The number of tries before an operator last retried it from the dead letters.
  var triedBefore: Int?
  /// The server's last response code, of HTTP or SMTP.
  var code: Int?
  /// The reason of the last failure, without an address; empty if there is none.
  var words = ""
  var end: End?
  var endedAt: Int64?

  /// True if the Telegram group in `address` has a new id; nil if not.
  var hasMoved: Bool?
  /// True if the message must not be sent again once it may have arrived.
  var isOnce = false
  /// The deliveries that this one is the fallback for; nil if it is not a fallback.
  var standsFor: [FallbackTarget]?
  /// The time from which the fallback is sent even if those deliveries are still being tried, in milliseconds since 1970.
  var standsFrom: Int64 = 0
  /// True if another person reads the message: it then holds only a headline and the name of the person who was not reached.
  var isShared = false

  /// The final outcome of a delivery.
  ///
  /// - `replaced`: another channel delivered the message first.
  enum End: String, Codable, Sendable { case delivered, refused, expired, unknown, replaced }

  /// A reference to a delivery of the same event for which this delivery is a fallback.
  struct FallbackTarget: Codable, Hashable, Sendable {
    let key: String
    let channel: String
  }

  init(
    event: PostEvent, recipient: String, channel: String, kind: String, address: String, quiet: QuietTime?,
    takenAt: Timestamp
  ) {
    (self.event, self.recipient, team) = (event.id, recipient, event.data.team)
    (self.channel, self.kind, self.address, self.quiet) = (channel, kind, address, quiet)
    let words = "\(event.source)\n\(event.id)\n\(channel)\n\(recipient)\n\(address)"
    key = String(SHA256.hex(of: Array(words.utf8)).prefix(32))
    madeAt = event.time.milliseconds
    expiresAt = (event.expires ?? takenAt.advanced(by: Limits.postDefaultExpiry)).milliseconds
  }

  /// True for a notice from poolflow-post about itself, for which the daemon expects no receipt.
  var isOwnNotice: Bool { event.hasPrefix(Self.ownNoticePrefix) }

  /// The prefix of the ids of such events; the daemon's ids begin with a date.
  static let ownNoticePrefix = "post-"

  /// Identifies the delivery within this process.
  var id: String { "\(event)/\(key)" }

  /// The id of the delivery that `target` refers to.
  func id(of target: FallbackTarget) -> String { "\(event)/\(target.key)" }

  /// Deliveries with an equal value are sent in order.
  var orderingKey: String { "\(team)\n\(recipient)\n\(address)" }
}

extension Delivery {
  /// The delays of a failed message, until it expires. They are short enough for a morning: after a network outage at seven, the
  /// message arrives before the first stop.
  static let retryPolicy = RetryPolicy([
    .seconds(5), .seconds(15), .seconds(30), .minutes(1), .minutes(2), .minutes(5), .minutes(5), .minutes(10),
    .minutes(10), .minutes(15),
  ])

  /// Applies the outcome of a try. The caller saves the delivery afterwards.
  ///
  /// - Parameter jitter: the jitter factor of the delay, one of `RetryPolicy.jitterFactors`.
  mutating func applyOutcome(_ verdict: SendVerdict, at now: Timestamp, jitter: Double) {
    isUnderWay = false
    switch verdict {
    case .delivered: finish(.delivered, "", at: now)
    case .noSuchAddress(let why): finish(.refused, why, at: now)
    case .moved:
      // Retry at once with the group's new id. If the id has changed once more, give up.
      if hasMoved == true {
        return finish(.refused, "the group has yet another number (400); set the new number", at: now)
      }
      (hasMoved, words, notBefore) = (true, "the group has another number", now.milliseconds)
    case .refused(let why):
      if isPlain { return finish(.refused, why, at: now) }
      (isPlain, words, notBefore) = (true, why, now.milliseconds)
    case .singledOut(let why): applySingledOut(why, at: now, jitter: jitter)
    // The failure is the channel's, so it does not count as a try; the message waits for the channel.
    case .broken(let why): (words, tries) = (why, tries - 1)
    case .later(let why, let requestedWait, _), .rateLimited(let why, let requestedWait):
      words = why
      wait(atLeast: requestedWait, from: now, jitter)
    case .unknown(let why, _): applyUnknown(why, at: now, jitter: jitter)
    }
  }

  /// Handles a try with unknown outcome. A service that recognizes a repeat by its key is tried again as usual. With all other
  /// services the message is sent once more, marked as a repeat: a route that arrives twice is better than none. If `isOnce`,
  /// it is not sent again.
  private mutating func applyUnknown(_ why: String, at now: Timestamp, jitter: Double) {
    words = why
    if isOnce { return finish(.unknown, why, at: now) }
    if PostSettings.Kind(rawValue: kind)?.isIdempotent != true {
      if isRepeat { return finish(.unknown, why, at: now) }
      isRepeat = true
    }
    wait(atLeast: nil, from: now, jitter)
  }

  /// Handles a refusal that concerns only this message. It is retried, because the channel may have failed briefly; the last
  /// try sends plain short text, after which the delivery is dead.
  private mutating func applySingledOut(_ why: String, at now: Timestamp, jitter: Double) {
    let count = (singledOut ?? 0) + 1
    singledOut = count
    guard count < Limits.postRefusalsOfOneMessage else {
      return finish(.refused, "\(why), while the channel accepted other messages", at: now)
    }
    if count == Limits.postRefusalsOfOneMessage - 1 { isPlain = true }
    words = why
    wait(atLeast: nil, from: now, jitter)
  }

  /// Sets `notBefore` to the delay for `tries`, at least `requestedWait`, but not later than the expiry.
  private mutating func wait(atLeast requestedWait: Duration?, from now: Timestamp, _ jitter: Double) {
    let wait = Self.retryPolicy.delay(afterFailures: tries, requestedWait: requestedWait, jitter: jitter)
    notBefore = min(now.advanced(by: wait).milliseconds, max(expiresAt, now.milliseconds))
  }

  /// Handles a crash of poolflow-post during a try. After `Limits.postCrashes` crashes the outcome is final.
  mutating func recordCrash(at now: Timestamp) {
    guard isUnderWay else { return }
    isUnderWay = false
    crashes += 1
    if crashes >= Limits.postCrashes {
      return finish(.unknown, "poolflow-post crashed \(crashes) times while sending it", at: now)
    }
    applyUnknown("poolflow-post crashed while sending it", at: now, jitter: 0)
  }

  mutating func finish(_ end: End, _ words: String, at now: Timestamp) {
    (self.end, self.words, endedAt) = (end, words, now.milliseconds)
  }

  /// Ends the delivery because another channel delivered the message.
  mutating func replace(by channel: String, at now: Timestamp) {
    finish(.replaced, "[Channel \(channel)] delivered it instead" + (words.isEmpty ? "" : ": \(words)"), at: now)
  }

  /// Ends the delivery if it has expired.
  ///
  /// - Parameter isQuiet: true if the person's quiet hours are the reason.
  mutating func expire(at now: Timestamp, isQuiet: Bool) {
    guard end == nil, !isUnderWay, now.milliseconds >= expiresAt else { return }
    if isRepeat { return finish(.unknown, "\(words); there was no time to send it again", at: now) }
    let why = words.isEmpty && isQuiet ? "the person's quiet hours lasted longer" : words
    finish(
      .expired, why.isEmpty ? "it could not be delivered in time" : "it could not be delivered in time: \(why)", at: now
    )
  }
}

extension Delivery {
  /// The receipt for the daemon, which contains no address.
  var receipt: Receipt {
    let words =
      switch end {
      case .delivered:
        successText + (isRepeat ? Self.repeated : "") + (standsFor == nil ? "" : fallbackNote)
          + (hasMoved == true ? Self.moved : "")
      case .refused: "refused: \(words)"
      case .unknown: "it is unknown whether it arrived: \(words)"
      case .expired, .replaced, nil: words
      }
    return receipt(
      end.flatMap { Receipt.Outcome(rawValue: $0.rawValue) } ?? .waiting, words,
      at: Timestamp(milliseconds: endedAt ?? 0))
  }

  /// The success message of the receipt, by kind of channel.
  private var successText: String {
    switch PostSettings.Kind(rawValue: kind) {
    case .smtp: "handed to the mail server"
    case .sendmail: "handed to the machine's own mail system"
    default: "accepted by \(kind)"
    }
  }

  private static let repeated = "; it may have arrived twice, and is marked as a repeat"
  private static let moved = "; the group has a new number since it grew: enter it with `pfctl technician set`"

  /// The part of the receipt that names the channels this fallback replaced.
  private var fallbackNote: String {
    let channels = (standsFor ?? []).map { "[Channel \($0.channel)]" }.joined(separator: ", ")
    return isShared
      ? "; another recipient was notified that \(channels) did not reach the person" : ", instead of \(channels)"
  }

  /// A receipt that says the delivery is waiting, and why.
  func waiting(_ why: String, at now: Timestamp) -> Receipt { receipt(.waiting, why, at: now) }

  private func receipt(_ outcome: Receipt.Outcome, _ words: String, at: Timestamp) -> Receipt {
    Receipt(
      notice: event, delivery: key, recipient: recipient, channel: channel, kind: kind, outcome: outcome,
      words: Receipt.truncated(words), code: code, tries: (triedBefore ?? 0) + tries, at: at)
  }

  /// Restarts an ended delivery, at an operator's request.
  ///
  /// - Parameters:
  ///   - lasting: the new time to expiry, if it has expired.
  ///   - channel: the channel to use if the settings have changed; nil to keep the present one.
  mutating func revive(at now: Timestamp, lasting: Duration, by channel: PostSettings.Channel?) {
    if let channel { (self.channel, kind) = (channel.name, channel.kind.rawValue) }
    // If the message may have arrived, mark it as a repeat.
    isRepeat = isRepeat || end == .unknown
    triedBefore = (triedBefore ?? 0) + tries
    (tries, crashes, notBefore, isUnderWay, isPlain) = (0, 0, 0, false, false)
    (words, code, end, endedAt, singledOut) = ("", nil, nil, nil, nil)
    // The deliveries that this one is a fallback for have ended, so it may start now.
    standsFrom = now.milliseconds
    if expiresAt <= now.milliseconds { expiresAt = now.advanced(by: lasting).milliseconds }
  }
}

/// A person's quiet hours in a time zone.
struct QuietTime: Codable, Hashable, Sendable {
  /// Minutes of the day; `from` may be later than `until`, across midnight.
  let from: Int
  let until: Int
  let zone: String

  /// Reads a text such as `22:00-06:00`; nil if it is invalid or empty.
  init?(_ text: String, zone: String) {
    guard let hours = QuietHours(text) else { return nil }
    (from, until, self.zone) = (hours.from.secondOfDay / 60, hours.to.secondOfDay / 60, zone)
  }

  /// Returns the remaining minutes of the quiet hours at a minute of the day; 0 outside of them.
  ///
  /// For example, 22:00-06:00 has 390 minutes left at 23:30.
  func minutesLeft(at minute: Int) -> Int {
    let isQuiet = from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    return isQuiet ? (until - minute + 1_440) % 1_440 : 0
  }
}
