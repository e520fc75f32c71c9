/// The JSON form of a type.
indirect enum JSONShape: Hashable, Sendable {
  case boolean, integer, number, string
  /// A string from a closed set.
  case words([String])
  case numbers([Int])
  case list(JSONShape)
  /// An object with arbitrary keys whose values have one form.
  case map(JSONShape)
  /// The name of an object in `JSONShapes.objects`.
  case object(String)

  /// The name of the object, or of a list's element object.
  var object: String? {
    switch self {
    case .object(let name), .list(.object(let name)): name
    default: nil
    }
  }
}

/// A field of an object.
struct JSONField: Hashable, Sendable {
  let name: String
  let shape: JSONShape
  /// False if the field is omitted without a value; a field is never null.
  let isRequired: Bool
}

/// The JSON form of a type and of every object in it, found by decoding the type from a probe.
///
/// The `Codable` conformance that writes a document is thus its only declaration. The wire generator could make the forms of the
/// replies, but a fifth of the documents and all events are types of our own, some with a conformance written by hand: for these a
/// generated form would be a second declaration, which may differ from the bytes. `SchemaTests` fails for a type that cannot be
/// probed, and `ExampleTests` and `EventTests` check real documents against the schemas.
package struct JSONShapes: Sendable {
  let root: JSONShape
  /// The fields of each object in the type's decoding order, keyed by the type's name without its module.
  let objects: [String: [JSONField]]

  /// - Throws: if the type cannot be decoded from placeholder values: it validates its input, or it contains itself.
  package init(of type: any Decodable.Type) throws {
    let reader = ShapeReader()
    func shape<Value: Decodable>(_ type: Value.Type) throws -> JSONShape { try reader.read(type).shape }
    root = try shape(type)
    objects = reader.objects
  }

  /// The fields of a root object; empty for any other type.
  var fields: [JSONField] {
    if case .object(let name) = root { objects[name] ?? [] } else { [] }
  }
}

/// Finds the JSON form of a type by decoding it from a probe that records the requested keys and types. Decoding and encoding
/// match because `Codable` and the wire generator derive both from one declaration.
private final class ShapeReader {
  private(set) var objects: [String: [JSONField]] = [:]
  /// The types being read, outermost first.
  private var typesBeingRead: [String] = []

  /// Thrown for a recursive type.
  struct RecursiveType: Error {
    let type: String
  }

  func read<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, shape: JSONShape) {
    if let found = words(type) ?? numbers(type) { return found }
    let name = Self.name(of: type)
    guard !typesBeingRead.contains(name) else { throw RecursiveType(type: name) }
    typesBeingRead.append(name)
    defer { typesBeingRead.removeLast() }
    let probe = ProbeDecoder(self)
    let value = try Value(from: probe)
    switch probe.found {
    case .fields(let fields):
      objects[name] = fields
      return (value, .object(name))
    case .shape(let shape): return (value, shape)
    }
  }

  /// Types whose published schemas have an older name in `$defs`, which programs may refer to.
  private static let publishedNames = [
    "BarnLocale": "BarnVoice", "DigestLocale": "DigestSpeech", "MorningDigest.RouteImprovement": "MorningDigest.Better",
  ]

  /// `FlowControl.SchedulerCall.List.Reply` without the module and without the context of a private type.
  private static func name(of type: any Decodable.Type) -> String {
    let name = String(reflecting: type).split(separator: ".").dropFirst()
      .filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
    return publishedNames[name] ?? name
  }

  private func words<Value>(_ type: Value.Type) -> (value: Value, shape: JSONShape)? {
    func found<Word: CaseIterable & RawRepresentable<String>>(_ word: Word.Type) -> (Value, JSONShape)? {
      guard let first = Word.allCases.first as? Value else { return nil }
      return (first, .words(Word.allCases.map(\.rawValue)))
    }
    guard let word = type as? any (CaseIterable & RawRepresentable<String>).Type else { return nil }
    return found(word)
  }

  private func numbers<Value>(_ type: Value.Type) -> (value: Value, shape: JSONShape)? {
    func found<Number: CaseIterable & RawRepresentable<Int>>(_ number: Number.Type) -> (Value, JSONShape)? {
      guard let first = Number.allCases.first as? Value else { return nil }
      return (first, .numbers(Number.allCases.map(\.rawValue)))
    }
    guard let number = type as? any (CaseIterable & RawRepresentable<Int>).Type else { return nil }
    return found(number)
  }
}

