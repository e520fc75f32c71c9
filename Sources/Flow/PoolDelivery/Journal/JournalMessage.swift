internal import PoolModel
package import PoolNotices

/// A message in the journal's native protocol: fields one after the other, each `NAME=value` and a line end, or, where the
/// value has line ends of its own, `NAME`, a line end, its length as 64 bits little-endian, the value and a line end.
///
/// Source: systemd, "Native Journal Protocol", https://systemd.io/JOURNAL_NATIVE_PROTOCOL/.
package struct JournalMessage {
  package private(set) var bytes: [UInt8] = []

  /// - Parameter priority: a level of syslog(3), 0 to 7.
  package init(_ text: String, _ kind: JournalCatalog, priority: Int) {
    field("MESSAGE", text)
    field("MESSAGE_ID", kind.rawValue)
    field("PRIORITY", String(priority))
    field("SYSLOG_IDENTIFIER", "poolflowd")
  }

  package init(of notice: Notice) {
    self.init(
      NoticeText.message(of: notice), JournalCatalog(of: notice), priority: notice.severity.syslogPriority)
    field("POOLFLOW_NOTICE", notice.id)
    if !notice.teamName.isEmpty { field("POOLFLOW_TEAM", notice.teamName) }
    field("POOLFLOW_JOB", notice.job)
    field("POOLFLOW_SLOT", notice.slot.description)
  }

  /// - Parameter name: of capital letters, digits and underscores, as the journal wants it.
  package mutating func field(_ name: String, _ value: String) {
    var text = Array(value.utf8)
    if text.count > Limits.journalFieldBytes { text = Self.cut(value) }
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

  /// As many whole characters as fit into a field, and a sign that there was more.
  private static func cut(_ value: String) -> [UInt8] {
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
