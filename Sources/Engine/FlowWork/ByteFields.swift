/// Fields of a value as bytes, for the same process: numbers and texts in the order in which they were put. Each text and list
/// has its length before it; the length -1 means nil.
package struct ByteFields {
  package private(set) var bytes: [UInt8]
  private var position = 0

  /// Empty fields, or those to read.
  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  package mutating func put(_ number: Int) {
    for step in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * step))) }
  }

  package mutating func put(_ text: String?) {
    guard let text else { return put(-1) }
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// The next number; nil at the end of the bytes.
  package mutating func number() -> Int? {
    guard bytes.count - position >= 8 else { return nil }
    defer { position += 8 }
    var value: UInt64 = 0
    for step in 0..<8 { value |= UInt64(bytes[position + step]) << (8 * step) }
    return Int(Int64(bitPattern: value))
  }

  /// The length of a list; nil at the end of the bytes or if negative.
  package mutating func length() -> Int? { number().flatMap { $0 < 0 ? nil : $0 } }

  /// The next text; nil for a nil text and at the end of the bytes.
  package mutating func text() -> String? {
    guard let count = number(), count >= 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return String(decoding: bytes[position..<(position + count)], as: UTF8.self)
  }
}
