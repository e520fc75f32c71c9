internal import FlowModel

/// The settings of poolflow-post: the drop folder that it reads, and its delivery channels.
package struct PostSettings: Hashable, Sendable {
  /// A drop folder of poolflowd; the events are in its subfolder `new/`.
  package var folder = "/var/spool/poolflow-post"
  /// The folder for receipts; nil for `receipts/` in `folder`.
  package var receipts: String?
  /// Nil for `$STATE_DIRECTORY`.
  package var stateDirectory: String?
  /// The time limit of one delivery attempt.
  package var timeout = Limits.postTimeout
  /// The time limit for a mail server's reply after a complete mail.
  package var answerTimeout = Limits.postAnswerTimeout
  /// The time that a due message may wait before the operator is notified.
  package var dueWithin = Limits.postDueWithin
  package var channels: [Channel] = []
  /// The lines of each channel's keys, for mistakes that are found only when a key is used.
  var channelLines = ChannelLines()

  /// The folder in which the daemon reads the outcomes of deliveries.
  package var receiptFolder: String { receipts ?? "\(folder)/receipts" }

  /// The amount of detail of an event that a channel may send.
  package enum Detail: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Title and one sentence.
    case headline
    /// Also names and addresses.
    case stops
    /// Everything, including sensitive data.
    case full

    package static func < (left: Detail, right: Detail) -> Bool {
      (left == .headline && right != .headline) || (left == .stops && right == .full)
    }
  }

  /// The type of a channel: the service or program that delivers.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case smtp, sendmail, ntfy, telegram, slack, teams, matrix, webhook

    /// The prefix of a person's addresses on this kind of channel.
    package var addressWord: String { isMail ? "mail" : rawValue }

    package var isMail: Bool { self == .smtp || self == .sendmail }

    /// True if a person's address on this channel is the channel's section name, because the URL itself is a secret.
    package var isAddressedByName: Bool { self == .slack || self == .teams || self == .webhook }

    /// True if the service detects a repeated message by its key: Matrix by the transaction id, a webhook by
    /// `webhook-id` (Standard Webhooks). Most mail readers show two mails with one Message-ID, and ntfy servers before
    /// 2.16 ignore `sequence_id`.
    package var isIdempotent: Bool { self == .matrix || self == .webhook }
  }

  /// The settings of one `[Channel NAME]` section.
  package struct Channel: Hashable, Sendable {
    package let name: String
    package var kind: Kind
    /// For example `smtp://host:25` or `https://ntfy.example.com`; nil if the credential holds the URL.
    package var server: String?
    /// The name of a file in `$CREDENTIALS_DIRECTORY`.
    package var credential: String?
    /// The sender of mails, such as `Routes <routes@example.com>`.
    package var from: PostAddress?
    /// The address for replies to a mail; nil for `from`.
    package var replyTo: PostAddress?
    package var unsubscribe: PostUnsubscribe?
    /// The recipient of events that are not addressed to a person.
    package var to: String?
    package var detail: Detail
    /// The teams whose events without a recipient go to this channel.
    package var teams: Set<String> = []
    /// True if this channel notifies the operator of failures of the other channels.
    package var tellsOperator = false
    /// For sendmail: the program that accepts mails.
    package var program = "/usr/sbin/sendmail"
    /// A PEM file with certificate authorities that are trusted instead of the machine's.
    package var authority: String?
    /// True if a message that may have arrived is never sent again, for example because each message costs money.
    package var stopsWhenUnknown = false
    /// The channel that delivers messages that this one fails to deliver.
    package var fallback: String?
    /// The time that this channel has before the fallback starts.
    package var fallbackAfter = Limits.postFallbackAfter

    package init(name: String, kind: Kind) {
      (self.name, self.kind) = (name, kind)
      detail = kind.isMail ? .stops : .headline
    }

    /// True if the server is on this machine, so the connection needs no encryption.
    package var isLocal: Bool { server.map { PostURL.isLoopback($0) } ?? false }
  }
}

extension PostSettings {
  /// The positions of the channels' keys in the files. All values compare as equal, so that equal settings from
  /// different files are equal.
  struct ChannelLines: Hashable, Sendable {
    var lines: [String: [String: SettingsLine]] = [:]

