internal import FoundationEssentials
package import PoolModel

/// The health of the program that delivers a sink's notices (the sender), as it writes it down itself: its channels, and
/// what an operator must repair. It holds no address, no secret and no text of a notice.
///
/// The sender keeps it in its state folder, where its next process reads it, and beside its receipts, where the daemon does:
/// the daemon has no network, and knows the health of a channel from here alone.
package struct SenderReport: Codable, Hashable, Sendable {
  /// When it was written; RFC 3339. Nil in a file that an older poolflow-post wrote.
  package var at: String?
  package var channels: [Channel]
  package var failures: [Failure]?
  /// Teams whose notices have reached no address and no board.
  package var unreached: [UnreachedTeam]?

  package init(
    at: String? = nil, channels: [Channel], failures: [Failure] = [], unreached: [UnreachedTeam] = []
  ) {
    (self.at, self.channels, self.failures, self.unreached) = (at, channels, failures, unreached)
  }

  package enum Health: String, Codable, Sendable, CaseIterable {
    case ok
    /// Some messages are tried again and again, while others are accepted.
    case slow
    /// Messages that are due wait, and the channel has accepted none since.
    case stuck
    /// The channel accepts nothing until a person repairs it.
    case broken

    /// Nothing is delivered.
    package var isFailure: Bool { self == .stuck || self == .broken }
  }

  package struct Channel: Codable, Hashable, Sendable {
    package let name: String
    package let kind: String
    package var waiting = 0
    /// When the oldest waiting event was made; RFC 3339, as all times here.
    package var oldest: String?
    /// Why the channel accepts nothing until a person repairs it.
    package var broken: String?
    package var lastDelivered: String?
    package var health: Health?
    /// How many messages have been due for longer than they should wait, and since when the first is due.
    package var overdue: Int?
    package var dueSince: String?
    package var lastError: String?
    package var lastErrorAt: String?
    /// The teams that its section of the settings names.
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

  /// Something that an operator must repair.
  package struct Failure: Codable, Hashable, Sendable {
    /// Names the failure as long as it lasts: `channel mail`, `team coast`, `settings`.
    package let about: String
    /// `[Channel mail] delivers nothing`.
    package let title: String
    /// The reason and the remedy, in sentences.
    package let words: String
    package let since: String
    /// When the sender told the operator itself.
    package var told: String?

    package init(about: String, title: String, words: String, since: Timestamp, told: String? = nil) {
      (self.about, self.title, self.told) = (about, title, told)
      self.words = Self.fitting(words)
      self.since = since.description
    }

    /// What is said once a failure is over, by what it was about.
    package static func isOver(_ about: String) -> String {
      let parts = about.split(separator: " ", maxSplits: 1).map(String.init)
      return switch (parts.first, parts.count) {
      case ("channel", 2): "[Channel \(parts[1])] works again"
      case ("team", 2): "notices of team '\(parts[1])' reach people again"
      case ("clock", 1): "the clock is believed again"
      case ("settings", 1): "the settings on disk are effective"
      default: "poolflow-post works again"
      }
    }

    /// As many whole characters as a report has room for.
    private static func fitting(_ words: String) -> String {
      var text = words
      while text.utf8.count > Limits.senderReportText { text.removeLast() }
      return text
    }
  }

  /// A team of which notices were lost, since no address and no board is theirs.
  package struct UnreachedTeam: Codable, Hashable, Sendable {
    package let team: String
    package let since: String
    package var count: Int
    /// By the kind of work, when a notice of it was lost last.
    package var jobs: [String: String]

    package init(team: String, since: Timestamp) {
      (self.team, self.since, count, jobs) = (team, since.description, 0, [:])
    }
  }
}

/// A report as a file.
extension SenderReport {
  /// Beside the receipts. It does not end as they do, so that a daemon that knows no reports leaves it alone.
  package static let fileName = "sender.report"

  package var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return Array(try encoder.encode(self)) + [0x0A]
    }
  }

  /// Why a file is no report. It quotes nothing of the file.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads a file that any program of the folder's group may have written.
  ///
  /// - Throws: `Fault`.
  package init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Limits.senderReportBytes else { throw Fault(description: "it is too large") }
    // The decoder's own words would quote the file.
    do { self = try UntrustedJSON.decode(SenderReport.self, from: bytes) } catch {
      throw Fault(description: "it is no report of poolflow-post")
    }
    guard
      texts.allSatisfy({
        $0.utf8.count <= Limits.senderReportText && !$0.unicodeScalars.contains(where: Self.isControl)
      })
    else { throw Fault(description: "a text in it is too long, or has control characters") }
    guard times.allSatisfy({ Timestamp(rfc3339: $0) != nil }) else { throw Fault(description: "a time in it is none") }
    let numbers = channels.flatMap { [$0.waiting, $0.overdue ?? 0] } + (unreached ?? []).map(\.count)
    guard numbers.allSatisfy({ (0...1_000_000_000).contains($0) }) else {
      throw Fault(description: "a number in it is none")
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
