/// `text` with everything that could move the cursor, change colours or turn the reading direction written out, as
/// `\u{1B}`: names come from other people's files.
package func visible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if isHidden(scalar) {
      result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
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

private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F: true
  // Marks, embeddings, overrides and isolates of the bidirectional algorithm.
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
  // Separators of lines and paragraphs, invisible spaces, tags, noncharacters.
  case 0x2028, 0x2029, 0x200B, 0x2060, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
  default: false
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
