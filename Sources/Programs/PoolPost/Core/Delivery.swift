import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings

/// One event on its way to one person by one channel; its file is the plan, written before anything is sent.
struct Delivery: Codable, Hashable, Sendable {
  let event: String
  /// `t12`, `office`; of what is for nobody alone, `*`.
  let recipient: String
  let team: String
  /// A section of the settings.
  private(set) var channel: String
  private(set) var kind: String
  let address: String
  /// The same for every try, and no other delivery's: 32 hexadecimal digits.
  let key: String
  /// When the event was made, and when nobody needs it any more; milliseconds since 1970.
  let madeAt: Int64
  private(set) var expiresAt: Int64
  /// Not to be brought between these minutes of the day.
  let quiet: QuietTime?

  var tries = 0
  var notBefore: Int64 = 0
  /// A try began, and nothing is known of its end.
  var isUnderWay = false
  /// It is told as plain short text, since it was refused otherwise.
  var isPlain = false
  /// It may have arrived before, and says so.
  var isRepeat = false
  var crashes = 0
  /// How often the channel refused it and took others meanwhile; nil for never.
  private(set) var singledOut: Int?
  /// Tries of its lives before, each of which somebody began anew.
  var triedBefore: Int?
  /// What the server answered last: a code of HTTP or SMTP.
  var code: Int?
  var words = ""
  var end: End?
  var endedAt: Int64?

  /// Its group has another number than the address says; nil for no.
  var hasMoved: Bool?
  /// Never sent again where it may have arrived.
  var isOnce = false
  /// It is brought only where none of these is; nil for one that is brought in any case.
  var standsFor: [Stand]?
  /// From when on it is brought although they are still tried; milliseconds since 1970.
  var standsFrom: Int64 = 0
  /// Somebody else than the person reads it: a headline, and who was not reached.
  var isShared = false

  /// - `replaced`: another channel brought it, before this one could.
  enum End: String, Codable, Sendable { case delivered, refused, expired, unknown, replaced }

  /// A delivery of the same event that another one stands in for.
  struct Stand: Codable, Hashable, Sendable {
    let key: String
    let channel: String
  }

  init(
    event: PostEvent, recipient: String, channel: String, kind: String, address: String, quiet: QuietTime?,
    taken: Timestamp
  ) {
    (self.event, self.recipient, team) = (event.id, recipient, event.data.team)
    (self.channel, self.kind, self.address, self.quiet) = (channel, kind, address, quiet)
    let words = "\(event.source)\n\(event.id)\n\(channel)\n\(recipient)\n\(address)"
    key = String(SHA256.hex(of: Array(words.utf8)).prefix(32))
    madeAt = event.time.milliseconds
    expiresAt = (event.expires ?? taken.advanced(by: Limits.postUntil)).milliseconds
  }

  /// It tells of this program itself: no sink of the daemon was given it.
  var isOwnNews: Bool { event.hasPrefix(Self.newsPrefix) }

  /// What the ids of such events begin with; the daemon's begin with a date.
  static let newsPrefix = "post-"

  /// Of one program's life.
  var id: String { "\(event)/\(key)" }

  /// That of a delivery of the same event.
  func id(of stand: Stand) -> String { "\(event)/\(stand.key)" }

  /// What two deliveries share of which the second waits for the first.
  var queue: String { "\(team)\n\(recipient)\n\(address)" }
}

extension Delivery {
  /// The waits after the first try that failed, the second, …; the last one for ever, until it expires. Dense enough for a
  /// morning: what the network had lost at seven is there before the first stop.
  static let waits: [Duration] = [
    .seconds(5), .seconds(15), .seconds(30), .minutes(1), .minutes(2), .minutes(5), .minutes(5), .minutes(10),
    .minutes(10), .minutes(15),
  ]

