internal import PoolModel
package import PoolNotices

/// A notice in the journal's native protocol: fields one after the other, each `NAME=value` and a line end, or, where the
/// value has line ends of its own, `NAME`, a line end, its length as 64 bits little-endian, the value and a line end.
///
/// Source: systemd, "Native Journal Protocol", https://systemd.io/JOURNAL_NATIVE_PROTOCOL/.
package enum JournalMessage {
  package static func bytes(of notice: Notice) -> [UInt8] {
    var bytes: [UInt8] = []
    func field(_ name: String, _ value: String) {
      var text = Array(value.utf8)
      if text.count > Limits.journalFieldBytes { text = cut(value) }
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
    field("MESSAGE", NoticeText.message(of: notice))
    field("MESSAGE_ID", JournalCatalog(of: notice).rawValue)
    field("PRIORITY", String(notice.severity.syslogPriority))
    field("SYSLOG_IDENTIFIER", "poolflowd")
    field("POOLFLOW_NOTICE", notice.id)
    if !notice.teamName.isEmpty { field("POOLFLOW_TEAM", notice.teamName) }
    field("POOLFLOW_JOB", notice.job)
    field("POOLFLOW_SLOT", notice.slot.description)
    return bytes
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
