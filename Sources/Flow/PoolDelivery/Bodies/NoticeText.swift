internal import PoolModel
package import PoolNotices

/// A notice as a few lines for a person: at a terminal, in the journal.
///
///     2026-03-02T14:00:00Z Blue Water: three things today (1 h 5 min late)
///       First: Alder Court
///       1. Alder Court
///
/// Control characters of names are shown, not sent: a terminal obeys them.
package enum NoticeText {
  /// The text with its slot, every line ended.
  package static func lines(of notice: Notice) -> String {
    "\(notice.slot) \(message(of: notice))\n"
  }

  /// One line for a log: which notice it is and how many lines it has. It holds no text of a team's notice, which names
  /// people; of the server's own news, the title.
  ///
  ///     2026-03-02T14:00:00Z desert-blue: morning-summary, 12 lines: pfctl outbox show 20260302T140000Z-morning-summary-17-f3a9
  package static func reference(to notice: Notice) -> String {
    let count = notice.lines.count
    let what =
      notice.isOperators
      ? visible(notice.title) : "\(visible(notice.job)), \(count == 1 ? "1 line" : "\(count) lines")"
    let speaker = notice.teamName.isEmpty ? "poolflow" : visible(notice.teamName)
    return "\(notice.slot) \(speaker): \(what): pfctl outbox show \(notice.id)\n"
  }

  /// The text without its slot and without the last line end.
  package static func message(of notice: Notice) -> String {
    // What concerns no team is the server's own word.
    let speaker = notice.teamName.isEmpty ? "poolflow" : visible(notice.teamName)
    var text = "\(speaker): \(visible(notice.title))"
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
