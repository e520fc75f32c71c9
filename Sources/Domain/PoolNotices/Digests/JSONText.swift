/// What can be written as one JSON object.
package protocol JSONWritable {
  /// Its members, in the order of their keys' bytes, so that equal digests are equal bytes.
  func members(_ json: inout JSONText)
}

/// JSON as bytes, put together without a tree of values: a shared morning writes ten thousand digests in a second.
package struct JSONText {
  private var bytes: [UInt8] = []
  /// Whether the innermost object or list has a member already.
  private var goesOn = false

  init() { bytes.reserveCapacity(2_048) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func object(_ value: some JSONWritable) {
    bytes.append(UInt8(ascii: "{"))
    goesOn = false
    value.members(&self)
    bytes.append(UInt8(ascii: "}"))
    goesOn = true
  }

  // MARK: Members; nil ones are left out

  mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    name(key)
    string(value)
  }

  mutating func member(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    name(key)
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func member(_ key: StaticString, _ value: Bool) {
    name(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// The shortest digits that read back as the same number; nothing for what JSON has no number for.
  mutating func member(_ key: StaticString, _ value: Double?) {
    guard let value, value.isFinite else { return }
    name(key)
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      bytes.append(contentsOf: String(whole).utf8)
    } else {
      bytes.append(contentsOf: value.description.utf8)
    }
  }

  mutating func member<Word: RawRepresentable>(_ key: StaticString, _ value: Word?) where Word.RawValue == String {
    member(key, value?.rawValue)
  }

  mutating func member(_ key: StaticString, _ value: (some JSONWritable)?) {
    guard let value else { return }
    name(key)
    object(value)
  }

  mutating func member(_ key: StaticString, _ values: [some JSONWritable]?) {
    guard let values else { return }
    name(key)
    bytes.append(UInt8(ascii: "["))
    for (place, value) in values.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      object(value)
    }
    bytes.append(UInt8(ascii: "]"))
    goesOn = true
  }

  private mutating func name(_ key: StaticString) {
    if goesOn { bytes.append(UInt8(ascii: ",")) }
    goesOn = true
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: key.description.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts have nothing to escape, and are taken over as they are.
    if value.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      for byte in value.utf8 { escaped(byte) }
    } else {
      bytes.append(contentsOf: value.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Source: RFC 8259 §7.
  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0x08: bytes.append(contentsOf: "\\b".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0C: bytes.append(contentsOf: "\\f".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0..<0x20: bytes.append(contentsOf: ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8)
    default: bytes.append(byte)
    }
  }
}
