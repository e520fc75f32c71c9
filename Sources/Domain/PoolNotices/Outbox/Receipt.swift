internal import FoundationEssentials
package import PoolModel

/// What became of one delivery of a notice to one address, as the program says that brings it. It holds no address, and
/// nothing of what the notice says.
package struct Receipt: Equatable, Sendable {
  package enum Outcome: String, Sendable, CaseIterable {
    /// The next one on the way has it: the mail server, the push service.
    case delivered
    /// It will not be taken there.
    case refused
    /// It could not be brought before it was of no use.
    case expired
    /// It may have arrived; nobody said so, and it is not tried again.
    case unknown
    /// Another channel brought it in its place.
    case replaced
    /// It is tried again.
    case waiting

    /// Nothing follows by itself.
    package var isFinal: Bool { self != .waiting }
    /// It is not there, or nobody knows.
    package var isLoss: Bool { self == .refused || self == .expired || self == .unknown }
  }

  package let notice: String
  /// Names the delivery among all: 32 lower-case hexadecimal digits, the same for every try.
  package let delivery: String
  /// `t12` or `office`; `*` for what was for nobody alone.
  package let recipient: String
  /// A section of whoever's settings brings it, such as `mail`, and what that is, such as `smtp`.
  package let channel: String
  package let kind: String
  package let outcome: Outcome
  /// A few words without a capital or a full stop: `refused: no such mailbox (550)`.
  package let words: String
  /// What the server answered: a code of HTTP or SMTP.
  package let code: Int?
  package let tries: Int
  package let at: Timestamp
  /// The sink that the notice went to; nil in the file itself.
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

/// A receipt as a file.
extension Receipt {
  /// Members of the drop folder: there receipts are put for whoever wrote the notices.
  package static let folderName = "receipts"

  /// The same for the same receipt, and another for any other: what lies under a name never changes.
  ///
  /// - Parameter sum: the SHA-256 of its bytes.
  package static func fileName(of delivery: String, sum: String) -> String { "\(delivery).\(sum.prefix(16)).json" }

  package static func isFileName(_ name: String) -> Bool {
    name.hasSuffix(".json") && !name.hasPrefix(".") && name.utf8.count <= 64
  }

  /// As many whole characters of the words as a receipt has room for.
  package static func fitting(_ words: String) -> String {
    var text = words
    while text.utf8.count > Limits.receiptWords { text.removeLast() }
    return text
  }

  /// One JSON object and a line's end.
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

  /// Why a file is no receipt. It quotes nothing of the file.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  private struct Members: Decodable {
    let at, channel, event, key, kind, recipient, verdict, words: String
    let code: Int?
    let tries: Int
  }

  /// Reads a file that anybody may have written.
  ///
  /// - Parameter isOwn: whoever wrote it reads it again: the recipient is whatever the event called it.
  /// - Throws: `Fault`.
  package init(_ bytes: [UInt8], isOwn: Bool = false) throws(Fault) {
    guard bytes.count <= Limits.receiptBytes else { throw Fault(description: "it is too large") }
    let found: Members
    // The decoder's own words would quote the file.
    do { found = try UntrustedJSON.decode(Members.self, from: bytes) } catch UntrustedJSON.Fault.repeatedKey {
      throw Fault(description: "a key stands in it twice")
    } catch {
      throw Fault(description: "it is no receipt")
    }
    guard let outcome = Outcome(rawValue: found.verdict), let at = Timestamp(rfc3339: found.at) else {
      throw Fault(description: "its outcome or time is none")
    }
    guard (try? PathComponent(identity: found.event)) != nil, Self.isKey(found.key),
      isOwn || Self.isRecipient(found.recipient), [found.channel, found.kind].allSatisfy(Self.isName)
    else { throw Fault(description: "one of its names is none") }
    guard (0...100_000).contains(found.tries), (0...999).contains(found.code ?? 0),
      found.words.utf8.count <= Limits.receiptWords, !found.words.unicodeScalars.contains(where: Self.isControl)
    else { throw Fault(description: "its words or numbers are none") }
    self.init(
      notice: found.event, delivery: found.key, recipient: found.recipient, channel: found.channel, kind: found.kind,
      outcome: outcome, words: found.words, code: found.code, tries: found.tries, at: at)
  }

  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func isRecipient(_ text: String) -> Bool {
    // As an event names it: a team has one office.
    text == "*" || text == "office" || PersonKey(text)?.word == text
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= Limits.sinkNameLength && (try? PathComponent(identity: text)) != nil
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
}
