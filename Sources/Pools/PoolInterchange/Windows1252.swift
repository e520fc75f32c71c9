/// The encoding of Excel's "CSV (Comma delimited)" on Windows. Below 0x80 and from 0xA0 on it equals Latin-1. Source:
/// WHATWG Encoding, windows-1252, which that standard also uses for the label `latin1`.
enum Windows1252 {
  /// The Unicode scalars of 0x80 to 0x9F; 0 for undefined bytes.
  private static let upper: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
  ]

  /// The UTF-8 bytes of a Windows-1252 byte.
  static func utf8(of byte: UInt8) -> [UInt8] {
    guard byte >= 0x80 else { return [byte] }
    let value = byte < 0xA0 ? upper[Int(byte) - 0x80] : UInt32(byte)
    return Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
  }

  /// True if bytes that are not UTF-8 are more likely Windows-1252 than a Macintosh or DOS encoding.
  ///
  /// Accented letters of those encodings are symbols or capitals in Windows-1252, and these do not occur inside words:
  /// the José of a Mac file reads `JosŽ`. Each byte from 0x80 on adds evidence for or against; an undefined byte
  /// decides against.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    func byte(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x20 }
    var score = 0
    for (index, one) in bytes.enumerated() where one >= 0x80 {
      if one < 0xA0, upper[Int(one) - 0x80] == 0 { return false }
      score += weight(
        of: one,
        NeighbourBytes(far: byte(index - 2), before: byte(index - 1), after: byte(index + 1), next: byte(index + 2)))
    }
    return score >= 0
  }

  /// The two bytes before and the two bytes after a byte.
  private struct NeighbourBytes {
    let far: UInt8
    let before: UInt8
    let after: UInt8
    let next: UInt8

    var isWord: Bool { isLetter(before) && isLetter(after) }
    var touchesWord: Bool { isLetter(before) || isLetter(after) }
    /// True if the letter before begins its word, or the letter after ends its word.
    var isAlone: Bool { (!isLetter(far) && !isLower(before)) || !isLetter(next) }
  }

  /// The evidence of one byte: above 0 if it makes sense here in Windows-1252, below 0 if it only makes sense in
  /// another encoding.
  private static func weight(of byte: UInt8, _ position: NeighbourBytes) -> Int {
    let (before, after) = (position.before, position.after)
    switch byte {
    // à to ÿ, and ß.
    case 0xDF...0xF6, 0xF8...0xFF: return isLower(before) || isLower(after) ? 3 : 0
    // À to Þ begin a word or are among capitals.
    case 0xC0...0xD6, 0xD8...0xDE: return isLower(before) ? -3 : isLetter(after) ? 1 : 0
    // Š, Œ, Ž and Ÿ also begin a word or are among capitals.
    case 0x8A, 0x8C, 0x8E, 0x9F: return isLower(before) || (isLetter(before) && isLower(after)) ? -3 : 0
    // š and ž are rare; the same bytes are ö and û in Mac Roman.
    case 0x9A, 0x9E: return position.touchesWord ? -1 : 0
    // œ is followed by u or i; the same byte is ú in Mac Roman, which may be followed by any letter.
    case 0x9C: return after == UInt8(ascii: "u") || after == UInt8(ascii: "i") ? 1 : -1
    case 0x92: return apostrophe(position)
    // The euro sign is beside a number.
    case 0x80: return isDigit(before) || isDigit(after) || after == 0x20 ? 2 : isLetter(after) ? -2 : 0
    // Dashes are between spaces or numbers; inside words these bytes are the ñ and ó of Mac Roman: `Pe–a`, `L—pez`.
    case 0x96: return position.isWord ? (isVowel(before) && isVowel(after) ? -2 : 0) : 2
    case 0x97: return position.isWord ? (position.isAlone ? -2 : 0) : 2
    // Quotation marks are at the ends of words.
    case 0x82, 0x84, 0x91, 0x93: return isLetter(before) ? -3 : 1
    case 0x94: return position.isWord ? -3 : 1
    case 0x85, 0x95, 0xA0, 0xAD, 0xB7: return position.isWord ? -2 : 0
    // Degree sign, ordinals and superscript digits.
    case 0xAA, 0xB0, 0xB2, 0xB3, 0xB9, 0xBA: return 0
    // Daggers, currency signs, section signs and the like do not occur in words.
    default: return position.touchesWord ? -3 : 0
    }
  }

  /// The evidence of 0x92: an apostrophe as in O’Brien, don’t and l’eau, or the í of Mac Roman, which reads `Garc’a`.
  private static func apostrophe(_ position: NeighbourBytes) -> Int {
    guard position.isWord else { return 0 }
    guard isLower(position.after) else { return 2 }
    guard isLower(position.before) else { return 0 }
    let isContraction = "stdmlrv".utf8.contains(position.after)
    let isElision = !isLetter(position.far) || position.before == UInt8(ascii: "u")
    return isContraction || isElision ? 1 : -2
  }
}

private func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
private func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isVowel(_ byte: UInt8) -> Bool { "aeiou".utf8.contains(byte) }
