/// Writes records as the app's JSONEncoder does with `prettyPrinted` and `sortedKeys`.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  /// A record's fields; nil ones are left out.
  typealias Fields = [(key: String, value: JSONValue?)]

  mutating func list(_ records: [Fields]) {
    if records.isEmpty {
      put("[\n\n]")
      return
    }
    put("[\n")
    for (index, fields) in records.enumerated() {
      put("  ")
      object(fields, indentation: "  ")
      put(index + 1 < records.count ? ",\n" : "\n")
    }
    put("]")
  }

  mutating func object(_ fields: Fields, indentation: String = "") {
    put("{\n")
    let present = fields.compactMap { field in field.value.map { (key: field.key, value: $0) } }
    for (index, field) in present.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { put(",\n") }
      put(indentation + "  ")
      text(field.key)
      put(" : ")
      value(field.value, indentation: indentation + "  ")
    }
    put("\n\(indentation)}")
  }

  private mutating func value(_ value: JSONValue, indentation: String) {
    switch value {
    case .null: put("null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .number(let number): put(Self.digits(number))
    case .text(let content): text(content)
    case .object(let object):
      self.object(object.members.map { ($0.key, $0.value) }, indentation: indentation)
    case .list(let values):
      put("[")
      for (index, element) in values.enumerated() {
        if index > 0 { put(",") }
        self.value(element, indentation: indentation)
      }
      put("]")
    }
  }

  /// The shortest digits that read back as the same double; whole numbers without a point.
  static func digits(_ number: Double) -> String {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
    return String(number)
  }

  private mutating func text(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: put("\\n")
      case 0x0D: put("\\r")
      case 0x09: put("\\t")
      case 0..<0x20: put("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
