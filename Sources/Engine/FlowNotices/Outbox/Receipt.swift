package import FlowModel
internal import FoundationEssentials

/// The result of delivering a notice to one address, as reported by the sender (poolflow-post). It contains no address and
/// none of the notice's text.
package struct Receipt: Equatable, Sendable {
  /// The state of a delivery; the raw value is stored and is part of the file format.
  package enum Outcome: String, Sendable, CaseIterable {
    /// The next hop, such as a mail server or push service, has accepted the message.
    case delivered
    /// The address or server refused it for good.
    case refused
    /// It could not be delivered before it expired.
    case expired
    /// It may have arrived, but no server confirmed it; it is not tried again.
    case unknown
    /// A fallback channel delivered it instead.
    case replaced
    /// It will be tried again.
    case waiting

    /// Whether no further attempt follows.
    package var isFinal: Bool { self != .waiting }
    /// Whether the notice did not arrive or may not have arrived.
    package var isLoss: Bool { self == .refused || self == .expired || self == .unknown }
  }

  package let notice: String
  /// The idempotency key of the delivery: 32 lower-case hexadecimal digits, the same for every try.
  package let delivery: String
  /// A person's key such as `t12` or `c3`, `office`, or `*` for a delivery to a whole team.
  package let recipient: String
  /// The name of the channel's section in the sender's settings, such as `mail`; `kind` is its protocol, such as `smtp`.
  package let channel: String
  package let kind: String
  package let outcome: Outcome
  /// A short reason without an initial capital or a full stop: `refused: no such mailbox (550)`.
  package let words: String
  /// The HTTP or SMTP status code of the server; nil without an answer.
  package let code: Int?
  package let tries: Int
  package let at: Timestamp
  /// The sink that published the notice; nil as long as the receipt is only a file.
  package let sink: String?

  package init(
    notice: String, delivery: String, recipient: String, channel: String, kind: String, outcome: Outcome,
    words: String, code: Int?, tries: Int, at: Timestamp, sink: String? = nil
  ) {
    self.sink = sink
    (self.notice, self.delivery, self.recipient) = (notice, delivery, recipient)
    (self.channel, self.kind, self.outcome) = (channel, kind, outcome)
    (self.words, self.code, self.tries, self.at) = (words, code, tries, at)
  }
}

/// The file format of receipts.
extension Receipt {
  /// The subfolder of the drop folder into which the sender puts receipts for the daemon.
  package static let folderName = "receipts"

  /// The file name, which depends on the content: equal receipts have equal names, and the content under a name never
  /// changes.
  ///
  /// - Parameter sum: the SHA-256 of the file's bytes, in hexadecimal.
  package static func fileName(of delivery: String, sum: String) -> String { "\(delivery).\(sum.prefix(16)).json" }

  /// Whether a name in the folder can be a receipt; other files are ignored.
  package static func isFileName(_ name: String) -> Bool {
    name.hasSuffix(".json") && !name.hasPrefix(".") && name.utf8.count <= 64
  }

  /// `words`, truncated to whole characters that fit into `Limits.receiptTextBytes` bytes.
  package static func truncated(_ words: String) -> String {
    var text = words
    while text.utf8.count > Limits.receiptTextBytes { text.removeLast() }
    return text
  }

  /// One JSON object and a line feed.
  package var bytes: [UInt8] {
    var json = JSONText()
    json.object { text in
      text.member("at", at.description)
      text.member("channel", channel)
      text.member("code", code)
      text.member("event", notice)
      text.member("key", delivery)
      text.member("kind", kind)
      text.member("recipient", recipient)
      text.member("tries", tries)
      text.member("verdict", outcome)
      text.member("words", words)
    }
    return json.bytes + [0x0A]
  }

  /// The reason why a file is not a receipt. It quotes nothing from the file.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// The members of the JSON object.
  private struct Members: Decodable {
    let at, channel, event, key, kind, recipient, verdict, words: String
    let code: Int?
    let tries: Int
  }

  /// Parses a file from an untrusted writer.
  ///
  /// - Parameter isOwn: true if the sender reads back its own file; `recipient` may then be any text that the event used.
  /// - Throws: `Fault`.
  package init(_ bytes: [UInt8], isOwn: Bool = false) throws(Fault) {
    guard bytes.count <= Limits.receiptBytes else { throw Fault(description: "it is too large") }
    let found: Members
    // The decoder's own error message would quote the file.
    do { found = try UntrustedJSON.decode(Members.self, from: bytes) } catch UntrustedJSON.Fault.repeatedKey {
      throw Fault(description: "it has a key twice")
    } catch {
      throw Fault(description: "it is not a receipt")
    }
    guard let outcome = Outcome(rawValue: found.verdict), let at = Timestamp(rfc3339: found.at) else {
      throw Fault(description: "its outcome or time is invalid")
    }
    guard (try? PathComponent(identity: found.event)) != nil, Self.isKey(found.key),
      isOwn || Self.isRecipient(found.recipient), [found.channel, found.kind].allSatisfy(Self.isName)
    else { throw Fault(description: "one of its names is invalid") }
    guard (0...100_000).contains(found.tries), (0...999).contains(found.code ?? 0),
      found.words.utf8.count <= Limits.receiptTextBytes, !found.words.unicodeScalars.contains(where: Self.isControl)
    else { throw Fault(description: "its message or a number is invalid") }
    self.init(
      notice: found.event, delivery: found.key, recipient: found.recipient, channel: found.channel, kind: found.kind,
      outcome: outcome, words: found.words, code: found.code, tries: found.tries, at: at)
  }

  /// Whether the text is a delivery key: 32 lower-case hexadecimal digits.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func isRecipient(_ text: String) -> Bool {
    // An event names the office without a number, because a team has one office.
    text == "*" || text == "office" || PersonKey(text)?.word == text
  }

  /// Whether the text can be the name of a channel or of its protocol.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= Limits.sinkNameLength && (try? PathComponent(identity: text)) != nil
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
}
