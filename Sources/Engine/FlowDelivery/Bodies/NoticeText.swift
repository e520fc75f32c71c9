internal import FlowModel
package import FlowNotices

/// A notice as a few lines of text for a person, for a terminal or the journal.
///
///     2026-03-02T14:00:00Z Blue Water: three things today (1 h 5 min late)
///       First: Alder Court
///       1. Alder Court
///
/// Control characters in names are escaped, because a terminal would execute them.
package enum NoticeText {
  /// Returns the text with its slot in front; every line ends with a line feed.
  package static func lines(of notice: Notice) -> String {
    "\(notice.slot) \(message(of: notice))\n"
  }

  /// Returns one log line that identifies the notice and counts its lines. It omits the text of a team's notice, which names
  /// people; a notice from the server to the operator is shown by its title.
  ///
  ///     2026-03-02T14:00:00Z desert-blue: morning-summary, 12 lines: pfctl outbox show 20260302T140000Z-morning-summary-17-f3a9
  package static func reference(to notice: Notice) -> String {
    let count = notice.lines.count
    let content =
      notice.isForOperator
      ? visible(notice.title) : "\(visible(notice.job)), \(count == 1 ? "1 line" : "\(count) lines")"
    let senderName = notice.teamName.isEmpty ? "poolflow" : visible(notice.teamName)
    return "\(notice.slot) \(senderName): \(content): pfctl outbox show \(notice.id)\n"
  }

  /// Returns the text without its slot and without a line feed at its end.
  package static func message(of notice: Notice) -> String {
    // A notice without a team comes from the server itself.
    let senderName = notice.teamName.isEmpty ? "poolflow" : visible(notice.teamName)
    var text = "\(senderName): \(visible(notice.title))"
    let minutes = notice.lateness.components.seconds / 60
    if minutes >= 60 {
      text += " (\(minutes / 60) h \(minutes % 60) min late)"
    } else if minutes > 0 {
      text += " (\(minutes) min late)"
    }
    for part in [notice.body] + notice.lines {
      for line in part.split(whereSeparator: \.isNewline) { text += "\n  \(visible(String(line)))" }
    }
    return text
  }
}
