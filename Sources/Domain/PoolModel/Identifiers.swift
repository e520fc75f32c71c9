package import FoundationEssentials

/// The identity of an entity that the PoolFlow app made: a UUID that cannot be mistaken for another entity's.
///
/// Read in any case, written as the app writes it: upper case.
package struct EntityID<Entity>: Hashable, Sendable, Comparable {
  package let uuid: UUID

  package init(_ uuid: UUID) {
    self.uuid = uuid
  }

  /// - Returns: nil unless `text` is a UUID of the form 8-4-4-4-12.
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

/// The id of a record as people type it: the whole of it, or a beginning of four characters or more, in any case.
package struct IDBeginning: Hashable, Sendable {
  /// As ids are written: in upper case.
  package let text: String

  /// - Returns: nil for what no id begins with, and for fewer than `Limits.idBeginning` characters.
  package init?(_ text: String) {
    guard (Limits.idBeginning...UUIDText.length).contains(text.utf8.count),
      text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.text = text.uppercased()
  }

  /// What `text` names: the records of that whole id or name, in any case; where there are none, those whose id or name
  /// begins so.
  package static func records<Record>(
    _ text: String, among records: [Record], id: (Record) -> String, name: (Record) -> String
  ) -> [Record] {
    let (wanted, beginning) = (text.lowercased(), IDBeginning(text)?.text)
    let whole = records.filter { id($0) == beginning || name($0).lowercased() == wanted }
    guard whole.isEmpty, !wanted.isEmpty else { return whole }
    return records.filter { record in
      beginning.map { id(record).hasPrefix($0) } ?? false || name(record).lowercased().hasPrefix(wanted)
    }
  }
}

package typealias PoolID = EntityID<Pool>
package typealias ServiceEventID = EntityID<ServiceEvent>
package typealias ChemicalDoseID = EntityID<ChemicalDose>
package typealias InventoryItemID = EntityID<InventoryItem>
package typealias EquipmentID = EntityID<Equipment>

/// A team's number in one store. Numbers are never reused.
package struct TeamID: Hashable, Comparable, Sendable {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
  package static func < (left: TeamID, right: TeamID) -> Bool { left.number < right.number }
}

/// A technician's number in one store. Numbers are never reused.
package struct TechnicianID: Hashable, Comparable, Sendable {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
  package static func < (left: TechnicianID, right: TechnicianID) -> Bool { left.number < right.number }
}

/// A job's number in one store: one kind of work for one team, or for the server. Numbers are never reused.
package struct JobID: Hashable, Comparable, Sendable {
  package let number: Int64
  package init(_ number: Int64) { self.number = number }
  package static func < (left: JobID, right: JobID) -> Bool { left.number < right.number }
}
