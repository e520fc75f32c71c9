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
