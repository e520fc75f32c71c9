internal import FlowCalendar
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowSettings

/// The reason why an answer is refused: a sentence that never repeats an address.
struct InvalidAnswer: Error, Equatable {
  let why: String
  /// A valid answer to suggest instead; nil if there is none.
  var proposal: String?
}

/// A person and their addresses: `Maria=mail:maria@example.com,ntfy:route-maria`.
struct SetupContact: Hashable {
  /// A technician's name, or `office`.
  let name: String
  /// The addresses in the given order, at most one for each channel.
  let addresses: [ChannelAddress]

  /// A channel with an address.
  struct ChannelAddress: Hashable {
    let channel: ReachChannel
    let address: String
  }

  /// The name of the team's office in place of a technician's name.
  static let office = "office"
  static let format = "NAME=CHANNEL:ADDRESS, such as 'Maria=mail:maria@example.com'"

  init(name: String, addresses: [ChannelAddress]) {
    (self.name, self.addresses) = (name, addresses)
  }

  /// Parses `NAME=CHANNEL:ADDRESS,…`; the name ends at the first `=`.
  init(_ text: String) throws(InvalidAnswer) {
    // The error does not repeat the text, which may be an address.
    guard let equals = text.firstIndex(of: "=") else { throw InvalidAnswer(why: "write \(Self.format)") }
    let name = trimmingSpaces(text[..<equals])
    guard !name.isEmpty else { throw InvalidAnswer(why: "the name before the = is missing: \(Self.format)") }
    self.init(name: name, addresses: try Self.addresses(String(text[text.index(after: equals)...])))
  }

  /// Parses `mail:maria@example.com,ntfy:route-maria`; an item with an `@` and no channel is a mail address.
  static func addresses(_ text: String) throws(InvalidAnswer) -> [ChannelAddress] {
    var addresses: [ChannelAddress] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let channelAddress = try Self.channelAddress(trimmingSpaces(part))
      guard !addresses.contains(where: { $0.channel == channelAddress.channel }) else {
        throw InvalidAnswer(
          why: "\(channelAddress.channel.rawValue) is given twice; a person has one address per channel")
      }
      addresses.append(channelAddress)
    }
    return addresses
  }

  private static func channelAddress(_ text: String) throws(InvalidAnswer) -> ChannelAddress {
    let known = ReachChannel.allCases.map(\.rawValue)
    let colon = text.firstIndex(of: ":")
    let word = colon.map { text[..<$0].lowercased() } ?? ""
    let channel: ReachChannel
    var address = text
    if let named = ReachChannel(rawValue: word), let colon {
      channel = named
      address = trimmingSpaces(text[text.index(after: colon)...])
    } else if text.dropFirst().contains("@"), colon == nil {
      channel = .mail
    } else {
      let hint = Suggestion.nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
      throw InvalidAnswer(
        why: "write CHANNEL:ADDRESS, such as mail:maria@example.com; the channels are \(known.joined(separator: ", "))"
          + hint)
    }
    guard !address.isEmpty else {
      throw InvalidAnswer(why: "\(channel.rawValue): the address after the colon is missing")
    }
    if let fault = channel.fault(in: address) { throw InvalidAnswer(why: "\(channel.rawValue): \(fault)") }
    return ChannelAddress(channel: channel, address: address)
  }
}

/// Validates answers, from a question or from a flag.
enum SetupAnswer {
  static func team(_ text: String) throws(InvalidAnswer) -> String {
    guard TeamName(text) != nil else {
      let near = TeamName(near: text)?.text
      throw InvalidAnswer(
        why:
          "'\(text)' is not a valid team name: up to \(Limits.teamNameLength) ASCII letters, digits, '-', '_' and '.', a "
          + "letter or digit first" + (near.map { "; did you mean \($0)?" } ?? ", such as desert-blue"),
        proposal: near)
    }
    return text
  }

  static func trade(_ text: String, among trades: [CommandTrade]) throws(InvalidAnswer) -> CommandTrade {
    let word = text.lowercased()
    let known = trades.first { $0.setup.answers.contains(word) || $0.trade.rawValue == word }
    if let known { return known }
    let answers = trades.map { $0.isStandard ? $0.records.many : "\($0.records.many) for \($0.team)" }
    throw InvalidAnswer(why: "answer \(answers.joined(separator: ", or ")), not '\(text)'")
  }

  static func language(_ text: String) throws(InvalidAnswer) -> String {
    let known = Language.allCases.map(\.rawValue)
    guard let word = known.first(where: { $0.lowercased() == text.lowercased() }) else {
      throw InvalidAnswer(why: "'\(text)' is not one of the languages: \(known.joined(separator: ", "))")
    }
    return word
  }

  static func yesOrNo(_ text: String) throws(InvalidAnswer) -> Bool {
    switch text.lowercased() {
    case "yes": return true
    case "no": return false
    default: throw InvalidAnswer(why: "answer yes or no, not '\(text)'")
    }
  }

  static func morning(_ text: String) throws(InvalidAnswer) -> String {
    do throws(TimeOfDayFault) { return try TimeOfDay(typed: text).description } catch {
      switch error {
      case .noTime:
        throw InvalidAnswer(why: "'\(text)' is not a time of day; write HH:MM from 00:00 to 23:59, or 6:30am")
      case .hourOfHalfDay: throw InvalidAnswer(why: "'\(text)' cannot be: \(error)")
      }
    }
  }

