/// Writes records as the app's JSONEncoder does with `prettyPrinted` and `sortedKeys`.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  /// A record's fields; nil ones are left out.
  typealias Fields = [(key: String, value: JSONValue?)]

  /// The order of a kind of record's fields, and what is written before each value: worked out once a list.
  private struct Shape {
    let order: [Int]
    let openings: [[UInt8]]

    init(_ fields: Fields, indentation: String) {
      order = fields.indices.sorted { fields[$0].key < fields[$1].key }
      openings = order.map { place in
        var writer = JSONWriter()
        writer.put(indentation + "  ")
        writer.text(fields[place].key)
        writer.put(" : ")
        return writer.bytes
      }
    }
  }

  /// - Parameter fields: of one record; the same keys in the same order for each.
  mutating func list<Record>(_ records: [Record], _ fields: (Record) -> Fields) {
    guard let first = records.first else {
      put("[\n\n]")
      return
    }
    let shape = Shape(fields(first), indentation: "  ")
    put("[\n")
    for (index, record) in records.enumerated() {
      put("  ")
      object(fields(record), shape, indentation: "  ")
      put(index + 1 < records.count ? ",\n" : "\n")
    }
    put("]")
  }

  mutating func object(_ fields: Fields, indentation: String = "") {
    object(fields, Shape(fields, indentation: indentation), indentation: indentation)
  }

  private mutating func object(_ fields: Fields, _ shape: Shape, indentation: String) {
    put("{\n")
    var isFirst = true
    for (place, opening) in zip(shape.order, shape.openings) {
      guard let content = fields[place].value else { continue }
      if !isFirst { put(",\n") }
      isFirst = false
      bytes.append(contentsOf: opening)
      value(content, indentation: indentation)
    }
    put("\n")
    put(indentation)
    put("}")
  }

  private mutating func value(_ value: JSONValue, indentation: String) {
    switch value {
    case .null: put("null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .number(let number): put(Self.digits(number))
    case .text(let content): text(content)
    case .object(let object):
      self.object(object.members.map { ($0.key, $0.value) }, indentation: indentation + "  ")
    case .list(let values):
      put("[")
      for (index, element) in values.enumerated() {
        if index > 0 { put(",") }
        self.value(element, indentation: indentation + "  ")
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
    // Most texts have nothing to escape, and are taken over as they are.
    if text.utf8.contains(where: Self.isEscaped) { escaped(text) } else { bytes.append(contentsOf: text.utf8) }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
  }

  private mutating func escaped(_ text: String) {
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
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
