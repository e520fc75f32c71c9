/// Recognises published pages and calendars by how they begin. This is the same in all earlier releases, so that poolflow
/// recognises its own files in a web server's folder.
package enum PageSignature {
  /// Follows the security policy in the head of a published page; no other page contains it.
  package static let robots =
    "<meta name=\"robots\" content=\"noindex,nofollow,noarchive\"><meta name=\"referrer\" content=\"no-referrer\">"
  private static let page = "<!doctype html>\n<html lang=\""
  private static let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//poolflow//"
  /// The number of bytes to read for recognition; the mark of a page ends within its first 500.
  package static let length = 1_024

  /// Whether a file is a published page or calendar.
  ///
  /// - Parameter beginning: the first `length` bytes of the file, or all of a shorter file.
  package static func isAt(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning.prefix(length), as: UTF8.self)
    // Compared by bytes, because Swift treats CR LF as one character.
    return text.utf8.starts(with: calendar.utf8) || text.hasPrefix(page) && text.contains(robots)
  }
}
