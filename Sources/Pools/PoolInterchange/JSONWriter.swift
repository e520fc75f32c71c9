import FlowModel
import FoundationEssentials

/// Writes records in the format of the app's JSONEncoder with `prettyPrinted` and `sortedKeys`.
///
/// The caller writes the fields one by one in alphabetical order, straight into bytes. Speed matters: the nightly
/// backup writes every record of every team.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var depth = 0
  /// The bytes before each value of a list's records (separator, indentation, key), reused because all records have the
  /// same fields.
  private var openings: [[UInt8]] = []
  /// The index of the record's next field; nil outside of lists.
  private var position: Int?
  /// True if the open object has no field yet.
  private var isEmpty = true

  /// Writes a list of records as the whole text.
  ///
  /// - Parameter fields: writes the fields of a record, sorted by key; it must use the same keys in the same order for
  ///   each record.
  mutating func list<Record>(_ records: [Record], _ fields: (Record, inout JSONWriter) -> Void) {
    guard !records.isEmpty else {
      put("[\n\n]")
      return
    }
    put("[\n")
    depth = 1
    for (index, record) in records.enumerated() {
      // The first record's length estimates the others; growing step by step would copy megabytes several times. The
      // estimate is capped at 8 MiB, in case the first record is much longer than the others.
      if index == 1 { bytes.reserveCapacity(min(bytes.count * records.count * 9 / 8, 8 << 20)) }
      if index > 0 { put(",\n") }
      put("  ")
      position = 0
      object { fields(record, &$0) }
    }
    put("\n]")
  }

  /// Writes an object.
  ///
  /// - Parameter fields: writes the object's fields, sorted by key.
  mutating func object(_ fields: (inout JSONWriter) -> Void) {
    put("{\n")
    depth += 1
    isEmpty = true
    fields(&self)
    depth -= 1
    isEmpty = false
    put("\n")
    indent()
    put("}")
  }

  // MARK: Fields

  mutating func object(_ key: String, _ fields: (inout JSONWriter) -> Void) {
    guard begin(key) else { return }
    object(fields)
  }

  // Fields with nil are omitted.

  mutating func text(_ key: String, _ value: String?) {
    guard begin(key, unless: value == nil), let value else { return }
    text(value)
  }

  mutating func number(_ key: String, _ value: Double?) {
    guard begin(key, unless: value == nil), let value else { return }
    put(Self.digits(value))
  }

  mutating func number(_ key: String, _ value: Int) { number(key, Double(value)) }

  mutating func id(_ key: String, _ value: UUID?) {
    guard begin(key, unless: value == nil), let value else { return }
    bytes.append(UInt8(ascii: "\""))
    UUIDText.append(value, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes whole seconds, because the app's decoder refuses fractions.
  mutating func instant(_ key: String, _ value: Timestamp?) {
    guard begin(key, unless: value == nil), let value else { return }
    text(Timestamp(seconds: value.seconds).description)
  }

  /// Writes the separator, indentation and key before a value.
  ///
  /// - Returns: false, having written nothing, if the value is nil.
  private mutating func begin(_ key: String, unless isNil: Bool = false) -> Bool {
    if let position {
      if position == openings.count { openings.append(opening(key)) }
      self.position = position + 1
      if isNil { return false }
      bytes.append(contentsOf: openings[position][(isEmpty ? 2 : 0)...])
    } else {
      if isNil { return false }
      bytes.append(contentsOf: opening(key)[(isEmpty ? 2 : 0)...])
    }
    isEmpty = false
    return true
  }

  /// A comma, a line break, the indentation and the key.
  private func opening(_ key: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.put(",\n")
    writer.depth = depth
    writer.indent()
    writer.text(key)
    writer.put(" : ")
    return writer.bytes
  }

  private mutating func indent() {
    for _ in 0..<depth { put("  ") }
  }

  // MARK: Values

  /// The shortest digits that read back as the same double; whole numbers without a point. JSON cannot express NaN or
  /// infinities, so the nearest finite number is written.
  static func digits(_ number: Double) -> String {
    let number = finite(number)
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
    return String(number)
  }

  private mutating func text(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    // Fast path: most strings need no escapes and are copied unchanged.
    put(text)
    for position in start..<bytes.count where Self.isEscaped(bytes[position]) {
      bytes.removeLast(bytes.count - start)
      escaped(text)
      break
    }
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
