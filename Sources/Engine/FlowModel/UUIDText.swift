package import FoundationEssentials

/// Parses and formats UUIDs as 36 characters.
///
/// Foundation uses sscanf and printf, which take a fifth of the time of an archive or large import and accept ` 1` or `+1` as
/// hexadecimal digits.
package enum UUIDText {
  /// Characters in the form 8-4-4-4-12.
  package static let length = 36

  /// - Returns: nil unless `text` is 8-4-4-4-12 hexadecimal digits, in upper or lower case.
  package static func uuid(_ text: String) -> UUID? { uuid(text.utf8.span) }

  /// - Returns: nil unless the UTF-8 text is 8-4-4-4-12 hexadecimal digits, in upper or lower case.
  package static func uuid(_ text: Span<UInt8>) -> UUID? {
    guard text.count == length else { return nil }
    // All four separators are equal and a hyphen.
    let signs = (text[8] ^ text[13]) | (text[8] ^ text[18]) | (text[8] ^ text[23])
    guard signs == 0, text[8] == UInt8(ascii: "-"), let first = number(digits(text, 0, 4)),
      let second = number(digits(text, 9, 14)), let third = number(digits(text, 19, 24)),
      let fourth = number(digits(text, 28, 32))
    else { return nil }
    return uuid(high: first << 32 | second, low: third << 32 | fourth)
  }

  /// Four characters from index `first` and four from index `second`, the first character in the highest byte.
  @inline(__always)
  private static func digits(_ text: Span<UInt8>, _ first: Int, _ second: Int) -> UInt64 {
    func fourDigits(_ position: Int) -> UInt64 {
      let high = UInt64(text[position]) << 24 | UInt64(text[position + 1]) << 16
      return high | UInt64(text[position + 2]) << 8 | UInt64(text[position + 3])
    }
    return fourDigits(first) << 32 | fourDigits(second)
  }

  /// The value of eight hexadecimal digits, checked in parallel in one word; nil if any is not a digit.
  @inline(__always)
  private static func number(_ digits: UInt64) -> UInt64? {
    func repeatedByte(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
    let (sevenBits, highest) = (digits & repeatedByte(0x7F), repeatedByte(0x80))
    // If a byte is at least X, adding 128 - X sets its highest bit.
    let isDigit = (sevenBits + repeatedByte(128 - 0x30)) & ~(sevenBits + repeatedByte(128 - 0x3A))
    let small = sevenBits | repeatedByte(0x20)
    let isLetter = (small + repeatedByte(128 - 0x61)) & ~(small + repeatedByte(128 - 0x67))
    guard (isDigit | isLetter) & ~digits & highest == highest else { return nil }
    var number = (digits & repeatedByte(0x0F)) + (digits >> 6 & repeatedByte(1)) * 9
    number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
    number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
    return (number | number >> 16) & 0xFFFF_FFFF
  }

  /// The UUID with the first eight bytes `high` and the last eight `low`.
  package static func uuid(high: UInt64, low: UInt64) -> UUID {
    func part(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - index * 8)) }
    return UUID(
      uuid: (
        part(high, 0), part(high, 1), part(high, 2), part(high, 3), part(high, 4), part(high, 5), part(high, 6),
        part(high, 7), part(low, 0), part(low, 1), part(low, 2), part(low, 3), part(low, 4), part(low, 5),
        part(low, 6), part(low, 7)
      ))
  }

  /// The UUID in upper case, as the app writes it.
  package static func text(_ uuid: UUID) -> String {
    String(decoding: [UInt8](capacity: length) { append(uuid, to: &$0) }, as: UTF8.self)
  }

  /// Appends the 36 characters.
  package static func append(_ uuid: UUID, to text: inout [UInt8]) {
    text.append(addingCapacity: length) { append(uuid, to: &$0) }
  }

  /// Appends the 36 characters; the span must have capacity for them.
  package static func append(_ uuid: UUID, to text: inout OutputSpan<UInt8>) {
    let parts = parts(of: uuid)
    func put(_ word: UInt64) {
      for position in 0..<8 as Range<UInt64> { text.append(UInt8(truncatingIfNeeded: word >> (56 - position * 8))) }
    }
    put(parts.0)
    put(parts.1)
    put(parts.2)
    put(parts.3)
    for position in 0..<4 as Range<UInt32> { text.append(UInt8(truncatingIfNeeded: parts.4 >> (24 - position * 8))) }
  }

  /// The 36 characters in four words of eight and one of four, the first character in the highest byte.
  package static func parts(of uuid: UUID) -> (UInt64, UInt64, UInt64, UInt64, UInt32) {
    let (first, second, third, fourth) = digits(of: uuid)
    let hyphen = UInt64(UInt8(ascii: "-"))
    return (
      first, hyphen << 56 | (second >> 32) << 24 | hyphen << 16 | second >> 16 & 0xFFFF,
      second << 48 | hyphen << 40 | (third >> 32) << 8 | hyphen, third << 32 | fourth >> 32,
      UInt32(truncatingIfNeeded: fourth)
    )
  }

  /// The 32 digits in four words, the first digit in the highest byte.
  private static func digits(of uuid: UUID) -> (UInt64, UInt64, UInt64, UInt64) {
    let u = uuid.uuid
    return (
      digits(u.0, u.1, u.2, u.3), digits(u.4, u.5, u.6, u.7), digits(u.8, u.9, u.10, u.11),
      digits(u.12, u.13, u.14, u.15)
    )
  }

  /// The eight hexadecimal digits of four bytes, the first in the highest byte.
  @inline(__always)
  private static func digits(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> UInt64 {
    var digits = UInt64(first) << 24 | UInt64(second) << 16 | UInt64(third) << 8 | UInt64(fourth)
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    // Digits are 0 to 9, and A to F follow seven characters later: adding 6 sets bit 4 of a byte for the letters.
    let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits + 0x3030_3030_3030_3030 + letters * 7
  }
}
