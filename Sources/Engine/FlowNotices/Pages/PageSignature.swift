/// Recognises published pages, calendars, icons and manifests by how they begin. This is the same in all earlier releases, so that
/// poolflow recognises its own files in a web server's folder.
package enum PageSignature {
  /// Follows the security policy in the head of a published page; no other page contains it.
  package static let robots =
    "<meta name=\"robots\" content=\"noindex,nofollow,noarchive\"><meta name=\"referrer\" content=\"no-referrer\">"
  private static let page = "<!doctype html>\n<html lang=\""
  private static let manifest = "{\"generator\":\"poolflow\""
  /// The signature of a PNG, its header chunk of 25 bytes, and the text chunk that names the program.
  private static let icon = (
    png: [0x89, 0x50, 0x4E, 0x47] as [UInt8], mark: Array("tEXtSoftware\u{0}poolflow".utf8), markAt: 37
  )
  private static let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//poolflow//"
  /// The number of bytes to read for recognition; the mark of a page ends within its first 500.
  package static let length = 1_024

  /// Whether a file is a published page, calendar, icon or manifest.
  ///
  /// - Parameter beginning: the first `length` bytes of the file, or all of a shorter file.
  package static func isAt(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning.prefix(length), as: UTF8.self)
    if beginning.starts(with: icon.png) { return beginning.dropFirst(icon.markAt).starts(with: icon.mark) }
    // Compared by bytes, because Swift treats CR LF as one character.
    return text.utf8.starts(with: calendar.utf8) || text.hasPrefix(manifest)
      || text.hasPrefix(page) && text.contains(robots)
  }

  /// The element around the time at which a page was made.
  static let time = (open: "<time>", close: "</time>")
  /// The number of bytes by which two times can differ.
  package static let timeLength = 64

  /// Whether two files are equal, except for the time at which the page was made.
  package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    if one == other { return true }
    guard let (oneTime, otherTime) = times(one, other) else { return false }
    return one[..<oneTime.lowerBound] == other[..<otherTime.lowerBound]
      && one[oneTime.upperBound...] == other[otherTime.upperBound...]
  }

  private static func times(_ one: [UInt8], _ other: [UInt8]) -> (Range<Int>, Range<Int>)? {
    guard let first = timeRange(one), let second = timeRange(other) else { return nil }
    return (first, second)
  }

  /// The range of the last `<time>` element's content; names on a page cannot contain one, because they are escaped.
  private static func timeRange(_ page: [UInt8]) -> Range<Int>? {
    guard let end = lastIndex(of: Array(time.close.utf8), in: page, before: page.count),
      let start = lastIndex(of: Array(time.open.utf8), in: page, before: end)
    else { return nil }
    return start + time.open.utf8.count..<end
  }

  private static func lastIndex(of text: [UInt8], in page: [UInt8], before end: Int) -> Int? {
    guard end >= text.count else { return nil }
    return (0...end - text.count).last { page[$0] == text[0] && page[$0..<$0 + text.count].elementsEqual(text) }
  }
}
