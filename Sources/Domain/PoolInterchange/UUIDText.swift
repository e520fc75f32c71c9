import FoundationEssentials

/// UUIDs and their 36 characters.
///
/// Foundation reads and writes them through sscanf and printf: a fifth of the time an archive takes, and ` 1` or `+1` pass
/// for hexadecimal digits.
enum UUIDText {
  /// - Returns: nil unless `text` is 8-4-4-4-12 hexadecimal digits, in any case.
  static func uuid(_ text: String) -> UUID? {
    guard text.utf8.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, byte) in text.utf8.enumerated() {
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
    func part(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - index * 8)) }
    return UUID(
      uuid: (
        part(high, 0), part(high, 1), part(high, 2), part(high, 3), part(high, 4), part(high, 5), part(high, 6),
        part(high, 7), part(low, 0), part(low, 1), part(low, 2), part(low, 3), part(low, 4), part(low, 5),
        part(low, 6), part(low, 7)
      ))
  }

  /// In upper case, as the app writes it.
  static func text(_ uuid: UUID) -> String {
    let bytes = uuid.uuid
    let list = [
      bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9, bytes.10, bytes.11,
      bytes.12, bytes.13, bytes.14, bytes.15,
    ]
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in list.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 48 + digit : 55 + digit) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