/// A decoder that records the request for one value.
private final class ProbeDecoder: Decoder {
  /// The kind of value that the type has requested so far.
  enum Findings {
    case fields([JSONField])
    case shape(JSONShape)
  }

  let reader: ShapeReader
  var found = Findings.fields([])
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ reader: ShapeReader) { self.reader = reader }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ProbeKeyedContainer<Key>(probe: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { ProbeListContainer(probe: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer { ProbeValueContainer(probe: self) }

  func note(_ name: String, _ shape: JSONShape, isRequired: Bool) {
    guard case .fields(var fields) = found else { return }
    fields.removeAll { $0.name == name }
    fields.append(JSONField(name: name, shape: shape, isRequired: isRequired))
    found = .fields(fields)
  }

  /// Thrown for nested containers without a type, which no document uses.
  struct UnnamedContainer: Error {}
}

/// Records the requested keys and their types.
private final class ProbeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let probe: ProbeDecoder
  private var optional: Set<String> = []
  private var isMap = false
  var codingPath: [any CodingKey] { [] }

  init(probe: ProbeDecoder) { self.probe = probe }

  /// A type that asks for all keys is a dictionary.
  var allKeys: [Key] {
    isMap = true
    return [Key(stringValue: "any")].compactMap { $0 }
  }

  /// A type that asks whether a key exists (`decodeIfPresent`) treats it as optional.
  func contains(_ key: Key) -> Bool {
    optional.insert(key.stringValue)
    return true
  }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let (value, shape) = try probe.reader.read(type)
    if isMap {
      probe.found = .shape(.map(shape))
    } else {
      probe.note(key.stringValue, shape, isRequired: !optional.contains(key.stringValue))
    }
    return value
  }

  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> { throw ProbeDecoder.UnnamedContainer() }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw ProbeDecoder.UnnamedContainer()
  }

  func superDecoder() throws -> any Decoder { throw ProbeDecoder.UnnamedContainer() }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw ProbeDecoder.UnnamedContainer() }
}

/// An array of one element, to find the element type.
private struct ProbeListContainer: UnkeyedDecodingContainer {
  let probe: ProbeDecoder
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 1 }
  private(set) var currentIndex = 0
  var isAtEnd: Bool { currentIndex > 0 }

  init(probe: ProbeDecoder) { self.probe = probe }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (value, shape) = try probe.reader.read(type)
    probe.found = .shape(.list(shape))
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type) throws -> KeyedDecodingContainer<Other> {
    throw ProbeDecoder.UnnamedContainer()
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw ProbeDecoder.UnnamedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { throw ProbeDecoder.UnnamedContainer() }
}

/// Records the type of a single value.
private struct ProbeValueContainer: SingleValueDecodingContainer {
  let probe: ProbeDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode(_ type: Bool.Type) -> Bool { of(.boolean, false) }
  func decode(_ type: String.Type) -> String { of(.string, "") }
  func decode(_ type: Double.Type) -> Double { of(.number, 0) }
  func decode(_ type: Float.Type) -> Float { of(.number, 0) }
  func decode(_ type: Int.Type) -> Int { of(.integer, 0) }
  func decode(_ type: Int8.Type) -> Int8 { of(.integer, 0) }
  func decode(_ type: Int16.Type) -> Int16 { of(.integer, 0) }
  func decode(_ type: Int32.Type) -> Int32 { of(.integer, 0) }
  func decode(_ type: Int64.Type) -> Int64 { of(.integer, 0) }
  func decode(_ type: UInt.Type) -> UInt { of(.integer, 0) }
  func decode(_ type: UInt8.Type) -> UInt8 { of(.integer, 0) }
  func decode(_ type: UInt16.Type) -> UInt16 { of(.integer, 0) }
  func decode(_ type: UInt32.Type) -> UInt32 { of(.integer, 0) }
  func decode(_ type: UInt64.Type) -> UInt64 { of(.integer, 0) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (value, shape) = try probe.reader.read(type)
    probe.found = .shape(shape)
    return value
  }

  private func of<Value>(_ shape: JSONShape, _ value: Value) -> Value {
    probe.found = .shape(shape)
    return value
  }
}
