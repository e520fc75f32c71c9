/// Writes JSON whose bytes depend on nothing but what is written: members in the order given, no white space, and the
/// shortest escapes. An encoder that may order keys anew would break "the same bytes on every attempt".
struct JSONText {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ members: (inout JSONText) -> Void) {
    enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  mutating func member(_ name: String, _ value: String) {
    key(name)
    quoted(value)
    needsComma = true
  }

  mutating func member(_ name: String, _ value: Int64) {
    key(name)
    bytes += Array(String(value).utf8)
    needsComma = true
  }

  mutating func member(_ name: String, _ values: [String]) {
    key(name)
    enclosed(UInt8(ascii: "["), UInt8(ascii: "]")) { list in
      for value in values {
        list.separate()
        list.quoted(value)
        list.needsComma = true
      }
    }
  }

  mutating func member(_ name: String, object members: (inout JSONText) -> Void) {
    key(name)
    object(members)
  }

  /// Embeds what is JSON already. Line ends, which can only stand between its tokens, become spaces: an event is a line.
  mutating func member(_ name: String, json value: String) {
    key(name)
    bytes += value.utf8.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    needsComma = true
  }

  private mutating func enclosed(_ open: UInt8, _ close: UInt8, _ contents: (inout JSONText) -> Void) {
    bytes.append(open)
    needsComma = false
    contents(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func key(_ name: String) {
    separate()
    quoted(name)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func quoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += Array("\\n".utf8)
      case 0x0D: bytes += Array("\\r".utf8)
      case 0x09: bytes += Array("\\t".utf8)
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        bytes += Array("\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
