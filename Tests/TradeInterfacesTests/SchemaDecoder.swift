import FlowControl
import FlowWire

/// Decodes a value of any type from a description instead of data, and records each mismatch: a field that only one side has, a
/// different type, a field that only one side marks optional.
final class SchemaDecoder: Decoder {
  final class Log {
    var complaints: [String] = []
    /// The described fields and the decoded fields, with their paths.
    fileprivate var described: Set<String> = []
    fileprivate var asked: Set<String> = []

    /// Fields that decoding did not request are unknown to Swift.
    var unknown: [String] { described.subtracting(asked).sorted().map { "\($0): described, unknown to Swift" } }
  }

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let log: Log
  private let kind: InterfaceGrammar.Kind
  private let grammar: InterfaceGrammar
  fileprivate let place: String

  init(_ kind: InterfaceGrammar.Kind, _ grammar: InterfaceGrammar, at place: String, log: Log = Log()) {
    if case .named(let name) = kind {
      self.kind = grammar.type(named: name) ?? .object
      if grammar.type(named: name) == nil { log.complaints.append("\(place): no type \(name)") }
    } else {
      self.kind = kind
    }
    self.grammar = grammar
    self.place = place
    self.log = log
  }

  func inside(_ kind: InterfaceGrammar.Kind, _ name: String) -> SchemaDecoder {
    SchemaDecoder(kind, grammar, at: "\(place).\(name)", log: log)
  }

  func expect(_ wanted: InterfaceGrammar.Kind) {
    if kind != wanted { log.complaints.append("\(place): \(kind) is described, \(wanted) is decoded") }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .fields(let fields) = kind else {
      log.complaints.append("\(place): \(kind) is described, fields are decoded")
      return KeyedDecodingContainer(SchemaFields<Key>(decoder: self, fields: []))
    }
    log.described.formUnion(fields.map { "\(place).\($0.name)" })
    return KeyedDecodingContainer(SchemaFields<Key>(decoder: self, fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let element) = kind else {
      log.complaints.append("\(place): \(kind) is described, an array is decoded")
      return SchemaElement(decoder: inside(.object, "[]"))
    }
    return SchemaElement(decoder: inside(element, "[]"))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { SchemaValue(decoder: self) }

  /// A keyword that the description allows, or any text.
  var word: String {
    if case .words(let words) = kind { return words.first ?? "" }
    expect(.string)
    return "text"
  }

  /// Swift's enum values must equal the description's.
  func check<T>(_ type: T.Type) {
    guard let cases = type as? any CaseIterable.Type else { return }
    let words = Self.words(cases)
    if kind != .words(words) { log.complaints.append("\(place): \(kind) is described, \(words) are decoded") }
  }

  private static func words<C: CaseIterable>(_ type: C.Type) -> [String] { type.allCases.map { "\($0)" } }
}

private struct SchemaFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SchemaDecoder
  let fields: [InterfaceGrammar.Field]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.name) } }

  private func value(_ key: Key, isOptional: Bool) -> SchemaDecoder {
    let name = key.stringValue
    decoder.log.asked.insert("\(decoder.place).\(name)")
    guard let field = fields.first(where: { $0.name == name }) else {
      decoder.log.complaints.append("\(name): decoded, not described")
      return decoder.inside(.object, name)
    }
    guard case .optional(let kind) = field.kind else {
      if isOptional { decoder.log.complaints.append("\(name): optional in Swift only") }
      return decoder.inside(field.kind, name)
    }
    if !isOptional { decoder.log.complaints.append("\(name): optional in the description only") }
    return decoder.inside(kind, name)
  }

  private func decode<T: Decodable>(_ type: T.Type, _ decoder: SchemaDecoder) throws -> T {
    decoder.check(type)
    return try T(from: decoder)
  }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decode(type, value(key, isOptional: false))
  }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try decode(type, value(key, isOptional: true))
  }
  // The standard library has special overloads for these types.
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { value(key, isOptional: true).word }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decode(type, value(key, isOptional: true))
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try decode(type, value(key, isOptional: true))
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try decode(type, value(key, isOptional: true))
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decode(type, value(key, isOptional: true))
  }

  func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: Key) throws -> KeyedDecodingContainer<N> {
    try value(key, isOptional: false).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key, isOptional: false).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

/// An array of one element.
private struct SchemaElement: UnkeyedDecodingContainer {
  let decoder: SchemaDecoder
  var codingPath: [any CodingKey] { [] }
  let count: Int? = 1
  private(set) var currentIndex = 0
  var isAtEnd: Bool { currentIndex > 0 }

  init(decoder: SchemaDecoder) { self.decoder = decoder }

  mutating func decodeNil() throws -> Bool { false }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    currentIndex += 1
    decoder.check(type)
    return try T(from: decoder)
  }
  mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) throws -> KeyedDecodingContainer<N> {
    currentIndex += 1
    return try decoder.container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    currentIndex += 1
    return try decoder.unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { decoder }
}

private struct SchemaValue: SingleValueDecodingContainer {
  let decoder: SchemaDecoder
  var codingPath: [any CodingKey] { [] }

  private func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
    decoder.expect(.int)
    return 1
  }

  func decodeNil() -> Bool { false }
  func decode(_ type: Bool.Type) throws -> Bool {
    decoder.expect(.bool)
    return true
  }
  func decode(_ type: String.Type) throws -> String { decoder.word }
  func decode(_ type: Double.Type) throws -> Double {
    decoder.expect(.float)
    return 1
  }
  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { integer(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: decoder) }
}
