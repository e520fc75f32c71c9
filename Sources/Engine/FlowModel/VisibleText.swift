// Output escaping, one function per destination. Names come from external files, and the reader of our output may obey them:
// a terminal, a pager, a spreadsheet, or a person reading a log.
//
// - A terminal or log gets `visible`: control characters are escaped as `\u{1B}`.
// - A full-screen display gets `terminalText`, the last filter behind every command.
// - A page, map or calendar gets `removingInvisible`, because escapes there would only be noise.
// - A command that is suggested to a user gets `shellWord`.
// - JSON gets `escapedInJSON`: the same value in other characters, so that a program loses nothing.

/// `text` with every character escaped, as `\u{1B}`, that could move the cursor, change colours or reverse the reading
/// direction.
package func visible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  var result = ""
  for scalar in text.unicodeScalars { show(scalar, in: &result) }
  return result
}

/// `text` quoted so that a POSIX shell reads it as one argument: `Ann`, `'Ann Lee'`, `'Sean O'\''Brien'`. For names in
/// suggested commands.
package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "%+,-./:=@_".utf8.contains(byte)
    }
  }
  guard !isPlain || text.isEmpty else { return text }
  var word = "'"
  // Scalar by scalar, because a quote with a combining mark is another character to Swift but not to a shell.
  for scalar in text.unicodeScalars { word += scalar == "'" ? "'\\''" : String(scalar) }
  return word + "'"
}

/// `text` without the characters that `visible` escapes, for pages, where they would only do harm. Line breaks become spaces.
package func removingInvisible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: result += " "
    default: if !isHidden(scalar) { result.unicodeScalars.append(scalar) }
    }
  }
  return result
}

/// One or more lines for a terminal: like `visible`, but it keeps line ends, tabs, isolates set by `isolated` and, with
/// `colours`, poolflow's own colour sequences. A carriage return before a line end is removed.
package func terminalText(_ text: String, colours: Bool) -> String {
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  let scalars = Array(text.unicodeScalars)
  var result = ""
  var next = 0
  while next < scalars.count {
    let scalar = scalars[next]
    switch scalar.value {
    case 0x09, 0x0A: result.unicodeScalars.append(scalar)
    case 0x0D where next + 1 == scalars.count || scalars[next + 1] == "\n": break
    case 0x1B:
      if colours, let end = colour(scalars, at: next) {
        result.unicodeScalars.append(contentsOf: scalars[next...end])
        next = end
      } else {
        show(scalar, in: &result)
      }
    case 0x2068:
      if let end = isolate(scalars, at: next) {
        result.unicodeScalars.append(contentsOf: scalars[next...end])
        next = end
      } else {
        show(scalar, in: &result)
      }
    default: show(scalar, in: &result)
    }
    next += 1
  }
  return result
}

/// JSON in which hidden characters outside ASCII are escaped as `\u202E`: the same value, with nothing that a terminal obeys.
/// JSON strings cannot contain raw ASCII control characters except delete, which is escaped too.
package func escapedInJSON(_ json: [UInt8]) -> [UInt8] {
  guard !isPlainScript(json.span), json.contains(where: mayStartInvisible) else { return json }
  var result: [UInt8] = []
  result.reserveCapacity(json.count + 32)
  var rest = json[...]
  // Text between two candidates is copied in one piece: a page with a photo has millions of characters.
  while let index = rest.firstIndex(where: mayStartInvisible) {
    let length = rest[index] < 0x80 ? 1 : rest[index] < 0xE0 ? 2 : rest[index] < 0xF0 ? 3 : 4
    let letter = String(decoding: rest[index...].prefix(length), as: UTF8.self)
    result += rest[..<index]
    rest = rest[index...].dropFirst(length)
    if letter.unicodeScalars.contains(where: isHidden) {
      for unit in letter.utf16 {
        let digits = String(unit, radix: 16)
        result += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
      }
    } else {
      result += letter.utf8
    }
  }
  return result + rest
}

/// Whether UTF-8 text can contain neither hidden nor right-to-left characters, judged by its bytes alone: ASCII, European
/// Latin scripts, signs and arrows. False means only that it must be checked by character.
package func isPlainScript(_ text: String) -> Bool { isPlainScript(text.utf8Span.span) }

private func isPlainScript(_ utf8: Span<UInt8>) -> Bool {
  // The character being scanned: its first byte, and the second of three.
  var (first, second): (UInt8, UInt8) = (0, 0)
  for position in utf8.indices {
    let byte = utf8[position]
    if byte >= 0x20, byte <= 0x7E { continue }
    switch byte {
    case 0x80...0xBF:
      switch (first, second) {
      case (0xC2, _): if byte < 0xA0 || byte == 0xAD { return false }
      case (0xE2, 0): second = byte
      case (0xE2, 0x80):
        if byte == 0x8B || byte == 0x8E || byte == 0x8F || (byte >= 0xA8 && byte <= 0xAE) { return false }
      case (0xE2, 0x81): if byte >= 0xA0, byte <= 0xAF { return false }
      default: break
      }
    case 0xC2...0xCC, 0xE2: (first, second) = (byte, 0)
    default: return false
    }
  }
  return true
}

