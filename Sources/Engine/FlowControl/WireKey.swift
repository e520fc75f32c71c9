/// Coding key for any field name on the wire, shared by all generated structures.
struct WireKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<WireKey> {
  /// Decodes a required field.
  func value<Value: Decodable>(_ name: String) throws -> Value {
    try decode(Value.self, forKey: WireKey(stringValue: name))
  }

  /// Decodes an optional field; nil if it is missing or null.
  func optional<Value: Decodable>(_ name: String) throws -> Value? {
    try decodeIfPresent(Value.self, forKey: WireKey(stringValue: name))
  }
}

extension KeyedEncodingContainer<WireKey> {
  mutating func put(_ value: some Encodable, _ name: String) throws {
    try encode(value, forKey: WireKey(stringValue: name))
  }

  /// Encodes the field unless it is nil.
  mutating func putOptional(_ value: (some Encodable)?, _ name: String) throws {
    try encodeIfPresent(value, forKey: WireKey(stringValue: name))
  }
}
