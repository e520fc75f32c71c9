import FlowModel
import FlowNotices

/// The health of each channel, judged by the servers' answers. A channel is stuck once a message has been due for `patience`
/// and the server has answered no message since. If the server answers other messages, the failure belongs to that message.
///
/// Waits are measured by the machine's uptime, so that setting the clock makes no channel unhealthy.
struct ChannelHealth: Sendable {
  /// The observations about one channel.
  private struct ChannelRecord: Sendable {
    /// The uptime at the server's last answer to a message, whether accepted or refused.
    var answeredAt: Duration?
    /// The time since which the server has answered no due message; an answer resets it. It is kept when the messages expire,
    /// because their expiry does not show that the server works.
    var stuckSince: Timestamp?
    var overdue = 0
    var hasOwnFailures = false
    var dueSince: Timestamp?
    var lastError: (words: String, at: Timestamp)?
  }

  private var records: [String: ChannelRecord] = [:]
  /// The time each delivery was first seen due, by its id.
  private var firstSeenDue: [String: (up: Duration, at: Timestamp)] = [:]
  /// True if a message is due and may become overdue soon.
  private(set) var isWatching = false

  /// Restores the findings of an earlier process from its report.
  mutating func restore(_ report: SenderReport) {
    for channel in report.channels {
      var record = ChannelRecord()
      if channel.health == .stuck {
        record.stuckSince = (channel.dueSince ?? report.at).flatMap { Timestamp(rfc3339: $0) }
      }
      if let words = channel.lastError, let at = channel.lastErrorAt.flatMap({ Timestamp(rfc3339: $0) }) {
        record.lastError = (words, at)
      }
      records[channel.name] = record
    }
  }

  /// Records the outcome of a try.
  mutating func applyOutcome(_ channel: String, _ verdict: SendVerdict, at now: Timestamp, up: Duration) {
    var record = records[channel] ?? ChannelRecord()
    if let words = verdict.failure { record.lastError = (words, now) }
    if verdict.isAnswer { (record.answeredAt, record.stuckSince) = (up, nil) }
    records[channel] = record
  }

  /// Updates each channel's health from the queue.
  ///
  /// - Parameters:
  ///   - channels: the channels in the settings; records of other channels are dropped.
  ///   - patience: the time after which a due message is overdue.
  ///   - quietMinutesLeft: returns the remaining minutes of a person's quiet hours.
  mutating func update(
    at queue: PostQueue, channels: Set<String>, patience: Duration, now: Timestamp, up: Duration,
    quietMinutesLeft: (QuietTime) -> Int
  ) {
    var stillDue: [String: (up: Duration, at: Timestamp)] = [:]
    records = records.filter { channels.contains($0.key) }
    isWatching = false
    for name in channels {
      var record = records[name] ?? ChannelRecord()
      (record.overdue, record.hasOwnFailures, record.dueSince) = (0, false, nil)
      // A fallback that was never tried may never be needed, so it is not overdue.
      for delivery in queue.lanes[name]?.all ?? [] where delivery.standsFor == nil || delivery.tries > 0 {
        guard delivery.quiet.map(quietMinutesLeft) ?? 0 == 0 else { continue }
        let since = firstSeenDue[delivery.id] ?? (up, now)
        stillDue[delivery.id] = since
        guard up - since.up >= patience else {
          isWatching = true
          continue
        }
        record.overdue += 1
        record.dueSince = min(record.dueSince ?? since.at, since.at)
        if delivery.tries > 0 { record.hasOwnFailures = true }
        if record.answeredAt.map({ $0 < since.up }) ?? true { record.stuckSince = record.stuckSince ?? since.at }
      }
      records[name] = record
    }
    firstSeenDue = stillDue
  }

  /// The health of a channel at the last check: `slow` if only some messages fail, `stuck` if the server answers none.
  func health(of channel: String, in queue: PostQueue) -> SenderReport.Health {
    if queue.lanes[channel]?.broken != nil { return .broken }
    guard let record = records[channel] else { return .ok }
    if record.stuckSince != nil { return .stuck }
    return record.hasOwnFailures ? .slow : .ok
  }

  /// Returns the failures that an operator must repair, sorted by channel name.
  ///
  /// - Parameters:
  ///   - known: returns the start of a failure that was known before.
  ///   - fallback: returns the name of a channel's fallback channel.
  func failures(
    in queue: PostQueue, at now: Timestamp, since known: (String) -> Timestamp?, fallback: (String) -> String?
  ) -> [SenderReport.Failure] {
    let channelNames = Set(records.keys).union(queue.lanes.keys.filter { queue.lanes[$0]?.broken != nil })
    return channelNames.sorted().compactMap { name in
      let (about, record) = (Self.about(name), records[name])
      let other = fallback(name).map { ", or are sent by [Channel \($0)]" } ?? ""
      if let why = queue.lanes[name]?.broken {
        return SenderReport.Failure(
          about: about, title: "[Channel \(name)] is broken",
          words: "\(why). Its messages wait until the channel is repaired, or they expire\(other).",
          since: queue.lanes[name]?.brokenSince ?? known(about) ?? now)
      }
      guard let since = record?.stuckSince else { return nil }
      let waiting = queue.lanes[name]?.all.count ?? 0
      let why = record?.lastError.map { "\($0.words), last tried at \($0.at)" } ?? "no try has ended yet"
      return SenderReport.Failure(
        about: about, title: "[Channel \(name)] delivers nothing",
        words:
          "\(waiting == 1 ? "1 message waits" : "\(waiting) messages wait"), the first due since \(since): \(why). "
          + "Its messages are retried until they expire\(other).",
        since: since)
    }
  }

  /// The subject of a channel's failure, which identifies it in the report.
  static func about(_ channel: String) -> String { "channel \(channel)" }

  /// Returns the channel's line of the report.
  func reportRow(
    _ name: String, kind: String, in queue: PostQueue, delivered: Timestamp?, teams: Set<String>
  ) -> SenderReport.Channel {
    let lane = queue.lanes[name]
    let waiting = lane?.all ?? []
    var reportRow = SenderReport.Channel(name: name, kind: kind.isEmpty ? waiting.first?.kind ?? "" : kind)
    reportRow.waiting = waiting.count
    reportRow.oldest = waiting.map(\.madeAt).min().map { Timestamp(milliseconds: $0).description }
    reportRow.broken = lane?.broken
    reportRow.lastDelivered = delivered?.description
    reportRow.health = health(of: name, in: queue)
    let record = records[name]
    reportRow.overdue = record?.overdue
    reportRow.dueSince = (lane?.brokenSince ?? record?.stuckSince ?? record?.dueSince)?.description
    reportRow.lastError = record?.lastError?.words
    reportRow.lastErrorAt = record?.lastError?.at.description
    reportRow.teams = teams.isEmpty ? nil : teams.sorted()
    return reportRow
  }
}

extension SendVerdict {
  /// True if the server has accepted or refused the message, which shows that it works.
  var isAnswer: Bool {
    switch self {
    case .delivered, .refused, .noSuchAddress: true
    case .moved, .broken, .singledOut, .later, .rateLimited, .unknown: false
    }
  }

  /// The reason why a try failed, without an address; nil if it did not fail.
  var failure: String? {
    switch self {
    case .delivered, .moved: nil
    case .refused(let why), .noSuchAddress(let why), .broken(let why), .singledOut(let why), .later(let why, _, _),
      .rateLimited(let why, _), .unknown(let why, _):
      why
    }
  }
}
