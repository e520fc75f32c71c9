/// What a type looks like as JSON.
indirect enum JSONShape: Hashable, Sendable {
  case boolean, integer, number, string
  /// One word of a closed set.
  case words([String])
  case numbers([Int])
  case list(JSONShape)
  /// An object with any names, each value of one shape.
  case map(JSONShape)
  /// An object of `JSONShapes.objects`, by its name there.
  case object(String)

  /// The object that it is, or is a list of.
  var object: String? {
    switch self {
    case .object(let name), .list(.object(let name)): name
    default: nil
    }
  }
}

struct JSONField: Hashable, Sendable {
  let name: String
  let shape: JSONShape
  /// It is always there; another is left out where it has no value, and never null.
  let isRequired: Bool
}

/// The shape of one type, and of every object in it.
struct JSONShapes: Sendable {
  let root: JSONShape
  /// The fields of each object in the order in which its type reads them, by the type's name without its module.
  let objects: [String: [JSONField]]

  /// - Throws: where the type cannot be read without real values: one that checks what it reads, or holds itself.
  init(of type: any Decodable.Type) throws {
    let reader = ShapeReader()
    func shape<Value: Decodable>(_ type: Value.Type) throws -> JSONShape { try reader.read(type).shape }
    root = try shape(type)
    objects = reader.objects
  }

  /// Of a type that is an object; empty for any other.
  var fields: [JSONField] {
    if case .object(let name) = root { objects[name] ?? [] } else { [] }
  }
}

/// Finds the shape of types by asking them to read a value, and noting what they ask for. What they ask for is what they
/// write: `Codable` makes both out of one declaration, and so does the wire's generator out of the interfaces.
private final class ShapeReader {
  private(set) var objects: [String: [JSONField]] = [:]
  /// Types that are being read, the outermost first.
  private var open: [String] = []

  struct HoldsItself: Error {
    let type: String
  }

  func read<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, shape: JSONShape) {
    if let found = words(type) ?? numbers(type) { return found }
    let name = Self.name(of: type)
    guard !open.contains(name) else { throw HoldsItself(type: name) }
    open.append(name)
    defer { open.removeLast() }
    let probe = Probe(self)
    let value = try Value(from: probe)
    switch probe.found {
    case .fields(let fields):
      objects[name] = fields
      return (value, .object(name))
    case .shape(let shape): return (value, shape)
    }
  }

  /// `PoolControl.SchedulerCall.List.Reply` without its module, and without what stands for a private type's file.
  private static func name(of type: any Decodable.Type) -> String {
    String(reflecting: type).split(separator: ".").dropFirst()
      .filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
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

/// One value that is asked for.
private final class Probe: Decoder {
  enum Found {
    case fields([JSONField])
    case shape(JSONShape)
  }

  let reader: ShapeReader
  var found = Found.fields([])
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ reader: ShapeReader) { self.reader = reader }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>(probe: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(probe: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(probe: self) }

  func note(_ name: String, _ shape: JSONShape, isRequired: Bool) {
    guard case .fields(var fields) = found else { return }
    fields.removeAll { $0.name == name }
    fields.append(JSONField(name: name, shape: shape, isRequired: isRequired))
    found = .fields(fields)
  }

  /// Nested containers without a type of their own are nobody's here.
  struct Unnamed: Error {}
}

private final class Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let probe: Probe
  private var optional: Set<String> = []
  private var isMap = false
  var codingPath: [any CodingKey] { [] }

  init(probe: Probe) { self.probe = probe }

  /// Who asks which keys there are takes any.
  var allKeys: [Key] {
    isMap = true
    return [Key(stringValue: "any")].compactMap { $0 }
  }

  /// Who asks whether a field is there can do without it: `decodeIfPresent` does.
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
  ) throws -> KeyedDecodingContainer<Other> { throw Probe.Unnamed() }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Probe.Unnamed() }

  func superDecoder() throws -> any Decoder { throw Probe.Unnamed() }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw Probe.Unnamed() }
}

private struct Elements: UnkeyedDecodingContainer {
  let probe: Probe
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 1 }
  private(set) var currentIndex = 0
  var isAtEnd: Bool { currentIndex > 0 }

  init(probe: Probe) { self.probe = probe }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (value, shape) = try probe.reader.read(type)
    probe.found = .shape(.list(shape))
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type) throws -> KeyedDecodingContainer<Other> {
    throw Probe.Unnamed()
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Probe.Unnamed() }

  mutating func superDecoder() throws -> any Decoder { throw Probe.Unnamed() }
}

private struct Single: SingleValueDecodingContainer {
  let probe: Probe
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
