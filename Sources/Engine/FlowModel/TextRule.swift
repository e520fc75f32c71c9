/// The limits of one kind of text field, equal for every source: typed input, customers files, archives and the inbox.
///
/// A text is limited in characters, as people count them, and in bytes, because one character may have any number of
/// combining marks. Tabs and line ends are allowed; other control characters (C0, DEL, C1) move cursors and carry no
/// information. Typed text with control characters is rejected, because its author can correct it. From files they are
/// removed with a warning, so that one stray character does not block a customer list. Older text in the store that breaks
/// this rule is written to backups and read back unchanged.
package struct TextRule: Hashable, Sendable {
  /// The largest number of characters.
  package let maxCharacters: Int
  /// Whether line ends and tabs may be typed; false for a name, which must fit into one line of a table.
  package let takesLines: Bool

  /// The largest number of UTF-8 bytes: four per character, the size of the longest code point; a text that needs more is
  /// decoration.
  package var bytes: Int { 4 * maxCharacters }

  package init(maxCharacters: Int, takesLines: Bool = false) {
    self.maxCharacters = maxCharacters
    self.takesLines = takesLines
  }

  /// One-line fields: names, addresses, telephone numbers, gate codes.
  package static let name = TextRule(maxCharacters: Limits.nameLength)
  package static let notes = TextRule(maxCharacters: Limits.notesLength, takesLines: true)
  /// A comma-separated list, so as long as many names.
  package static let tags = TextRule(maxCharacters: Limits.notesLength)
  package static let unitLabel = TextRule(maxCharacters: Limits.unitLabelLength)
  package static let holdNote = TextRule(maxCharacters: Limits.holdNoteLength)
  package static let reminderText = TextRule(maxCharacters: Limits.reminderTextLength, takesLines: true)
  package static let reminderTitle = TextRule(maxCharacters: Limits.reminderTitleLength)
  package static let backupReason = TextRule(maxCharacters: Limits.backupReasonLength)
  /// A value as quoted in an error message.
  package static let shown = TextRule(maxCharacters: 40)
  package static let auditCommand = TextRule(maxCharacters: Limits.auditCommandLength)

  /// The problem with a typed text; nil for a valid one.
  package func fault(in text: String) -> TextFault? {
    // Fast path for nearly every text: this short in ASCII it is within the limits, and it has no control character.
    if text.utf8.count <= maxCharacters, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return nil }
    return lengthFault(in: text) ?? controlFault(in: text)
  }

  /// The problem with the length of a text from a file, without a check for control characters; nil for a valid one.
  package func lengthFault(in text: String) -> TextFault? {
    let count = text.utf8.count
    if count <= maxCharacters { return nil }
    if text.count > maxCharacters { return .tooManyLetters(limit: maxCharacters) }
    return count > bytes ? .tooManyBytes(count, limit: bytes) : nil
  }

  private func controlFault(in text: String) -> TextFault? {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return nil }
    // A carriage return with its line feed is one character.
    for (place, letter) in text.enumerated() {
      for scalar in letter.unicodeScalars where scalar.properties.generalCategory == .control {
        if !isOrdinaryControl(scalar.value) { return .control(scalar.value, letter: place + 1) }
        if !takesLines { return .lineEnd(scalar.value, letter: place + 1) }
      }
    }
    return nil
  }

  /// The longest prefix of `text` within the limits.
  package func truncated(_ text: String) -> String {
    guard lengthFault(in: text) != nil else { return text }
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.prefix(maxCharacters).unicodeScalars {
      count += UTF8.width(scalar)
      if count > bytes { break }
      result.append(scalar)
    }
    return String(result)
  }
}

/// A violation of a text rule, with its position.
package enum TextFault: Error, Hashable, Sendable {
  case tooManyLetters(limit: Int)
  case tooManyBytes(Int, limit: Int)
  /// A control character; `letter` is the position of the character, from 1.
  case control(UInt32, letter: Int)
  /// A line end or tab in a one-line field.
  case lineEnd(UInt32, letter: Int)
}

extension TextFault: CustomStringConvertible {
  /// The problem as the end of a sentence that begins with "it".
  package var description: String {
    switch self {
    case .tooManyLetters(let limit): "is longer than \(limit) characters"
    case .tooManyBytes(let count, let limit):
      "is \(count) bytes long, limit \(limit); use fewer accents or combining marks"
    case .control(let value, let letter):
      "has control character \(codePoint(value)) as character \(letter); leave it out"
    case .lineEnd(let value, let letter):
      "has a line end or tab (\(codePoint(value))) as character \(letter); write it in one line"
    }
  }
}

/// A code point in the usual notation: `U+0007`.
package func codePoint(_ value: UInt32) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

// MARK: Control characters in UTF-8

/// Whether the value is tab, line feed or carriage return, which are allowed.
private func isOrdinaryControl(_ value: UInt32) -> Bool { value == 0x09 || value == 0x0A || value == 0x0D }

/// Whether a UTF-8 byte is, or may be the first byte of, a control character other than tab and line ends; a fast pre-check.
///
/// C1 controls (U+0080 to U+009F) are two bytes, of which the first is 0xC2.
package func mayBeControl(_ byte: UInt8) -> Bool {
  byte < 0x20 && !isOrdinaryControl(UInt32(byte)) || byte == 0x7F || byte == 0xC2
}

/// The number of bytes of the control character at `index`; 0 if there is none.
private func controlLength(_ text: Span<UInt8>, at index: Int) -> Int {
  guard mayBeControl(text[index]) else { return 0 }
  if text[index] != 0xC2 { return 1 }
  return index + 1 < text.count && text[index + 1] < 0xA0 ? 2 : 0
}

/// Whether UTF-8 text contains control characters other than tabs and line ends.
package func hasControls(_ text: Span<UInt8>) -> Bool {
  // Fast path: nearly every text is plain ASCII.
  for first in text.indices where text[first] < 0x20 || text[first] >= 0x7F {
    for index in first..<text.count where controlLength(text, at: index) > 0 { return true }
    return false
  }
  return false
}

package func hasControls(_ text: String) -> Bool { hasControls(text.utf8.span) }

/// UTF-8 text without control characters; tabs and line ends are kept.
package func withoutControls(_ text: Span<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(text.count)
  var index = 0
  while index < text.count {
    let length = controlLength(text, at: index)
    if length == 0 { result.append(text[index]) }
    index += max(1, length)
  }
  return result
}

package func withoutControls(_ text: String) -> String {
  hasControls(text) ? String(decoding: withoutControls(text.utf8.span), as: UTF8.self) : text
}

/// `text` without leading and trailing spaces and tabs.
package func trimmingSpaces(_ text: some StringProtocol) -> String {
  func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
  var rest = text[...]
  while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
  while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
  return String(rest)
}