    static func == (left: ChannelLines, right: ChannelLines) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// A mistake found when a channel's key is used. Its position is the line of the key, or the section's first line if
  /// the key is absent.
  package func problem(_ channel: String, _ key: String, _ message: String) -> SettingsProblem {
    let lines = channelLines.lines[channel] ?? [:]
    let message = "[Channel \(channel)]: \(message)"
    return (lines[key] ?? lines[""])?.problem(message)
      ?? SettingsProblem(file: "post.conf", line: 1, column: 1, length: 1, text: "", message: message, suggestion: nil)
  }
}

/// A mail address with the owner's name, which may be empty.
package struct PostAddress: Hashable, Sendable {
  package let name: String
  package let address: String

  /// Reads `routes@example.com` or `Routes <routes@example.com>`.
  package init?(_ text: String) {
    if let open = text.firstIndex(of: "<") {
      guard text.last == ">" else { return nil }
      var name = text[..<open]
      while name.last == " " { name.removeLast() }
      self.init(name: String(name), address: String(text[text.index(after: open)...].dropLast()))
    } else {
      self.init(name: "", address: text)
    }
  }

  /// Checks the address.
  ///
  /// - Returns: nil for an address that cannot be used in an SMTP envelope. Allowed is ASCII with one `@`, without
  ///   blanks, brackets and control characters.
  package init?(name: String, address: String) {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    let isPlain = address.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !Array("<>()[]\\,;:\"".utf8).contains($0) }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), address.utf8.count <= 254, isPlain,
      !address.hasPrefix("-"), !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { return nil }
    (self.name, self.address) = (name, address)
  }

  package var domain: String { String(address.split(separator: "@")[1]) }
}

/// The targets of a mail's unsubscribe button: a mail address, a URL or both.
package struct PostUnsubscribe: Hashable, Sendable {
  package let address: String?
  /// The identification of the recipient is appended to this URL.
  package let url: String?

  /// Reads `office@example.com`, `https://example.com/stop?who=`, or both separated by a blank.
  package init?(_ text: String) {
    var (address, url): (String?, String?)
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," }).map(String.init) {
      if word.contains("://") {
        // The URL goes between < and > in a mail header, and the recipient is appended to it.
        guard url == nil, word.lowercased().hasPrefix("https://"), word.utf8.count <= 500,
          PostURL.fault(word, mail: false) == nil, !word.contains(where: { "<>\"#".contains($0) })
        else { return nil }
        url = word
      } else {
        guard address == nil, let place = PostAddress(name: "", address: word) else { return nil }
        address = place.address
      }
    }
    guard address != nil || url != nil else { return nil }
    (self.address, self.url) = (address, url)
  }
}

/// Checks the URL of a channel: it must be encrypted, or refer to this machine.
package enum PostURL {
  /// The scheme and host of `https://host:port/path`; nil for text that is not a URL, or has a user name.
  private static func parts(_ url: String) -> (scheme: String, host: String)? {
    guard let scheme = url.firstRange(of: "://"), url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      return nil
    }
    let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let host = place.hasPrefix("[") ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }
    guard !host.isEmpty, authority == place else { return nil }
    return (url[..<scheme.lowerBound].lowercased(), host.lowercased())
  }

  /// True if the URL's host is this machine: `localhost`, `[::1]` or 127.x.x.x.
  package static func isLoopback(_ url: String) -> Bool {
    guard let host = parts(url)?.host else { return false }
    return host == "localhost" || host == "[::1]" || isLoopbackNumber(host)
  }

  /// True for four numbers of which the first is 127. A name such as `127.evil.example` is not a loopback address.
  private static func isLoopbackNumber(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { $0 != nil }
  }

  /// The reason why a URL cannot be used; nil if it can.
  package static func fault(_ url: String, mail: Bool) -> String? {
    guard let (scheme, _) = parts(url) else {
      return mail ? "write it as smtp://HOST:PORT or smtps://HOST" : "write it as https://HOST, without a login"
    }
    if mail { return scheme == "smtp" || scheme == "smtps" ? nil : "it must begin with smtp:// or smtps://" }
    return scheme == "https" || (scheme == "http" && isLoopback(url))
      ? nil : "it must begin with https://, or with http:// for this machine itself"
  }
}
