/// A JSON value (RFC 8259). `JSONScanner` bounds its depth and its number of members.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object(JSONObject)
}

/// The members of an object in file order; no key occurs twice.
package struct JSONObject: Hashable, Sendable {
  /// A key with its value.
  package struct Member: Hashable, Sendable {
    package let key: String
    package let value: JSONValue
  }
  package private(set) var members: [Member] = []

  package init() {}

  package subscript(key: String) -> JSONValue? {
    // Lengths are compared first: a record has about fifteen keys, nearly all of different lengths.
    for member in members where member.key.utf8.count == key.utf8.count && member.key == key { return member.value }
    return nil
  }

  func contains(_ key: String) -> Bool { members.contains { $0.key == key } }

  /// Adds a member. The caller ensures that the key is new.
  package mutating func append(_ key: String, _ value: JSONValue) { members.append(Member(key: key, value: value)) }
}
