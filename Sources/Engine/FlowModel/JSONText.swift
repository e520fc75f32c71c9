/// A value that can be written as a JSON object.
package protocol JSONWritable {
  /// Writes the members, sorted by the bytes of their keys, so that equal values give equal bytes.
  func members(_ json: inout JSONText)
}

/// A JSON writer with deterministic output: members in the order written, no white space, the shortest escapes. It writes
/// bytes directly without a tree of values, because ten thousand digests are written per second on a shared morning.
package struct JSONText {
  package private(set) var bytes: [UInt8] = []
  /// Whether the innermost object or array already has a member, so that a comma is needed.
  private var needsComma = false

  package init() { bytes.reserveCapacity(2_048) }

  /// Writes an object whose members `members` writes.
  package mutating func object(_ members: (inout JSONText) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  // Generic methods are `@inlinable`, so that they are specialised for each type; dispatch through witness tables doubles the
  // time to write a day of stops.

  @inlinable package mutating func object(_ value: some JSONWritable) {
    begin(UInt8(ascii: "{"))
    value.members(&self)
    end(UInt8(ascii: "}"))
  }

  // MARK: Members; nil ones are left out

  package mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    name(key)
    string(value)
  }

  package mutating func member(_ key: String, _ value: Int?) {
    guard let value else { return }
    name(key)
    bytes.append(contentsOf: String(value).utf8)
  }

  package mutating func member(_ key: String, _ value: Bool?) {
    guard let value else { return }
    name(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes the shortest digits that read back as the same number; writes nothing for values that JSON cannot represent.
  package mutating func member(_ key: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    name(key)
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      bytes.append(contentsOf: String(whole).utf8)
    } else {
      bytes.append(contentsOf: value.description.utf8)
    }
  }

  /// Writes the raw value.
  @inlinable package mutating func member<Word: RawRepresentable>(_ key: String, _ value: Word?)
  where Word.RawValue == String {
    member(key, value?.rawValue)
  }

  package mutating func member(_ key: String, object members: (inout JSONText) -> Void) {
    name(key)
    object(members)
  }

  @inlinable package mutating func member(_ key: String, _ value: (some JSONWritable)?) {
    guard let value else { return }
    name(key)
    object(value)
  }

  @inlinable package mutating func member(_ key: String, _ values: [some JSONWritable]?) {
    guard let values else { return }
    name(key)
    begin(UInt8(ascii: "["))
    for value in values {
      next()
      object(value)
    }
    end(UInt8(ascii: "]"))
  }

  package mutating func member(_ key: String, _ values: [String]) {
    name(key)
    begin(UInt8(ascii: "["))
    for value in values {
      next()
      string(value)
    }
    end(UInt8(ascii: "]"))
  }

  /// Writes `value`, which must be valid JSON, unchanged. Line ends, which can occur only between tokens, become spaces,
  /// because an event is one line.
  package mutating func member(_ key: String, json value: String) {
    name(key)
    let start = bytes.count
    if isPlainScript(value) {
      bytes.append(contentsOf: value.utf8)
    } else {
      bytes.append(contentsOf: escapedInJSON(Array(value.utf8)))
      for position in start..<bytes.count where bytes[position] == 0x0A || bytes[position] == 0x0D {
        bytes[position] = 0x20
      }
    }
  }

  // MARK: Bytes

  /// Begins an object or array.
  @usableFromInline package mutating func begin(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = false
  }

  /// Ends an object or array.
  @usableFromInline package mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// Begins the next element of an array.
  @usableFromInline package mutating func next() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Writes a key with its colon, after a comma if needed.
  @usableFromInline package mutating func name(_ key: String) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    string(key)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a quoted string with the necessary escapes.
  private mutating func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    // Fast path: most strings need no escaping.
    if isPlainScript(value) {
      // In such text, JSON requires escapes only for these two.
      let quote = UInt8(ascii: "\"")
      let slash = UInt8(ascii: "\\")
      if hasAny((quote, slash, quote, slash), in: value) {
        for byte in value.utf8 { escaped(byte) }
      } else {
        bytes.append(contentsOf: value.utf8)
      }
    } else if value.utf8.contains(where: Self.isEscaped) {
      let start = bytes.count
      for byte in value.utf8 { escaped(byte) }
      escapeHidden(from: start)
    } else if value.unicodeScalars.contains(where: isHidden) {
      let start = bytes.count
      bytes.append(contentsOf: value.utf8)
      escapeHidden(from: start)
    } else {
      bytes.append(contentsOf: value.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Replaces characters that a terminal obeys or hides by escapes such as `\u202E`, with the same value, because events are
  /// read on terminals.
  private mutating func escapeHidden(from start: Int) {
    let written = Array(bytes[start...])
    bytes.replaceSubrange(start..., with: escapedInJSON(written))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  /// Writes one byte, escaped if necessary. Source: RFC 8259 §7. Delete (0x7F) is escaped although the RFC does not require
  /// it, because events are read on terminals.
  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0x08: bytes.append(contentsOf: "\\b".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0C: bytes.append(contentsOf: "\\f".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0..<0x20, 0x7F: bytes.append(contentsOf: ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8)
    default: bytes.append(byte)
    }
  }
}