  /// What is known of a try that began is on the disk; this is what follows from its end.
  ///
  /// - Parameter spread: from 0.8 to 1.2, so that what failed together does not come together.
  mutating func settle(_ verdict: Verdict, at now: Timestamp, spread: Double) {
    isUnderWay = false
    switch verdict {
    case .delivered: finish(.delivered, "", at: now)
    case .noSuchAddress(let why): finish(.refused, why, at: now)
    case .moved:
      // At once, by the new number; a group that has moved again meanwhile is looked for no further.
      if hasMoved == true { return finish(.refused, "the group has yet another number (400); set it anew", at: now) }
      (hasMoved, words, notBefore) = (true, "the group has another number", now.milliseconds)
    case .refused(let why):
      if isPlain { return finish(.refused, why, at: now) }
      (isPlain, words, notBefore) = (true, why, now.milliseconds)
    case .singledOut(let why): settleSingledOut(why, at: now, spread: spread)
    // Nothing of it is this message's: it costs no step of the ladder, and waits for the channel.
    case .broken(let why): (words, tries) = (why, tries - 1)
    case .later(let why, let wish, _), .tooMany(let why, let wish):
      words = why
      wait(atLeast: wish, from: now, spread)
    case .unknown(let why, _): settleUnknown(why, at: now, spread: spread)
    }
  }

  /// The outcome of a try is unknown. A service that knows a repeat by its key is asked again. By the others it is sent once
  /// more, marked as a repeat, and then never: a route that comes twice, and says so, is better than none, and a third is
  /// not. What must not come twice is not sent again at all.
  private mutating func settleUnknown(_ why: String, at now: Timestamp, spread: Double) {
    words = why
    if isOnce { return finish(.unknown, why, at: now) }
    if PostSettings.Kind(rawValue: kind)?.isIdempotent != true {
      if isRepeat { return finish(.unknown, why, at: now) }
      isRepeat = true
    }
    wait(atLeast: nil, from: now, spread)
  }

  /// A refusal that is this message's own: it may have been the channel's for a moment, so it is tried again, at the end as
  /// plain short text, and is then dead.
  private mutating func settleSingledOut(_ why: String, at now: Timestamp, spread: Double) {
    let count = (singledOut ?? 0) + 1
    singledOut = count
    guard count < Limits.postSingledOut else {
      return finish(.refused, "\(why), while the channel took others", at: now)
    }
    if count == Limits.postSingledOut - 1 { isPlain = true }
    words = why
    wait(atLeast: nil, from: now, spread)
  }

  private mutating func wait(atLeast wish: Duration?, from now: Timestamp, _ spread: Double) {
    let step = Self.waits[min(max(tries, 1), Self.waits.count) - 1]
    let wait = max(Int64(Double(step.wholeMilliseconds) * spread), wish?.wholeMilliseconds ?? 0)
    notBefore = min(now.milliseconds + wait, max(expiresAt, now.milliseconds))
  }

  /// Our own process ended in the middle of a try.
  mutating func crashed(at now: Timestamp) {
    guard isUnderWay else { return }
    isUnderWay = false
    crashes += 1
    if crashes >= Limits.postCrashes {
      return finish(.unknown, "poolflow-post ended \(crashes) times while it was sent", at: now)
    }
    settleUnknown("poolflow-post ended while it was sent", at: now, spread: 0)
  }

  mutating func finish(_ end: End, _ words: String, at now: Timestamp) {
    (self.end, self.words, endedAt) = (end, words, now.milliseconds)
  }

  /// Another channel brought it.
  mutating func replace(by channel: String, at now: Timestamp) {
    finish(.replaced, "[Channel \(channel)] brought it in its place" + (words.isEmpty ? "" : ": \(words)"), at: now)
  }

