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
