/// Checks that a text is exactly one JSON object (RFC 8259), by scanning its bytes without decoding values.
struct JSONObjectCheck {
  /// The maximum nesting depth, the same as in FoundationEssentials' JSON decoder.
  private static let deepest = 512

  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  private var depth = 0

  /// Returns whether `text` is one JSON object, with nothing but white space around it.
  static func passes(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var check = JSONObjectCheck(bytes: bytes)
      check.skipSpace()
      guard check.object() else { return false }
      check.skipSpace()
      return check.place == bytes.count
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
  }

  private mutating func object() -> Bool {
    list(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { check in
      guard check.string() else { return false }
      check.skipSpace()
      return check.take(UInt8(ascii: ":")) && check.value()
    }
  }

  /// Parses a comma-separated list of elements between the brackets `first` and `last`.
  private mutating func list(
    from first: UInt8, to last: UInt8, _ element: (inout JSONObjectCheck) -> Bool
  ) -> Bool {
    guard take(first), depth < Self.deepest else { return false }
    depth += 1
    defer { depth -= 1 }
    skipSpace()
    if take(last) { return true }
    while true {
      skipSpace()
      guard element(&self) else { return false }
      skipSpace()
      if take(last) { return true }
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  private mutating func value() -> Bool {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return list(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { $0.value() }
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  /// Consumes exactly the literal `word`, such as `true`.
  private mutating func word(_ word: StaticString) -> Bool {
    for offset in 0..<word.utf8CodeUnitCount where !take(word.utf8Start[offset]) { return false }
    return true
  }

  /// Parses a string literal. A `String` is valid UTF-8 already, so only unescaped control characters are checked.
  private mutating func string() -> Bool {
    guard take(UInt8(ascii: "\"")) else { return false }
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"): if !escape() { return false }
      case 0..<0x20: return false
      default: break
      }
    }
    return false
  }

  /// Parses the part of an escape sequence after its backslash.
  private mutating func escape() -> Bool {
    guard let byte = next else { return false }
    place += 1
    guard byte == UInt8(ascii: "u") else {
      return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "b") || byte == UInt8(ascii: "f") || byte == UInt8(ascii: "n")
        || byte == UInt8(ascii: "r") || byte == UInt8(ascii: "t")
    }
    guard let unit = codeUnit() else { return false }
    // A lone surrogate is invalid: a strict reader would refuse the whole event because of it.
    switch unit {
    case 0xD800..<0xDC00:
      guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let low = codeUnit() else { return false }
      return (0xDC00..<0xE000).contains(low)
    case 0xDC00..<0xE000: return false
    default: return true
    }
  }

  /// Parses the four hexadecimal digits of a `\u` escape; nil if the text has fewer.
  private mutating func codeUnit() -> UInt16? {
    guard place + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[place..<place + 4] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    place += 4
    return unit
  }

  private mutating func number() -> Bool {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")), !digits() { return false }
    if take(UInt8(ascii: ".")), !digits() { return false }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let first = place
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
    return place > first
  }
}
