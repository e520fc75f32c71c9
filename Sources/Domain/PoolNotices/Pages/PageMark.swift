/// How a published page and a published calendar begin, in this and every earlier release, so that a copy that comes back to a web
/// server's folder is known to be one.
package enum PageMark {
  /// Follows the security policy in the head of a published page and of no other page.
  package static let robots =
    "<meta name=\"robots\" content=\"noindex,nofollow,noarchive\"><meta name=\"referrer\" content=\"no-referrer\">"
  private static let page = "<!doctype html>\n<html lang=\""
  private static let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//poolflow//"
  /// Bytes of a file that tell; the mark of a page ends within its first 500.
  package static let length = 1_024

  /// - Parameter beginning: the first `length` bytes of a file, or all of a shorter one.
  package static func isAt(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning.prefix(length), as: UTF8.self)
    // Compared by bytes: CR LF is one character.
    return text.utf8.starts(with: calendar.utf8) || text.hasPrefix(page) && text.contains(robots)
  }
}
