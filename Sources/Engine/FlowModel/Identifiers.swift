package import FoundationEssentials

/// The id of an entity of the PoolFlow app: a UUID with the entity's type.
///
/// Parsed in upper or lower case; written in upper case, as the app does.
package struct EntityID<Entity>: Hashable, Sendable, Comparable {
  package let uuid: UUID

  package init(_ uuid: UUID) {
    self.uuid = uuid
  }

  /// - Returns: nil unless `text` is a UUID in the form 8-4-4-4-12.
  package init?(_ text: String) {
    guard let uuid = UUIDText.uuid(text) else { return nil }
    self.uuid = uuid
  }

  package static func < (left: EntityID, right: EntityID) -> Bool {
    left.uuid < right.uuid
  }
}

extension EntityID: CustomStringConvertible {
  package var description: String { UUIDText.text(uuid) }
}

extension EntityID: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = EntityID(text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not a UUID"))
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// An id as typed by a user: all of it or a prefix of at least four characters, in upper or lower case.
package struct IDPrefix: Hashable, Sendable {
  /// The id or prefix in upper case, as ids are written.
  package let text: String

  /// - Returns: nil for a text that cannot be the prefix of an id, and for fewer than `Limits.idPrefixLength` characters.
  package init?(_ text: String) {
    guard (Limits.idPrefixLength...UUIDText.length).contains(text.utf8.count),
      text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.text = text.uppercased()
  }

  /// The records whose id or name equals `text`, ignoring case; if there are none, the records whose id or name begins with
  /// it.
  package static func records<Record>(
    _ text: String, among records: [Record], id: (Record) -> String, name: (Record) -> String
  ) -> [Record] {
    let (wanted, beginning) = (text.lowercased(), IDPrefix(text)?.text)
    let whole = records.filter { id($0) == beginning || name($0).lowercased() == wanted }
    guard whole.isEmpty, !wanted.isEmpty else { return whole }
    return records.filter { record in
      beginning.map { id(record).hasPrefix($0) } ?? false || name(record).lowercased().hasPrefix(wanted)
    }
  }
}

/// A team's number in one store; never reused.
package struct TeamID: Hashable, Comparable, Sendable {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
  package static func < (left: TeamID, right: TeamID) -> Bool { left.number < right.number }
}

/// A technician's number in one store; never reused.
package struct TechnicianID: Hashable, Comparable, Sendable {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
  package static func < (left: TechnicianID, right: TechnicianID) -> Bool { left.number < right.number }
}

/// A job's number in one store; never reused. A job is one kind of work for one team or for the server.
package struct JobID: Hashable, Comparable, Sendable {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
  package static func < (left: JobID, right: JobID) -> Bool { left.number < right.number }
}
