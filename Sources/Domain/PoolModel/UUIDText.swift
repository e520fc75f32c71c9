package import FoundationEssentials

/// UUIDs and their 36 characters.
///
/// Foundation reads and writes them through sscanf and printf: a fifth of the time an archive or a large import takes, and
/// ` 1` or `+1` pass for hexadecimal digits.
package enum UUIDText {
  /// - Returns: nil unless `text` is 8-4-4-4-12 hexadecimal digits, in any case.
  package static func uuid(_ text: String) -> UUID? {
    guard text.utf8.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    var index = 0
    for byte in text.utf8 {
      defer { index += 1 }
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case 48...57: digit = byte - 48
      case 65...70: digit = byte - 55
      case 97...102: digit = byte - 87
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    return uuid(high: high, low: low)
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
    var text: [UInt8] = []
    text.reserveCapacity(36)
    append(uuid, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Puts the 36 characters after what is there.
  package static func append(_ uuid: UUID, to text: inout [UInt8]) {
    let u = uuid.uuid
    put(&text, u.0, u.1, u.2, u.3)
    text.append(UInt8(ascii: "-"))
    put(&text, u.4, u.5)
    text.append(UInt8(ascii: "-"))
    put(&text, u.6, u.7)
    text.append(UInt8(ascii: "-"))
    put(&text, u.8, u.9)
    text.append(UInt8(ascii: "-"))
    put(&text, u.10, u.11, u.12, u.13)
    put(&text, u.14, u.15)
  }

  private static func put(_ text: inout [UInt8], _ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
    put(&text, a, b)
    put(&text, c, d)
  }

  private static func put(_ text: inout [UInt8], _ a: UInt8, _ b: UInt8) {
    text.append(digit(a >> 4))
    text.append(digit(a & 15))
    text.append(digit(b >> 4))
    text.append(digit(b & 15))
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }
}
