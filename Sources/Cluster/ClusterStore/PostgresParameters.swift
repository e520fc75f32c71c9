import FlowStore

/// Type ids that are the same on every PostgreSQL server (`pg_type.dat`).
enum PostgresType {
  static let (boolean, int8, int2, int4, text): (UInt32, UInt32, UInt32, UInt32, UInt32) = (16, 20, 21, 23, 25)
  static let (int8s, texts): (UInt32, UInt32) = (1_016, 1_009)
  static let (float4, float8, numeric): (UInt32, UInt32, UInt32) = (700, 701, 1_700)

  static func of(_ kind: SQLKind) -> UInt32 {
    switch kind {
    case .integer: int8
    case .real: float8
    case .text: text
    }
  }
}

/// Parameter values in PostgreSQL's binary format, with their types. The types are sent because the server cannot infer them
/// in expressions such as `$1 IS NULL OR …`.
final class PostgresParameters: ServerParameters {
  private(set) var types: [UInt32] = []
  private var lengths: [Int32] = []
  /// Offset of each value in `bytes`; negative for NULL.
  private var places: [Int] = []
  /// The first byte is unused, so that an empty text has an address too.
  private var bytes: [UInt8] = [0]

  var count: Int { types.count }

  func removeAll() {
    types.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    bytes.append(0)
  }

  private func begin(_ type: UInt32, length: Int) {
    types.append(type)
    lengths.append(Int32(truncatingIfNeeded: length))
    places.append(bytes.count)
  }

  func append(_ number: Int64) {
    begin(PostgresType.int8, length: 8)
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  func append(_ number: Double) {
    begin(PostgresType.float8, length: 8)
    withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
  }

  func append(_ text: String) {
    begin(PostgresType.text, length: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  func append(_ count: Int, write: (UnsafeMutableRawBufferPointer) -> Void) {
    begin(PostgresType.text, length: count)
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: count))
    bytes.withUnsafeMutableBytes { write(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
  }

  func appendNull(_ kind: SQLKind) {
    types.append(PostgresType.of(kind))
    lengths.append(0)
    places.append(-1)
  }

  func append(_ numbers: [Int64?]) {
    append(PostgresType.int8s, of: PostgresType.int8, numbers) { number, bytes in
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }

  func append(_ texts: [String?]) {
    append(PostgresType.texts, of: PostgresType.text, texts) { $1.append(contentsOf: $0.utf8) }
  }

  /// Appends an array in binary format: dimensions, NULL flag, element type, length, lower bound 1; then each element with its
  /// length.
  private func append<Element>(
    _ type: UInt32, of element: UInt32, _ list: [Element?], write: (Element, inout [UInt8]) -> Void
  ) {
    let start = bytes.count
    begin(type, length: 0)
    let hasNull = list.contains { $0 == nil }
    let head =
      list.isEmpty ? [0, 0, element] : [1, hasNull ? 1 : 0, element, UInt32(truncatingIfNeeded: list.count), 1]
    for word in head { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }
    for value in list {
      let place = bytes.count
      bytes.append(contentsOf: repeatElement(0xff, count: 4))
      guard let value else { continue }
      write(value, &bytes)
      let length = UInt32(truncatingIfNeeded: bytes.count - place - 4)
      withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
    }
    lengths[lengths.count - 1] = Int32(truncatingIfNeeded: bytes.count - start)
  }

  /// Passes the values to `body` as libpq takes them: addresses, valid only during the call, lengths, and binary format flags.
  func withPointers<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
  ) -> Value {
    bytes.withUnsafeBytes { bytes in
      let values = places.map { place in
        place < 0 ? nil : bytes.baseAddress?.advanced(by: place).assumingMemoryBound(to: CChar.self)
      }
      let formats = [Int32](repeating: 1, count: count)
      return values.withUnsafeBufferPointer { values in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { body(values.baseAddress, lengths.baseAddress, $0.baseAddress) }
        }
      }
    }
  }

  /// All values except the first, as a part of a dictionary key.
  struct OtherValues: Hashable {
    fileprivate let types: ArraySlice<UInt32>
    fileprivate let lengths: ArraySlice<Int32>
    fileprivate let areNull: [Bool]
    fileprivate let bytes: ArraySlice<UInt8>
  }

  /// The first value and the other values; nil if the first is no integer.
  var split: (first: Int64, others: OtherValues)? {
    guard types.first == PostgresType.int8, let place = places.first, place >= 0 else { return nil }
    let first = bytes.withUnsafeBytes { Int64(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: Int64.self)) }
    return (
      first,
      OtherValues(
        types: types.dropFirst(), lengths: lengths.dropFirst(), areNull: places.dropFirst().map { $0 < 0 },
        bytes: bytes[(place + 8)...])
    )
  }

  /// The same values with an array instead of the first value.
  func with(first numbers: [Int64]) -> PostgresParameters {
    let made = PostgresParameters()
    made.append(numbers)
    for index in types.indices.dropFirst() {
      made.types.append(types[index])
      made.lengths.append(lengths[index])
      made.places.append(places[index] < 0 ? -1 : made.bytes.count)
      if places[index] >= 0 { made.bytes += bytes[places[index]..<places[index] + Int(lengths[index])] }
    }
    return made
  }

  /// Appends the values as a row of a binary COPY.
  func appendRow(to copy: inout [UInt8]) {
    withUnsafeBytes(of: Int16(truncatingIfNeeded: count).bigEndian) { copy.append(contentsOf: $0) }
    for index in 0..<count {
      let length: Int32 = places[index] < 0 ? -1 : lengths[index]
      withUnsafeBytes(of: length.bigEndian) { copy.append(contentsOf: $0) }
      if length > 0 { copy.append(contentsOf: bytes[places[index]..<places[index] + Int(length)]) }
    }
  }
}