  /// - Parameter names: returns every zone of the system; called only if the text is no zone.
  static func zone(
    _ text: String, isKnown: (String) -> Bool, names: () -> [String]
  ) throws(InvalidAnswer) -> String {
    if let why = ZoneChoice.refusal(of: text) { throw InvalidAnswer(why: why) }
    if isKnown(text) { return text }
    let names = names().filter(ZoneChoice.isSuggested)
    let typed = text.replacing(" ", with: "_").lowercased()
    if let same = names.first(where: { $0.lowercased() == typed }) { return same }
    let near = nearZones(typed, among: names)
    throw InvalidAnswer(
      why: "the system does not know a time zone '\(text)'; "
        + (near.isEmpty
          ? "write Area/City, such as America/Phoenix; `timedatectl list-timezones` lists all zones"
          : "did you mean \(near.joined(separator: " or "))?"))
  }

  /// At most four zones: those whose city starts with the text, then those within a typing error of it.
  private static func nearZones(_ typed: String, among names: [String]) -> [String] {
    guard !typed.isEmpty, typed.count <= 100 else { return [] }
    let places = names.map { (name: $0, city: $0.split(separator: "/").last.map { $0.lowercased() } ?? "") }
    var near = places.filter { typed.count >= 3 && $0.city.hasPrefix(typed) }.map(\.name)
    let similarNames = places.map { place in
      let whole = Suggestion.distance(Array(typed), Array(place.name.lowercased()))
      return (place.name, min(whole, Suggestion.distance(Array(typed), Array(place.city))))
    }
    let maxDistance = min(3, max(1, typed.count / 3))
    near += similarNames.filter { $0.1 <= maxDistance && !near.contains($0.0) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
      .map(\.0)
    return Array(near.prefix(4))
  }

  static func relay(_ text: String) throws(InvalidAnswer) -> String { try server(text, mail: true) }

  static func ntfy(_ text: String) throws(InvalidAnswer) -> String { try server(text, mail: false) }

  private static func server(_ text: String, mail: Bool) throws(InvalidAnswer) -> String {
    if let fault = PostURL.fault(text, mail: mail) {
      throw InvalidAnswer(
        why: "\(mail ? "a mail relay" : "an ntfy server") cannot be that: \(fault), such as "
          + (mail ? "smtp://127.0.0.1:25" : "https://ntfy.example.com"))
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  static func sender(_ text: String) throws(InvalidAnswer) -> PostAddress {
    guard let address = PostAddress(text) else {
      throw InvalidAnswer(why: "write From as routes@example.com or 'Routes <routes@example.com>'")
    }
    return address
  }

  /// A path as typed or dropped into a terminal without a shell: expands `~/` and removes quotes.
  static func path(_ text: String, home: String?) -> String {
    var path = text
    for quote in ["'", "\""] where path.count > 1 && path.hasPrefix(quote) && path.hasSuffix(quote) {
      path = String(path.dropFirst().dropLast())
    }
    if let home, path.hasPrefix("~/") { path = home + path.dropFirst() }
    return path
  }

  /// Checks the first bytes only; the daemon checks a list's contents.
  ///
  /// - Parameter list: the standard trade's list, which a refusal names.
  static func file(_ path: String, or list: TradeSetup.RecordList) throws(InvalidAnswer) -> SetupFileKind {
    do {
      let file = try ImportFile(path: path, wanted: list.expectedFile)
      let start = try file.next(upTo: 4 << 10) ?? []
      guard let kind = SetupFileKind(start) else {
        throw InvalidAnswer(
          why:
            "'\(path)' is neither a ZIP archive nor a \(list.noun) (CSV); \(list.archive) is a ZIP, and `pfctl export "
            + "template` writes a list to fill in")
      }
      return kind
    } catch let failure as CommandFailure {
      throw InvalidAnswer(why: failure.message)
    } catch let bad as InvalidAnswer {
      throw bad
    } catch {
      throw InvalidAnswer(why: "\(error)")
    }
  }

  /// The notice language for the machine's locale; nil if it is not supported.
  static func language(environment: [String: String]) -> String? {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let languageCode = set.prefix { $0 != "_" && $0 != "." && $0 != "@" }.lowercased()
    return Language.allCases.map(\.rawValue).first { $0.prefix(2) == languageCode }
  }
}

/// The kind of a file, guessed from its first bytes.
enum SetupFileKind {
  case archive, list

  /// - Parameter start: the file's first bytes.
  init?(_ start: [UInt8]) {
    if start.starts(with: [0x50, 0x4B, 3, 4]) || start.starts(with: [0x50, 0x4B, 5, 6]) {
      self = .archive
      return
    }
    // A list is text; UTF-16 from a spreadsheet starts with a byte order mark.
    let isUTF16 = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    let line = start.prefix { $0 != 10 && $0 != 13 }
    let hasColumns = line.contains { [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), 9].contains($0) }
    guard isUTF16 || (!start.contains(0) && hasColumns) else { return nil }
    self = .list
  }
}
