package import FlowModel
internal import FoundationEssentials

/// The health report that a sender (the program that delivers a sink's notices) writes: its channels, and the failures that
/// an operator must repair. It contains no address, no secret and no text of a notice.
///
/// The sender writes it to its state folder, where its next process reads it, and next to its receipts, where the daemon
/// reads it. The daemon has no network access, so this file is its only source for the health of a channel.
package struct SenderReport: Codable, Hashable, Sendable {
  /// The time of writing, RFC 3339; nil in a file from an older poolflow-post.
  package var at: String?
  package var channels: [Channel]
  package var failures: [Failure]?
  /// Teams whose notices were lost because no address and no board is configured for them.
  package var unreached: [UnreachedTeam]?

  package init(
    at: String? = nil, channels: [Channel], failures: [Failure] = [], unreached: [UnreachedTeam] = []
  ) {
    (self.at, self.channels, self.failures, self.unreached) = (at, channels, failures, unreached)
  }

  /// The health of a channel.
  package enum Health: String, Codable, Sendable, CaseIterable {
    /// The channel works.
    case ok
    /// Some messages are retried repeatedly while others are accepted.
    case slow
    /// Messages are overdue, and the channel has accepted none since.
    case stuck
    /// The channel accepts nothing until a person repairs it.
    case broken

    /// Whether nothing is delivered.
    package var isFailure: Bool { self == .stuck || self == .broken }
  }

  /// One channel of the sender, with the state of its queue; all times are RFC 3339.
  package struct Channel: Codable, Hashable, Sendable {
    package let name: String
    package let kind: String
    package var waiting = 0
    /// The creation time of the oldest waiting event.
    package var oldest: String?
    /// The reason why the channel needs a repair by a person; nil unless `health` is `broken`.
    package var broken: String?
    package var lastDelivered: String?
    package var health: Health?
    /// The number of overdue messages, and below the due time of the first of them.
    package var overdue: Int?
    package var dueSince: String?
    package var lastError: String?
    package var lastErrorAt: String?
    /// The teams listed in the channel's section of the settings.
    package var teams: [String]?

    package init(name: String, kind: String) { (self.name, self.kind) = (name, kind) }

    private enum CodingKeys: String, CodingKey {
      case name, kind, waiting, oldest, broken, health, overdue, teams
      case lastDelivered = "last_delivered"
      case dueSince = "due_since"
      case lastError = "last_error"
      case lastErrorAt = "last_error_at"
    }
  }

  /// A failure that an operator must repair.
  package struct Failure: Codable, Hashable, Sendable {
    /// The key of the failure for as long as it lasts: `channel mail`, `team coast`, `settings`.
    package let about: String
    /// A headline such as `[Channel mail] delivers nothing`.
    package let title: String
    /// The reason and the remedy, as sentences.
    package let words: String
    package let since: String
    /// The time at which the sender notified the operator; nil if it did not.
    package var told: String?

    package init(about: String, title: String, words: String, since: Timestamp, told: String? = nil) {
      (self.about, self.title, self.told) = (about, title, told)
      self.words = Self.truncated(words)
      self.since = since.description
    }

    /// The message after a failure has ended, from its `about` key.
    package static func isOver(_ about: String) -> String {
      let parts = about.split(separator: " ", maxSplits: 1).map(String.init)
      return switch (parts.first, parts.count) {
      case ("channel", 2): "[Channel \(parts[1])] works again"
      case ("team", 2): "notices of team '\(parts[1])' are delivered again"
      case ("clock", 1): "the clock is believed again"
      case ("settings", 1): "the settings on disk are effective"
      default: "poolflow-post works again"
      }
    }

    /// `words`, truncated to whole characters that fit into `Limits.senderReportText` bytes.
    private static func truncated(_ words: String) -> String {
      var text = words
      while text.utf8.count > Limits.senderReportText { text.removeLast() }
      return text
    }
  }

  /// A team whose notices were lost because no address and no board is configured for it.
  package struct UnreachedTeam: Codable, Hashable, Sendable {
    package let team: String
    package let since: String
    package var count: Int
    /// The time of the last lost notice, by job kind.
    package var jobs: [String: String]

    package init(team: String, since: Timestamp) {
      (self.team, self.since, count, jobs) = (team, since.description, 0, [:])
    }
  }
}

/// The file format of reports.
extension SenderReport {
  /// The file name, next to the receipts. It has another extension than receipts, so that an older daemon ignores it.
  package static let fileName = "sender.report"

  package var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return Array(try encoder.encode(self)) + [0x0A]
    }
  }

  /// The reason why a file is not a report. It quotes nothing from the file.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Parses a file that any program of the folder's group may have written.
  ///
  /// - Throws: `Fault`.
  package init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Limits.senderReportBytes else { throw Fault(description: "it is too large") }
    // The decoder's own error message would quote the file.
    do { self = try UntrustedJSON.decode(SenderReport.self, from: bytes) } catch {
      throw Fault(description: "it is not a report of poolflow-post")
    }
    guard
      texts.allSatisfy({
        $0.utf8.count <= Limits.senderReportText && !$0.unicodeScalars.contains(where: Self.isControl)
      })
    else { throw Fault(description: "one of its texts is too long or has control characters") }
    guard times.allSatisfy({ Timestamp(rfc3339: $0) != nil }) else {
      throw Fault(description: "one of its times is invalid")
    }
    let numbers = channels.flatMap { [$0.waiting, $0.overdue ?? 0] } + (unreached ?? []).map(\.count)
    guard numbers.allSatisfy({ (0...1_000_000_000).contains($0) }) else {
      throw Fault(description: "one of its numbers is invalid")
    }
  }

  private var texts: [String] {
    let ofChannels = channels.flatMap {
      [$0.name, $0.kind, $0.broken ?? "", $0.lastError ?? ""] + ($0.teams ?? [])
    }
    let ofFailures = (failures ?? []).flatMap { [$0.about, $0.title, $0.words] }
    return ofChannels + ofFailures + (unreached ?? []).flatMap { [$0.team] + $0.jobs.keys }
  }

  private var times: [String] {
    let ofChannels = channels.flatMap { [$0.oldest, $0.lastDelivered, $0.dueSince, $0.lastErrorAt].compactMap(\.self) }
    let ofFailures = (failures ?? []).flatMap { [$0.since] + [$0.told].compactMap(\.self) }
    return ofChannels + ofFailures + (unreached ?? []).flatMap { [$0.since] + $0.jobs.values } + [at].compactMap(\.self)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
}
