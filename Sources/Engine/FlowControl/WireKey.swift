/// Coding key for any field name on the wire, shared by all generated structures.
package struct WireKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<WireKey> {
  /// Decodes a required field.
  package func value<Value: Decodable>(_ name: String) throws -> Value {
    try decode(Value.self, forKey: WireKey(stringValue: name))
  }

  /// Decodes an optional field; nil if it is missing or null.
  package func optional<Value: Decodable>(_ name: String) throws -> Value? {
    try decodeIfPresent(Value.self, forKey: WireKey(stringValue: name))
  }
}

extension KeyedEncodingContainer<WireKey> {
  package mutating func put(_ value: some Encodable, _ name: String) throws {
    try encode(value, forKey: WireKey(stringValue: name))
  }

  /// Encodes the field unless it is nil.
  package mutating func putOptional(_ value: (some Encodable)?, _ name: String) throws {
    try encodeIfPresent(value, forKey: WireKey(stringValue: name))
  }
}
