/// A person who gets notices of their own: a technician of a team, or its office. The addresses are kept separately in
/// `Addresses`.
package struct Person: Hashable, Sendable {
  package let key: PersonKey
  /// The person's own language; nil for the team's language.
  package var language: Language?
  /// The hours in which only urgent messages are delivered; nil for none.
  package var quiet: QuietHours?
  /// The person's subscriptions.
  package var wants: Set<Subscription>
  /// The channels for which the person has an address, without the addresses.
  package internal(set) var channels: [ReachChannel]

  /// A subscription to one kind of notice. A trade names its own in an extension.
  package struct Subscription: RawRepresentable, Hashable, Sendable {
    /// The word that commands and the store use, such as `week`.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let week = Subscription(rawValue: "week")
    package static let reminders = Subscription(rawValue: "reminders")
    /// Notices about the server itself; not part of any default.
    package static let `operator` = Subscription(rawValue: "operator")

    /// The subscriptions that a team of any trade has, in order.
    package static let ofEveryTrade: [Subscription] = [.week, .reminders, .operator]
  }

  package init(
    key: PersonKey, language: Language? = nil, quiet: QuietHours? = nil, wants: Set<Subscription>,
    channels: [ReachChannel] = []
  ) {
    self.key = key
    self.language = language
    self.quiet = quiet
    self.wants = wants
    self.channels = channels
  }
}

/// The permanent identity of a person: a technician, or the office of a team. A customer gets only what is sent by hand; the
/// notice itself contains which customer that is.
package enum PersonKey: Hashable, Sendable {
  case technician(TechnicianID)
  case office(TeamID)
  case customer(TeamID)

  /// `t12`, `o3` or `c3`; part of a notice's id.
  package var text: String {
    switch self {
    case .technician(let id): "t\(id.number)"
    case .office(let team): "o\(team.number)"
    case .customer(let team): "c\(team.number)"
    }
  }

  /// Parses `text`; nil for any other format.
  package init?(_ text: String) {
    guard let number = Int64(text.dropFirst()), number > 0 else { return nil }
    switch text.first {
    case "t": self = .technician(TechnicianID(number))
    case "o": self = .office(TeamID(number))
    case "c": self = .customer(TeamID(number))
    default: return nil
    }
  }

  /// The recipient in an event of a sensitive sink; an office has no number, because a team has one.
  package var word: String {
    if case .office = self { "office" } else { text }
  }
}

/// Hours in which only urgent messages are delivered and others wait: `22:00-06:00`; they span midnight if the end is before
/// the start.
package struct QuietHours: Hashable, Sendable, CustomStringConvertible {
  package let from: TimeOfDay
  package let to: TimeOfDay

  /// Parses two different times of day, `HH:MM-HH:MM`; nil for any other format.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 5 }), let from = TimeOfDay(parts[0]),
      let to = TimeOfDay(parts[1]), from != to
    else { return nil }
    self.from = from
    self.to = to
  }

  /// Parses user input: `22:00-06:00`, `10pm-6:30am`, `10 pm - 6:30 am`; nil for any other format.
  package init?(typed text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let from = try? TimeOfDay(typed: parts[0].filter { $0 != " " }),
      let to = try? TimeOfDay(typed: parts[1].filter { $0 != " " })
    else { return nil }
    self.init("\(from)-\(to)")
  }

  package var description: String { "\(from)-\(to)" }
}

/// A kind of address.
package enum ReachChannel: String, Sendable, CaseIterable {
  case mail, ntfy, telegram, matrix
  /// For these the address is the name of a channel of poolflow-post, whose settings contain the secret URL.
  case slack, teams, webhook

  /// The problem with an address, as the end of a sentence that does not quote the address; nil for a valid one.
  package func fault(in address: String) -> String? {
    let bytes = Array(address.utf8)
    let isPrintable = bytes.allSatisfy { (0x21...0x7E).contains($0) }
    switch self {
    case .mail:
      let parts = address.split(separator: "@", omittingEmptySubsequences: false)
      // Exactly one address: these characters separate addresses or quote names.
      let isOne = isPrintable && !address.contains { "<>,;\"()\\".contains($0) }
      return isOne && parts.count == 2 && parts.allSatisfy({ !$0.isEmpty }) && bytes.count <= 254
        ? nil
        : "write one address such as maria@example.com: one @, no spaces, only ASCII, at most 254 characters"
    case .ntfy:
      let isTopic = bytes.allSatisfy { Self.isWord($0) || $0 == UInt8(ascii: "-") }
      return isTopic && (1...64).contains(bytes.count) ? nil : "a topic is 1 to 64 ASCII letters, digits, '-' or '_'"
    case .telegram:
      return Self.isTelegram(bytes) ? nil : "write a chat's number such as -100123, or a name such as @mariapools"
    case .matrix:
      let isRoom = "!#@".contains(address.first ?? " ") && address.dropFirst().contains(":") && !address.hasSuffix(":")
      return isRoom && isPrintable && bytes.count <= 255 ? nil : "write a room such as '!room:example.com'"
    case .slack, .teams, .webhook:
      return TeamName(address) == nil
        ? "it must be the name of a channel of poolflow-post: 1 to \(Limits.teamNameLength) ASCII letters, digits, '-', '_' "
          + "or '.', beginning with a letter or digit; the secret URL is in post.conf"
        : nil
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func isTelegram(_ bytes: [UInt8]) -> Bool {
    if bytes.first == UInt8(ascii: "@") {
      return (6...33).contains(bytes.count) && bytes.dropFirst().allSatisfy(isWord)
    }
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    return (1...20).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// A person's addresses. Its description is `<redacted>`, so that no log or error can contain them.
package struct Addresses: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  private var addressByChannel: [ReachChannel: String] = [:]

  package init() {}

  /// The person's address of this kind; nil for none.
  package subscript(channel: ReachChannel) -> String? {
    get { addressByChannel[channel] }
    set { addressByChannel[channel] = newValue }
  }

  package var channels: [ReachChannel] { ReachChannel.allCases.filter { addressByChannel[$0] != nil } }

  /// One line per address, as stored: `mail maria@example.com`.
  package var lines: String {
    channels.compactMap { channel in addressByChannel[channel].map { "\(channel.rawValue) \($0)" } }.joined(
      separator: "\n")
  }

  /// Parses `lines`; nil for any other format.
  package init?(lines: String) {
    for line in lines.split(separator: "\n") {
      let pair = line.split(separator: " ", maxSplits: 1)
      guard pair.count == 2, let channel = ReachChannel(rawValue: String(pair[0])),
        channel.fault(in: String(pair[1])) == nil, addressByChannel.updateValue(String(pair[1]), forKey: channel) == nil
      else { return nil }
    }
  }

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A person together with the addresses.
package struct KnownPerson: Hashable, Sendable {
  package var person: Person
  package var addresses: Addresses {
    didSet { person.channels = addresses.channels }
  }

  /// The technician's name, or for an office the team's name; empty before the person is stored.
  package let name: String
  /// The team's zone, such as `America/Phoenix`, in which quiet hours are given; empty before the person is stored.
  package let zone: String
  private let teamLanguage: Language

  package init(
    _ person: Person, addresses: Addresses = Addresses(), name: String = "", zone: String = "",
    teamLanguage: Language = .english
  ) {
    self.person = person
    self.addresses = addresses
    self.name = name
    self.zone = zone
    self.teamLanguage = teamLanguage
    self.person.channels = addresses.channels
  }

  package var language: Language { person.language ?? teamLanguage }
}
