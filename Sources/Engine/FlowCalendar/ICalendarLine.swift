import FlowModel

/// One unfolded line of an RFC 5545 file: `NAME;PARAMETER=VALUE:value`.
struct ICalendarLine {
  /// Number of its first physical line, counted from 1.
  let number: Int
  /// Upper-case property name; empty if the line is not a property.
  let name: String
  /// Parameter values without quotation marks, by upper-case name.
  let parameters: [String: String]
  /// Raw value, with escapes.
  let value: String

  /// The unfolded lines of a file, without blank ones.
  ///
  /// A physical line that starts with a space or tab continues the previous one. A fold can split a multi-byte character, so
  /// bytes are joined before UTF-8 decoding.
  static func all(in bytes: [UInt8]) throws(ICalendarError) -> [ICalendarLine] {
    var lines: [ICalendarLine] = []
    var current: [UInt8] = []
    var start = 1
    var number = 0
    for piece in bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      let line = piece.last == UInt8(ascii: "\r") ? piece.dropLast() : piece
      if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
        current.append(contentsOf: line.dropFirst())
        continue
      }
      if let line = try ICalendarLine(current, number: start) { lines.append(line) }
      current = Array(line)
      start = number
    }
    if let line = try ICalendarLine(current, number: start) { lines.append(line) }
    return lines
  }

  /// - Returns: nil for a blank line.
  private init?(_ bytes: [UInt8], number: Int) throws(ICalendarError) {
    guard let text = String(validating: bytes, as: UTF8.self), !hasTooManyCombiningMarks(text) else {
      throw .notUTF8(line: number)
    }
    guard !text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return nil }
    self.number = number
    var scanner = Scanner(bytes: bytes)
    guard let (name, parameters) = scanner.property() else {
      (name, parameters, value) = ("", [:], text)
      return
    }
    self.name = name
    self.parameters = parameters
    value = String(decoding: bytes[scanner.index...], as: UTF8.self)
  }

  /// Parses the part before the value.
  private struct Scanner {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Name and parameters up to and including the colon; nil if the line is not a property.
    mutating func property() -> (name: String, parameters: [String: String])? {
      guard let name = word() else { return nil }
      var parameters: [String: String] = [:]
      while take(UInt8(ascii: ";")) {
        guard let parameter = word(), take(UInt8(ascii: "=")), let value = parameterValue() else { return nil }
        parameters[parameter] = value
      }
      return take(UInt8(ascii: ":")) ? (name, parameters) : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }

    private mutating func word() -> String? {
      let start = index
      while index < bytes.count, Self.isWordByte(bytes[index]) { index += 1 }
      return index > start ? String(decoding: bytes[start..<index], as: UTF8.self).uppercased() : nil
    }

    /// A parameter value without quotation marks; comma-separated lists are not split, because no parameter used here is one.
    private mutating func parameterValue() -> String? {
      var value: [UInt8] = []
      while index < bytes.count, bytes[index] != UInt8(ascii: ";"), bytes[index] != UInt8(ascii: ":") {
        guard bytes[index] == UInt8(ascii: "\"") else {
          value.append(bytes[index])
          index += 1
          continue
        }
        guard let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        value.append(contentsOf: bytes[(index + 1)..<end])
        index = end + 1
      }
      return String(decoding: value, as: UTF8.self)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
      CalendarParser.isLetter(byte) || CalendarParser.isDigit(byte) || byte == UInt8(ascii: "-")
    }
  }

  /// The raw value with blanks trimmed and collapsed.
  var trimmed: String { value.split { $0 == " " || $0 == "\t" }.joined(separator: " ") }

  /// The unescaped value on one line, without control characters, truncated to what `rule` allows.
  func text(_ rule: TextRule) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in value.utf8 {
      if isEscaped {
        isEscaped = false
        if byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N") {
          bytes.append(UInt8(ascii: " "))
          continue
        }
        if !Self.escapable.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      }
      bytes.append(byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") ? UInt8(ascii: " ") : byte)
    }
    let line = withoutControls(String(decoding: bytes, as: UTF8.self))
    return rule.truncated(line.split(separator: " ").joined(separator: " "))
  }

  private static let escapable: [UInt8] = [",", ";", "\\", ":", "\""].map { UInt8(ascii: $0) }
}
