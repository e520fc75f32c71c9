import FlowModel

/// Detects the encoding of a customers file and converts it to UTF-8.
///
/// Tries in this order: UTF-8 or UTF-16 with a byte order mark, UTF-8, UTF-16 without a mark, Windows-1252 (a superset
/// of printable Latin-1). A decoding that yields U+0000 is rejected. Source: product.md, Customers files, readings
/// R-CSV-1 and R-CSV-2.
package enum CSVText {
  /// The text as UTF-8, without its byte order mark, and the encoding found; nil if no encoding fits.
  package static func decode(_ bytes: [UInt8]) -> (utf8: [UInt8], encoding: CSVEncoding)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]), isText(bytes.span.extracting(3...)) {
      return (Array(bytes[3...]), .utf8WithBOM)
    }
    if bytes.starts(with: [0xFF, 0xFE]), let text = utf16(bytes[2...], isBigEndian: false) {
      return (text, .utf16LittleEndianWithBOM)
    }
    if bytes.starts(with: [0xFE, 0xFF]), let text = utf16(bytes[2...], isBigEndian: true) {
      return (text, .utf16BigEndianWithBOM)
    }
    if isText(bytes.span) { return (bytes, .utf8) }
    // Almost any bytes are valid UTF-16. The evidence for it is zero bytes: the upper halves of ASCII characters.
    var zeros = (even: 0, odd: 0)
    for (index, byte) in bytes.enumerated() where byte == 0 {
      if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
    }
    if zeros.odd > zeros.even, let text = utf16(bytes[...], isBigEndian: false) { return (text, .utf16LittleEndian) }
    if zeros.even > zeros.odd, let text = utf16(bytes[...], isBigEndian: true) { return (text, .utf16BigEndian) }
    guard zeros == (0, 0), Windows1252.isLikely(bytes) else { return nil }
    let isLatin1 = !bytes.contains { (0x80...0x9F).contains($0) }
    return (bytes.flatMap { Windows1252.utf8(of: $0) }, isLatin1 ? .latin1 : .windows1252)
  }

  /// True for valid UTF-8 without U+0000.
  private static func isText(_ bytes: Span<UInt8>) -> Bool {
    var least = UInt8.max
    for index in bytes.indices { least = min(least, bytes[index]) }
    return least > 0 && (try? UTF8Span(validating: bytes)) != nil
  }

  /// Converts UTF-16 to UTF-8; nil for an odd number of bytes, an unpaired surrogate or U+0000.
  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard !units.contains(0), let text = String(validating: units, as: UTF16.self) else { return nil }
    return Array(text.utf8)
  }
}
