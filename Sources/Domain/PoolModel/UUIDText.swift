package import FoundationEssentials

/// UUIDs and their 36 characters.
///
/// Foundation reads and writes them through sscanf and printf: a fifth of the time an archive or a large import takes, and
/// ` 1` or `+1` pass for hexadecimal digits.
package enum UUIDText {
  /// Of the text's form: groups of 8, 4, 4, 4 and 12 digits.
  package static let length = 36

  /// - Returns: nil unless `text` is 8-4-4-4-12 hexadecimal digits, in any case.
  package static func uuid(_ text: String) -> UUID? { uuid(text.utf8.span) }

  /// The same of UTF-8.
  package static func uuid(_ text: Span<UInt8>) -> UUID? {
    guard text.count == length else { return nil }
    var isFine = true
    /// The digits of a stretch as a number; without a branch, as no guess about digits at random comes true.
    func number(_ digits: Range<Int>) -> UInt64 {
      var number: UInt64 = 0
      for index in digits {
        let byte = text[index]
        isFine = isFine && (byte &- 48 < 10 || (byte | 0x20) &- 97 < 6)
        number = number << 4 | UInt64((byte & 15) &+ (byte >> 6) &* 9)
      }
      return number
    }
    let high = number(0..<8) << 32 | number(9..<13) << 16 | number(14..<18)
    let low = number(19..<23) << 48 | number(24..<36)
    // All four are alike, and a hyphen.
    let signs = (text[8] ^ text[13]) | (text[8] ^ text[18]) | (text[8] ^ text[23])
    isFine = isFine && signs == 0 && text[8] == UInt8(ascii: "-")
    return isFine ? uuid(high: high, low: low) : nil
  }

  /// The UUID whose first eight bytes are `high` and whose last are `low`.
  package static func uuid(high: UInt64, low: UInt64) -> UUID {
    func part(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - index * 8)) }
    return UUID(
      uuid: (
        part(high, 0), part(high, 1), part(high, 2), part(high, 3), part(high, 4), part(high, 5), part(high, 6),
        part(high, 7), part(low, 0), part(low, 1), part(low, 2), part(low, 3), part(low, 4), part(low, 5),
        part(low, 6), part(low, 7)
      ))
  }

  /// In upper case, as the app writes it.
  package static func text(_ uuid: UUID) -> String {
    String(decoding: [UInt8](capacity: length) { append(uuid, to: &$0) }, as: UTF8.self)
  }

  /// Puts the 36 characters after what is there.
  package static func append(_ uuid: UUID, to text: inout [UInt8]) {
    text.append(addingCapacity: length) { append(uuid, to: &$0) }
  }

  /// The same; there must be room.
  package static func append(_ uuid: UUID, to text: inout OutputSpan<UInt8>) {
    let u = uuid.uuid
    let bytes: InlineArray<16, UInt8> = [
      u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
    ]
    for index in bytes.indices {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digit(bytes[index] >> 4))
      text.append(digit(bytes[index] & 15))
    }
  }

  /// 0 to 9 and A to F, seven characters further.
  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 { 48 &+ value &+ (value > 9 ? 7 : 0) }
}
