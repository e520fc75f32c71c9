/// What one kind of text field may hold, for every door alike: what somebody types, a customers file, an archive, the
/// inbox.
///
/// A text is bounded in letters, as people count them, and in bytes, as the machine does: one letter may carry any number
/// of combining marks. Tabs and line ends are ordinary text; other control characters (C0, DEL, C1) move cursors and tell
/// nobody anything. What is typed is refused where it has some, for whoever typed is there to put it right; from files
/// they are left out with a remark, because one bell must not keep a customer list away; and what the store has from
/// before this rule is written into backups, and read from them, as it is.
package struct TextRule: Hashable, Sendable {
  package let letters: Int
  /// False where somebody who types may end no line: in a name, which stands in one line of a table.
  package let takesLines: Bool

  /// UTF-8. Four for each letter, the longest code point; a whole text of longer letters is decoration.
  package var bytes: Int { 4 * letters }

  package init(letters: Int, takesLines: Bool = false) {
    self.letters = letters
    self.takesLines = takesLines
  }

  /// Names, addresses, telephone numbers, gate codes: whatever is one line.
  package static let name = TextRule(letters: Limits.nameLength)
  package static let notes = TextRule(letters: Limits.notesLength, takesLines: true)
  /// Comma separated, so many more than one name.
  package static let tags = TextRule(letters: Limits.notesLength)
  package static let unitLabel = TextRule(letters: Limits.unitLabelLength)
  package static let holdNote = TextRule(letters: Limits.holdNoteLength)
  package static let reminderText = TextRule(letters: Limits.reminderTextLength, takesLines: true)
  package static let reminderTitle = TextRule(letters: Limits.reminderTitleLength)
  package static let backupReason = TextRule(letters: Limits.backupReasonLength)
  /// What a refusal repeats of a value.
  package static let shown = TextRule(letters: 40)
  /// One entry of a list of supplements or medications.
  package static let feedEntry = TextRule(letters: Limits.feedEntryLength)
  package static let auditCommand = TextRule(letters: Limits.auditCommandLength)

  /// What is wrong with a text that somebody typed; nil where it is fine.
  package func fault(in text: String) -> TextFault? {
    // Nearly every text: so few bytes cannot be too many letters, and none is a control character.
    if text.utf8.count <= letters, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return nil }
    return lengthFault(in: text) ?? controlFault(in: text)
  }

  /// The same but for control characters: for texts out of files.
  package func lengthFault(in text: String) -> TextFault? {
    let count = text.utf8.count
    if count <= letters { return nil }
    if text.count > letters { return .tooManyLetters(limit: letters) }
    return count > bytes ? .tooManyBytes(count, limit: bytes) : nil
  }

  private func controlFault(in text: String) -> TextFault? {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return nil }
    // A carriage return and its line feed are one letter.
    for (place, letter) in text.enumerated() {
      for scalar in letter.unicodeScalars where scalar.properties.generalCategory == .control {
        if !isOrdinaryControl(scalar.value) { return .control(scalar.value, letter: place + 1) }
        if !takesLines { return .lineEnd(scalar.value, letter: place + 1) }
      }
    }
    return nil
  }

  /// The longest beginning of `text` that keeps the bounds.
  package func cut(_ text: String) -> String {
    guard lengthFault(in: text) != nil else { return text }
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.prefix(letters).unicodeScalars {
      count += UTF8.width(scalar)
      if count > bytes { break }
      result.append(scalar)
    }
    return String(result)
  }
}

/// What is wrong with a text, and where.
package enum TextFault: Error, Hashable, Sendable {
  case tooManyLetters(limit: Int)
  case tooManyBytes(Int, limit: Int)
  /// `letter` counts from 1.
  case control(UInt32, letter: Int)
  /// A line end or a tab where one line is wanted.
  case lineEnd(UInt32, letter: Int)
}

extension TextFault: CustomStringConvertible {
  /// What follows "it".
  package var description: String {
    switch self {
    case .tooManyLetters(let limit): "is longer than \(limit) characters"
    case .tooManyBytes(let count, let limit): "has \(count) bytes, more than \(limit); write it with fewer marks"
    case .control(let value, let letter): "has control character \(codePoint(value)) as letter \(letter); leave it out"
    case .lineEnd(let value, let letter):
      "has a line end or tab (\(codePoint(value))) as letter \(letter); write it in one line"
    }
  }
}

/// `U+0007`.
package func codePoint(_ value: UInt32) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

// MARK: Control characters in UTF-8

/// Tab, line feed and carriage return are ordinary text.
private func isOrdinaryControl(_ value: UInt32) -> Bool { value == 0x09 || value == 0x0A || value == 0x0D }

/// Whether a byte of UTF-8 is a control character other than tab and line ends, or may begin one: a first look.
///
/// C1 ones (U+0080 to U+009F) are two bytes, the first of them 0xC2.
package func mayBeControl(_ byte: UInt8) -> Bool {
  byte < 0x20 && !isOrdinaryControl(UInt32(byte)) || byte == 0x7F || byte == 0xC2
}

/// The bytes of the control character at `index`, 0 where there is none.
private func controlLength(_ text: Span<UInt8>, at index: Int) -> Int {
  guard mayBeControl(text[index]) else { return 0 }
  if text[index] != 0xC2 { return 1 }
  return index + 1 < text.count && text[index + 1] < 0xA0 ? 2 : 0
}

/// Whether UTF-8 has control characters other than tabs and line ends.
package func hasControls(_ text: Span<UInt8>) -> Bool {
  // Nearly every text is plain ASCII: one look a byte.
  for first in text.indices where text[first] < 0x20 || text[first] >= 0x7F {
    for index in first..<text.count where controlLength(text, at: index) > 0 { return true }
    return false
  }
  return false
}

package func hasControls(_ text: String) -> Bool { hasControls(text.utf8.span) }

/// UTF-8 without control characters; tabs and line ends stay.
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
