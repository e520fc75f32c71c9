internal import PoolModel

/// What poolflow-post is to do: where events are taken from, and the channels that they are brought by.
package struct PostSettings: Hashable, Sendable {
  /// A drop folder of poolflowd's; events lie in its `new/`.
  package var folder = "/var/spool/poolflow-post"
  /// Nil for `receipts/` in `folder`.
  package var receipts: String?
  /// Nil for `$STATE_DIRECTORY`.
  package var stateDirectory: String?
  /// How long one try may take.
  package var timeout = Limits.postTimeout
  /// How long a mail server may take to answer a whole mail.
  package var answerTimeout = Limits.postAnswerTimeout
  /// How long a message that is due may wait before the operator is told.
  package var dueWithin = Limits.postDueWithin
  package var channels: [Channel] = []
  /// Where each channel's keys are, for mistakes that only show when they are used.
  var places = Places()

  /// Where the daemon reads what became of its notices.
  package var receiptFolder: String { receipts ?? "\(folder)/receipts" }

  /// How much of an event a channel may tell.
  package enum Detail: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Title and one sentence.
    case headline
    /// Names and addresses, too.
    case stops
    /// All that a sensitive event holds, such as gate codes.
    case full

    package static func < (left: Detail, right: Detail) -> Bool {
      (left == .headline && right != .headline) || (left == .stops && right == .full)
    }
  }

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case smtp, sendmail, ntfy, telegram, slack, teams, matrix, webhook

    /// What the address of a person calls it.
    package var addressWord: String { isMail ? "mail" : rawValue }

    package var isMail: Bool { self == .smtp || self == .sendmail }

    /// The address of a person at it is the name of its section, since its URL is a secret.
    package var isAddressedByName: Bool { self == .slack || self == .teams || self == .webhook }

    /// The service knows a repeat by its key: Matrix by the transaction, a webhook by `webhook-id` (Standard Webhooks). Two
    /// mails with one Message-ID are two mails to most readers, and servers of ntfy before 2.16 pass over its `sequence_id`.
    package var isIdempotent: Bool { self == .matrix || self == .webhook }
  }

  package struct Channel: Hashable, Sendable {
    package let name: String
    package var kind: Kind
    /// `smtp://host:25`, `https://ntfy.example.com`; nil where the credential holds it.
    package var server: String?
    /// The name of a file in `$CREDENTIALS_DIRECTORY`.
    package var credential: String?
    /// `Routes <routes@example.com>`.
    package var from: PostAddress?
    /// Who reads what is answered to a mail.
    package var replyTo: PostAddress?
    package var unsubscribe: PostUnsubscribe?
    /// Whom events without a recipient go to; a person of his own has an address of his own.
    package var to: String?
    package var detail: Detail
    /// Whose events without a recipient come to it.
    package var teams: Set<String> = []
    /// It is told what is wrong with the other channels.
    package var tellsOperator = false
    /// Of sendmail: the program that takes a mail.
    package var program = "/usr/sbin/sendmail"
    /// Certificates of an authority of one's own, as PEM, in the place of the machine's.
    package var authority: String?
    /// Whether what may have arrived is never sent again, such as what costs money each time.
    package var stopsWhenUnknown = false
    /// The channel that brings what this one does not.
    package var fallback: String?
    /// How long is waited before the fallback begins.
    package var fallbackAfter = Limits.postFallbackAfter

    package init(name: String, kind: Kind) {
      (self.name, self.kind) = (name, kind)
      detail = kind.isMail ? .stops : .headline
    }

    /// Whether the connection is to this very machine, where nothing needs to be encrypted.
    package var isLocal: Bool { server.map { PostURL.isLoopback($0) } ?? false }
  }
}

extension PostSettings {
  /// Where the keys of the channels are in the files. Two settings that say the same are equal wherever they say it.
  struct Places: Hashable, Sendable {
    var lines: [String: [String: SettingsLine]] = [:]

    static func == (left: Places, right: Places) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// A mistake that shows when a channel's key is used, at its line; at the section's first line where the key has none.
  package func problem(_ channel: String, _ key: String, _ message: String) -> SettingsProblem {
    let lines = places.lines[channel] ?? [:]
    let message = "[Channel \(channel)]: \(message)"
    return (lines[key] ?? lines[""])?.problem(message)
      ?? SettingsProblem(file: "post.conf", line: 1, column: 1, length: 1, text: "", message: message, suggestion: nil)
  }
}

/// A mail address with the name of whoever it belongs to.
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

  /// - Returns: nil for what could not stand in an envelope: ASCII with one `@`, no blanks, brackets or control characters.
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

/// Where somebody who wants no more mail says so; one of the two at least.
package struct PostUnsubscribe: Hashable, Sendable {
  package let address: String?
  /// What tells of whom it is goes to its end.
  package let url: String?

  /// Reads `office@example.com`, `https://example.com/stop?who=`, or both with a blank between them.
  package init?(_ text: String) {
    var (address, url): (String?, String?)
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," }).map(String.init) {
      if word.contains("://") {
        // It stands between < and > in a header, and gets something put to its end.
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

/// What a channel's URL may be: encrypted, or to this very machine.
package enum PostURL {
  /// The scheme and the host of `https://user@host:port/path`; nil for what is no URL.
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

  package static func isLoopback(_ url: String) -> Bool {
    guard let host = parts(url)?.host else { return false }
    return host == "localhost" || host == "[::1]" || isLoopbackNumber(host)
  }

  /// Four numbers of which the first is 127; `127.evil.example` is a name like any other.
  private static func isLoopbackNumber(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { $0 != nil }
  }

  /// Why it cannot be used, or nil.
  package static func fault(_ url: String, mail: Bool) -> String? {
    guard let (scheme, _) = parts(url) else {
      return mail ? "it is written smtp://HOST:PORT or smtps://HOST" : "it is written https://HOST, without a login"
    }
    if mail { return scheme == "smtp" || scheme == "smtps" ? nil : "it begins with smtp:// or smtps://" }
    return scheme == "https" || (scheme == "http" && isLoopback(url))
      ? nil : "it begins with https://, or with http:// for this machine itself"
  }
}
