package import FlowModel

/// The text rules of iCalendar (RFC 5545).
package enum CalendarText {
  /// The content of a file: each line folded to at most 75 bytes and ended by CR LF.
  package static func whole(_ lines: [String]) -> String { lines.map { folded($0) + "\r\n" }.joined() }

  /// `text` escaped as a property value (RFC 5545 §3.3.11).
  package static func escaped(_ text: String) -> String {
    removingInvisible(text).replacing("\\", with: "\\\\").replacing(";", with: "\\;").replacing(",", with: "\\,")
  }

  /// `line` folded before its 76th byte, never inside a character (RFC 5545 §3.1).
  private static func folded(_ line: String) -> String {
    var result = ""
    var used = 0
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if used + size > 75 {
        result += "\r\n "
        used = 1
      }
      result.unicodeScalars.append(scalar)
      used += size
    }
    return result
  }
}

extension Timestamp {
  /// The instant without milliseconds: `20260302T140000Z`.
  package var compactSecond: String { Timestamp(seconds: seconds).compact }
}
