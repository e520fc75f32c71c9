/// Checks that a text is exactly one JSON object (RFC 8259), by scanning its bytes without decoding values.
struct JSONObjectCheck {
  /// The maximum nesting depth, the same as in FoundationEssentials' JSON decoder.
  private static let maxDepth = 512

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  /// Returns whether `text` is one JSON object, with nothing but white space around it.
  static func passes(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var check = JSONObjectCheck(bytes: bytes)
      check.skipSpace()
      guard check.parseObject() else { return false }
      check.skipSpace()
      return check.position == bytes.count
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var nextByte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard nextByte == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = nextByte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func parseObject() -> Bool {
    parseList(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { check in
      guard check.parseString() else { return false }
      check.skipSpace()
      return check.consume(UInt8(ascii: ":")) && check.parseValue()
    }
  }

  /// Parses a comma-separated list of elements between the brackets `first` and `last`.
  private mutating func parseList(
    from first: UInt8, to last: UInt8, _ element: (inout JSONObjectCheck) -> Bool
  ) -> Bool {
    guard consume(first), depth < Self.maxDepth else { return false }
    depth += 1
    defer { depth -= 1 }
    skipSpace()
    if consume(last) { return true }
    while true {
      skipSpace()
      guard element(&self) else { return false }
      skipSpace()
      if consume(last) { return true }
      guard consume(UInt8(ascii: ",")) else { return false }
    }
  }

  private mutating func parseValue() -> Bool {
    skipSpace()
    switch nextByte {
    case UInt8(ascii: "{"): return parseObject()
    case UInt8(ascii: "["): return parseList(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { $0.parseValue() }
    case UInt8(ascii: "\""): return parseString()
    case UInt8(ascii: "t"): return parseLiteral("true")
    case UInt8(ascii: "f"): return parseLiteral("false")
    case UInt8(ascii: "n"): return parseLiteral("null")
    default: return parseNumber()
    }
  }

  /// Consumes exactly the literal `parseLiteral`, such as `true`.
  private mutating func parseLiteral(_ parseLiteral: StaticString) -> Bool {
    for offset in 0..<parseLiteral.utf8CodeUnitCount where !consume(parseLiteral.utf8Start[offset]) { return false }
    return true
  }

  /// Parses a string literal. A `String` is valid UTF-8 already, so only unescaped control characters are checked.
  private mutating func parseString() -> Bool {
    guard consume(UInt8(ascii: "\"")) else { return false }
    while let byte = nextByte {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"): if !parseEscape() { return false }
      case 0..<0x20: return false
      default: break
      }
    }
    return false
  }

  /// Parses the part of an escape sequence after its backslash.
  private mutating func parseEscape() -> Bool {
    guard let byte = nextByte else { return false }
    position += 1
    guard byte == UInt8(ascii: "u") else {
      return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "b") || byte == UInt8(ascii: "f") || byte == UInt8(ascii: "n")
        || byte == UInt8(ascii: "r") || byte == UInt8(ascii: "t")
    }
    guard let unit = parseCodeUnit() else { return false }
    // A lone surrogate is invalid: a strict reader would refuse the whole event because of it.
    switch unit {
    case 0xD800..<0xDC00:
      guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")), let low = parseCodeUnit() else { return false }
      return (0xDC00..<0xE000).contains(low)
    case 0xDC00..<0xE000: return false
    default: return true
    }
  }

  /// Parses the four hexadecimal digits of a `\u` escape; nil if the text has fewer.
  private mutating func parseCodeUnit() -> UInt16? {
    guard position + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }

  private mutating func parseNumber() -> Bool {
    _ = consume(UInt8(ascii: "-"))
    if !consume(UInt8(ascii: "0")), !parseDigits() { return false }
    if consume(UInt8(ascii: ".")), !parseDigits() { return false }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
      return parseDigits()
    }
    return true
  }

  private mutating func parseDigits() -> Bool {
    let first = position
    while let byte = nextByte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    return position > first
  }
}
