internal import FlowModel
package import FlowNotices

/// A message in the journal's native protocol. Each field is `NAME=value` and a line feed; if the value contains line feeds:
/// `NAME`, a line feed, the value's length as a 64-bit little-endian number, the value and a line feed.
///
/// Source: systemd, "Native Journal Protocol", https://systemd.io/JOURNAL_NATIVE_PROTOCOL/.
package struct JournalMessage {
  package private(set) var bytes: [UInt8] = []

  /// - Parameter priority: the syslog(3) level, 0 to 7.
  package init(_ text: String, _ kind: JournalMessageID, priority: Int) {
    field("MESSAGE", text)
    field("MESSAGE_ID", kind.rawValue)
    field("PRIORITY", String(priority))
    field("SYSLOG_IDENTIFIER", "poolflowd")
  }

  package init(of notice: Notice) {
    self.init(
      NoticeText.message(of: notice), JournalMessageID(of: notice), priority: notice.severity.syslogPriority)
    field("POOLFLOW_NOTICE", notice.id)
    if !notice.teamName.isEmpty { field("POOLFLOW_TEAM", notice.teamName) }
    field("POOLFLOW_JOB", notice.job)
    field("POOLFLOW_SLOT", notice.slot.description)
  }

  /// Appends a field. A value longer than `Limits.journalFieldBytes` is truncated.
  ///
  /// - Parameter name: the field name, of capital letters, digits and underscores, as the journal requires.
  package mutating func field(_ name: String, _ value: String) {
    var text = Array(value.utf8)
    if text.count > Limits.journalFieldBytes { text = Self.truncated(value) }
    bytes += Array(name.utf8)
    if text.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      var length = UInt64(text.count)
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: length))
        length >>= 8
      }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += text
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Truncates a value at a character boundary to the maximum field length, including an ellipsis at its end.
  private static func truncated(_ value: String) -> [UInt8] {
    let ellipsis = Array("…".utf8)
    var bytes: [UInt8] = []
    for character in value {
      let next = Array(character.utf8)
      if bytes.count + next.count + ellipsis.count > Limits.journalFieldBytes { break }
      bytes += next
    }
    return bytes + ellipsis
  }
}
