// What is safe to show, once for everybody. Names come from other people's files, and what reads our output obeys them:
// a terminal, a pager, a spreadsheet, whoever reads a log.
//
// - A terminal and a log get `visible`: what could steer them is written out, as `\u{1B}`.
// - A screen that is written line by line gets `shownOnTerminal`, the last gate behind every command.
// - A page, a map and a calendar get `withoutHidden`: written out there, it would only be noise.
// - A command that somebody is told to type gets `shellWord`.
// - JSON gets `escapedInJSON`: the same value in other letters, so that nothing is lost on its way to a program.

/// `text` with everything that could move the cursor, change colours or turn the reading direction written out, as
/// `\u{1B}`: names come from other people's files.
package func visible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  var result = ""
  for scalar in text.unicodeScalars { show(scalar, in: &result) }
  return result
}

/// `text` as a POSIX shell reads it back as one word: `Ann`, `'Ann Lee'`, `'Sean O'\''Brien'`. Names stand like this in
/// commands that we advise.
package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "%+,-./:=@_".utf8.contains(byte)
    }
  }
  guard !isPlain || text.isEmpty else { return text }
  var word = "'"
  // By scalars: a quote with a mark on it is another letter, and a shell reads bytes.
  for scalar in text.unicodeScalars { word += scalar == "'" ? "'\\''" : String(scalar) }
  return word + "'"
}

/// `text` without what `visible` would write out: for pages, where such characters could only do harm. What breaks lines
/// becomes a space.
package func withoutHidden(_ text: String) -> String {
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

/// One line, or several, as a terminal may have them: like `visible`, but for line ends and tabs, for what `isolated` set,
/// and, with `colours`, for the colours that we set ourselves. A carriage return before a line end goes.
package func shownOnTerminal(_ text: String, colours: Bool) -> String {
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

/// JSON with everything hidden that is not ASCII written as `\u202E`: the same value, and nothing that a terminal obeys.
/// The control characters of ASCII can stand in no JSON string as they are; delete can, and is written out, too.
package func escapedInJSON(_ json: [UInt8]) -> [UInt8] {
  guard !isPlainWriting(json.span), json.contains(where: mayLeadToHidden) else { return json }
  var result: [UInt8] = []
  result.reserveCapacity(json.count + 32)
  var rest = json[...]
  // All that lies between two suspects is taken as it is: a page with a photo has millions of letters.
  while let index = rest.firstIndex(where: mayLeadToHidden) {
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

/// Whether text in UTF-8 is such that nothing in it is hidden, or written from right to left, as its bytes alone tell: letters
/// of ASCII and of Europe's Latin scripts, signs and arrows. False says only that it has to be looked at by its characters.
package func isPlainWriting(_ text: String) -> Bool { isPlainWriting(text.utf8Span.span) }

private func isPlainWriting(_ utf8: Span<UInt8>) -> Bool {
  // The letter under way: its first byte, and the second of three.
  var (first, second): (UInt8, UInt8) = (0, 0)
  for place in utf8.indices {
    let byte = utf8[place]
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

/// Whether any of these bytes, of which there are at most four, stands in a text.
package func hasAny(_ bytes: (UInt8, UInt8, UInt8, UInt8), in text: String) -> Bool {
  let utf8 = text.utf8Span.span
  for place in utf8.indices {
    let byte = utf8[place]
    if byte == bytes.0 || byte == bytes.1 || byte == bytes.2 || byte == bytes.3 { return true }
  }
  return false
}

/// Whether a byte of UTF-8 begins or is some character that `isHidden` knows, outside of ASCII's first 127. Most texts of
/// most languages have none of them.
private func mayLeadToHidden(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x7F, 0xC2, 0xCD, 0xD8, 0xE1...0xE3, 0xEF...0xF4: true
  default: false
  }
}

/// `scalar` as it is, or written out where it is hidden.
private func show(_ scalar: Unicode.Scalar, in result: inout String) {
  if isHidden(scalar) {
    result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  } else {
    result.unicodeScalars.append(scalar)
  }
}

/// The last scalar of a colour such as `ESC[31m` that begins at `start`: the only sequences that we ever write.
private func colour(_ scalars: [Unicode.Scalar], at start: Int) -> Int? {
  guard start + 1 < scalars.count, scalars[start + 1] == "[" else { return nil }
  for (place, scalar) in scalars[(start + 2)...].prefix(3).enumerated() {
    if scalar == "m" { return place == 0 ? nil : start + 2 + place }
    guard ("0"..."9").contains(scalar) else { return nil }
  }
  return nil
}

/// The end of an isolate that `isolated` set at `start`: on one line, without another in it. It turns nobody else's text.
private func isolate(_ scalars: [Unicode.Scalar], at start: Int) -> Int? {
  for place in (start + 1)..<max(start + 1, scalars.count) {
    if scalars[place] == "\u{2069}" { return place }
    if isHidden(scalars[place]) { return nil }
  }
  return nil
}

/// Whether a character is not seen itself and may change how others are seen.
///
/// - Control characters of both halves (C0, delete, C1): a terminal obeys them, U+009B like ESC [.
/// - Marks, embeddings, overrides and isolates of the bidirectional algorithm, and separators of lines and paragraphs.
/// - What Unicode calls ignorable by default, such as spaces without a width, fillers and tags, but for the joiners and
///   variation selectors, without which Persian, Indic scripts and emoji fall apart and which steer nothing.
/// - Interlinear annotation and noncharacters.
///
/// What Unicode has not assigned yet and what is for private use is left as it is: tomorrow's letters and an office's own
/// signs are names, too, and no terminal obeys them. Source: Unicode 15, DerivedCoreProperties and UAX 9.
package func isHidden(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x034E: false
  case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x034F: true
  case 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E: true
  case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
  case 0x3164, 0xFDD0...0xFDEF, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
  case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: true
  // Tags, and what is kept for more of them; between them the variation selectors of the ideographs.
  case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true
  default: scalar.value & 0xFFFE == 0xFFFE
  }
}

/// `text` with each stretch of right-to-left writing closed off (U+2068 … U+2069), so that what stands beside it keeps its
/// place: a time after a Hebrew name would otherwise be drawn before it. Source: Unicode Standard Annex 9, §2.7.
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
    // Up to the last such letter before one of the other direction; its marks go with it.
    var end = next + 1
    for place in end..<max(end, scalars.count) {
      if isRightToLeft(scalars[place]) || (place == end && !scalars[place].properties.isGraphemeBase) {
        end = place + 1
      } else if scalars[place].properties.isAlphabetic {
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

/// Letters and marks of the blocks that are written from right to left (UAX 9, classes R and AL).
private func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
  default: false
  }
}

/// Columns that `text` takes on a terminal: none for combining marks, two for wide East Asian letters and emoji.
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

/// `text` in at most `width` columns, its end replaced by `…` where it is longer.
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