/// Whether any of these bytes, up to four different ones, occurs in a text.
package func hasAny(_ bytes: (UInt8, UInt8, UInt8, UInt8), in text: String) -> Bool {
  let utf8 = text.utf8Span.span
  for position in utf8.indices {
    let byte = utf8[position]
    if byte == bytes.0 || byte == bytes.1 || byte == bytes.2 || byte == bytes.3 { return true }
  }
  return false
}

/// Whether a UTF-8 byte is, or begins, a character that may be hidden (`isHidden`), apart from ASCII controls. Most texts in
/// most languages contain none.
private func mayStartInvisible(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x7F, 0xC2, 0xCD, 0xD8, 0xE1...0xE3, 0xEF...0xF4: true
  default: false
  }
}

/// Appends `scalar`, escaped if it is hidden.
private func show(_ scalar: Unicode.Scalar, in result: inout String) {
  if isHidden(scalar) {
    result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  } else {
    result.unicodeScalars.append(scalar)
  }
}

/// The index of the last scalar of a colour sequence such as `ESC[31m` at `start`; nil for other sequences, which poolflow
/// never writes.
private func colour(_ scalars: [Unicode.Scalar], at start: Int) -> Int? {
  guard start + 1 < scalars.count, scalars[start + 1] == "[" else { return nil }
  for (position, scalar) in scalars[(start + 2)...].prefix(3).enumerated() {
    if scalar == "m" { return position == 0 ? nil : start + 2 + position }
    guard ("0"..."9").contains(scalar) else { return nil }
  }
  return nil
}

/// The index of the end of an isolate set by `isolated` at `start`; nil if it spans lines or contains another one. It affects
/// only the text inside.
private func isolate(_ scalars: [Unicode.Scalar], at start: Int) -> Int? {
  for position in (start + 1)..<max(start + 1, scalars.count) {
    if scalars[position] == "\u{2069}" { return position }
    if isHidden(scalars[position]) { return nil }
  }
  return nil
}

/// Whether a character is invisible and may change the display of other characters.
///
/// - Control characters (C0, delete, C1), which a terminal obeys; U+009B acts like ESC [.
/// - Marks, embeddings, overrides and isolates of the bidirectional algorithm; line and paragraph separators.
/// - Characters that Unicode calls default ignorable, such as zero-width spaces, fillers and tags; except joiners and
///   variation selectors, which Persian, Indic scripts and emoji need and which are harmless.
/// - Interlinear annotation characters and noncharacters.
///
/// Unassigned and private-use characters are not hidden: future letters and an office's own signs are valid in names, and no
/// terminal obeys them. Source: Unicode 15, DerivedCoreProperties and UAX 9.
package func isHidden(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x034E: false
  case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x034F: true
  case 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E: true
  case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
  case 0x3164, 0xFDD0...0xFDEF, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
  case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: true
  // Tags and code points reserved for more of them; the ideographic variation selectors are between the two ranges.
  case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true
  default: scalar.value & 0xFFFE == 0xFFFE
  }
}

/// `text` with each right-to-left run isolated (U+2068 … U+2069), so that neighbouring text keeps its position: otherwise a
/// time after a Hebrew name would be displayed before it. Source: Unicode Standard Annex 9, §2.7.
package func isolated(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isRightToLeft) else { return text }
  let scalars = Array(text.unicodeScalars)
  var result = String.UnicodeScalarView()
  var next = 0
  while next < scalars.count {
    guard isRightToLeft(scalars[next]) else {
      result.append(scalars[next])
      next += 1
      continue
    }
    // The run extends to the last right-to-left letter before a left-to-right one; combining marks stay with their letter.
    var end = next + 1
    for position in end..<max(end, scalars.count) {
      if isRightToLeft(scalars[position]) || (position == end && !scalars[position].properties.isGraphemeBase) {
        end = position + 1
      } else if scalars[position].properties.isAlphabetic {
        break
      }
    }
    result.append("\u{2068}")
    result.append(contentsOf: scalars[next..<end])
    result.append("\u{2069}")
    next = end
  }
  return String(result)
}

/// Whether a scalar is in a block of right-to-left scripts (UAX 9, classes R and AL).
private func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
  default: false
  }
}

/// The terminal columns of `text`: 0 for combining marks, 2 for wide East Asian characters and emoji.
package func columns(of text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  return text.reduce(0) { $0 + columns(of: $1) }
}

private func columns(of character: Character) -> Int {
  guard let scalar = character.unicodeScalars.first else { return 0 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
    return 2
  default: return 1
  }
}

/// `text` in at most `width` columns; a longer one ends in `…`.
package func shortened(_ text: String, to width: Int) -> String {
  guard columns(of: text) > width else { return text }
  guard width > 0 else { return "" }
  var result = ""
  var used = 0
  for character in text {
    let more = columns(of: character)
    guard used + more <= width - 1 else { break }
    result.append(character)
    used += more
  }
  return result + "…"
}