  /// Ends what is of no use any more.
  ///
  /// - Parameter isQuiet: whether the person's quiet hours go on, which is then why.
  mutating func expire(at now: Timestamp, isQuiet: Bool) {
    guard end == nil, !isUnderWay, now.milliseconds >= expiresAt else { return }
    if isRepeat { return finish(.unknown, "\(words); there was no time to send it again", at: now) }
    let why = words.isEmpty && isQuiet ? "the person's quiet hours lasted longer" : words
    finish(
      .expired, why.isEmpty ? "it could not be brought in time" : "it could not be brought in time: \(why)", at: now)
  }
}

extension Delivery {
  /// What became of it, without a word about where.
  var receipt: Receipt {
    let words =
      switch end {
      case .delivered:
        accepted + (isRepeat ? Self.repeated : "") + (standsFor == nil ? "" : standing)
          + (hasMoved == true ? Self.moved : "")
      case .refused: "refused: \(words)"
      case .unknown: "nobody knows whether it arrived: \(words)"
      case .expired, .replaced, nil: words
      }
    return receipt(
      end.flatMap { Receipt.Outcome(rawValue: $0.rawValue) } ?? .waiting, words,
      at: Timestamp(milliseconds: endedAt ?? 0))
  }

  private var accepted: String {
    switch PostSettings.Kind(rawValue: kind) {
    case .smtp: "handed to the mail server"
    case .sendmail: "handed to the machine's own mail system"
    default: "accepted by \(kind)"
    }
  }

  private static let repeated = "; it may be there twice, and says that it is a repeat"
  private static let moved = "; the group has a new number since it has grown: give it to `pfctl technician set`"

  private var standing: String {
    let channels = (standsFor ?? []).map { "[Channel \($0.channel)]" }.joined(separator: ", ")
    return isShared
      ? "; somebody else is told that \(channels) did not reach the person" : ", in the place of \(channels)"
  }

  /// That it waits, and why.
  func waiting(_ why: String, at now: Timestamp) -> Receipt { receipt(.waiting, why, at: now) }

  private func receipt(_ outcome: Receipt.Outcome, _ words: String, at: Timestamp) -> Receipt {
    Receipt(
      notice: event, delivery: key, recipient: recipient, channel: channel, kind: kind, outcome: outcome,
      words: Receipt.fitting(words), code: code, tries: (triedBefore ?? 0) + tries, at: at)
  }

  /// Begins anew what had ended: somebody said so.
  ///
  /// - Parameters:
  ///   - lasting: how long it is tried where nobody needs it any more.
  ///   - channel: what brings it now, where the settings name another than they did; nil for the one of before.
  mutating func revive(at now: Timestamp, lasting: Duration, by channel: PostSettings.Channel?) {
    if let channel { (self.channel, kind) = (channel.name, channel.kind.rawValue) }
    // What may have arrived says that it may be the second.
    isRepeat = isRepeat || end == .unknown
    triedBefore = (triedBefore ?? 0) + tries
    (tries, crashes, notBefore, isUnderWay, isPlain) = (0, 0, 0, false, false)
    (words, code, end, endedAt, singledOut) = ("", nil, nil, nil, nil)
    // Whatever it stood in for has had its end.
    standsFrom = now.milliseconds
    if expiresAt <= now.milliseconds { expiresAt = now.advanced(by: lasting).milliseconds }
  }
}

/// A person's quiet hours by the clocks of a zone.
struct QuietTime: Codable, Hashable, Sendable {
  /// Minutes of the day; `from` may be the later one.
  let from: Int
  let until: Int
  let zone: String

  /// Reads `22:00-06:00`; nil for what is none, or no time at all.
  init?(_ text: String, zone: String) {
    guard let hours = QuietHours(text) else { return nil }
    (from, until, self.zone) = (hours.from.secondOfDay / 60, hours.to.secondOfDay / 60, zone)
  }

  /// How many minutes of them are left at a minute of the day; 0 outside of them.
  ///
  /// Example: of 22:00-06:00 there are 390 left at 23:30.
  func left(at minute: Int) -> Int {
    let isQuiet = from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    return isQuiet ? (until - minute + 1_440) % 1_440 : 0
  }
}
