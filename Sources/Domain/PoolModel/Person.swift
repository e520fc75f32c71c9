/// Somebody who is told things by himself: a technician of a team, or its office. Where he is reached stands apart, in
/// `Addresses`.
package struct Person: Hashable, Sendable {
  package let key: PersonKey
  /// Nil for the team's own.
  package var language: Language?
  /// When nothing is to ring; nil for never.
  package var quiet: QuietHours?
  package var wants: Set<Want>
  /// Where he is reached, without the addresses themselves.
  package internal(set) var channels: [ReachChannel]

  /// What a person may want to hear.
  package enum Want: String, Sendable, CaseIterable {
    /// The day's route, in the morning or the evening before.
    case route
    case lowStock = "low-stock"
    /// Who is not fed, of a stable.
    case feed
    /// Care that is due.
    case care
    /// What the horses wear.
    case blankets
    case week, reminders
    /// What the server says of itself: nobody's unless somebody says so.
    case `operator`

    /// Those that there are for a team of this trade.
    package static func all(of trade: Trade) -> [Want] { allCases.filter { $0.trade == nil || $0.trade == trade } }

    /// The one trade that has it; nil where each has.
    private var trade: Trade? {
      switch self {
      case .route, .lowStock: .poolService
      case .feed, .care, .blankets: .stable
      case .week, .reminders, .operator: nil
      }
    }
  }

  package init(
    key: PersonKey, language: Language? = nil, quiet: QuietHours? = nil, wants: Set<Want>,
    channels: [ReachChannel] = []
  ) {
    self.key = key
    self.language = language
    self.quiet = quiet
    self.wants = wants
    self.channels = channels
  }

  /// What is wanted of one of whom nobody said it: an office hears all of its team, a technician of a pool service his route,
  /// whoever works in a stable what the horses need.
  package static func usualWants(of key: PersonKey, in trade: Trade) -> Set<Want> {
    if case .office = key { return Set(Want.all(of: trade)).subtracting([.operator]) }
    return switch trade {
    case .poolService: [.route]
    case .stable: [.feed, .care, .blankets]
    }
  }
}

/// Who a person is, the same for ever: a technician, or the office of a team. A customer of a team gets only what is sent to
/// him by hand; the notice itself says which customer that is.
package enum PersonKey: Hashable, Sendable {
  case technician(TechnicianID)
  case office(TeamID)
  case customer(TeamID)

  /// `t12`, `o3` or `c3`: part of a notice's id.
  package var text: String {
    switch self {
    case .technician(let id): "t\(id.number)"
    case .office(let team): "o\(team.number)"
    case .customer(let team): "c\(team.number)"
    }
  }

  /// Reads `text`; nil for anything else.
  package init?(_ text: String) {
    guard let number = Int64(text.dropFirst()), number > 0 else { return nil }
    switch text.first {
    case "t": self = .technician(TechnicianID(number))
    case "o": self = .office(TeamID(number))
    case "c": self = .customer(TeamID(number))
    default: return nil
    }
  }

  /// How a sensitive sink's event names it: a team has one office.
  package var word: String {
    if case .office = self { "office" } else { text }
  }
}

/// Hours in which nothing is to ring: `22:00-06:00`, over midnight where they end before they begin.
package struct QuietHours: Hashable, Sendable, CustomStringConvertible {
  package let from: TimeOfDay
  package let to: TimeOfDay

  /// Nil for anything but two different times of day, `HH:MM-HH:MM`.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 5 }), let from = TimeOfDay(parts[0]),
      let to = TimeOfDay(parts[1]), from != to
    else { return nil }
    self.from = from
    self.to = to
  }

  /// What people type: `22:00-06:00`, `10pm-6:30am`, `10 pm - 6:30 am`.
  package init?(typed text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let from = try? TimeOfDay(typed: parts[0].filter { $0 != " " }),
      let to = try? TimeOfDay(typed: parts[1].filter { $0 != " " })
    else { return nil }
    self.init("\(from)-\(to)")
  }

  package var description: String { "\(from)-\(to)" }
}

/// A way on which a person is reached.
package enum ReachChannel: String, Sendable, CaseIterable {
  case mail, ntfy, telegram, matrix
  /// The address of these is the name of a channel of poolflow-post, where their secret stands.
  case slack, teams, webhook

  /// What is wrong with an address, as the end of a sentence that does not repeat it; nil where it is fine.
  package func fault(in address: String) -> String? {
    let bytes = Array(address.utf8)
    let isPrintable = bytes.allSatisfy { (0x21...0x7E).contains($0) }
    switch self {
    case .mail:
      let parts = address.split(separator: "@", omittingEmptySubsequences: false)
      // One address: what ends one or quotes a name is no part of it.
      let isOne = isPrintable && !address.contains { "<>,;\"()\\".contains($0) }
      return isOne && parts.count == 2 && parts.allSatisfy({ !$0.isEmpty }) && bytes.count <= 254
        ? nil
        : "write one address such as maria@example.com: one @, no spaces, letters of ASCII, at most 254 characters"
    case .ntfy:
      let isTopic = bytes.allSatisfy { Self.isWord($0) || $0 == UInt8(ascii: "-") }
      return isTopic && (1...64).contains(bytes.count) ? nil : "a topic is 1 to 64 letters of ASCII, digits, '-' or '_'"
    case .telegram:
      return Self.isTelegram(bytes) ? nil : "write a chat's number such as -100123, or a name such as @mariapools"
    case .matrix:
      let isRoom = "!#@".contains(address.first ?? " ") && address.dropFirst().contains(":") && !address.hasSuffix(":")
      return isRoom && isPrintable && bytes.count <= 255 ? nil : "write a room such as '!room:example.com'"
    case .slack, .teams, .webhook:
      return TeamName(address) == nil
        ? "it is the name of a channel of poolflow-post: 1 to \(Limits.teamNameLength) letters of ASCII, digits, '-', '_' "
          + "or '.', a letter or digit first; its URL is a secret and stands there"
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

/// Where a person is reached. It prints as nothing, so that no log or error can hold it.
package struct Addresses: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  private var byChannel: [ReachChannel: String] = [:]

  package init() {}

  package subscript(channel: ReachChannel) -> String? {
    get { byChannel[channel] }
    set { byChannel[channel] = newValue }
  }

  package var channels: [ReachChannel] { ReachChannel.allCases.filter { byChannel[$0] != nil } }

  /// `mail maria@example.com`, a line each: what the store keeps.
  package var lines: String {
    channels.compactMap { channel in byChannel[channel].map { "\(channel.rawValue) \($0)" } }.joined(separator: "\n")
  }

  /// Reads `lines`; nil for what it never writes.
  package init?(lines: String) {
    for line in lines.split(separator: "\n") {
      let pair = line.split(separator: " ", maxSplits: 1)
      guard pair.count == 2, let channel = ReachChannel(rawValue: String(pair[0])),
        channel.fault(in: String(pair[1])) == nil, byChannel.updateValue(String(pair[1]), forKey: channel) == nil
      else { return nil }
    }
  }

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A person with his addresses.
package struct KnownPerson: Hashable, Sendable {
  package var person: Person
  package var addresses: Addresses {
    didSet { person.channels = addresses.channels }
  }

  /// The technician's, or that of the team whose office it is; empty before it is kept.
  package let name: String
  /// The team's, such as `America/Phoenix`: quiet hours are by its clocks; empty before it is kept.
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
