package import PoolModel

/// Everything an archive holds, checked: every reference leads somewhere and no identity occurs twice.
package struct ArchiveContents: Hashable, Sendable {
  package var manifest: ArchiveManifest
  package var pools: [Pool]
  package var serviceEvents: [ServiceEvent]
  package var chemicalDoses: [ChemicalDose]
  package var inventory: [InventoryItem]
  /// At most one of a pool. A profile may name a pool that is not in the archive: the app does not check that either.
  /// Their pins are a file of poolflow's own.
  package var profiles: [CustomerProfile]
  package var equipment: [Equipment]
  /// Equipment left out because its pool is not in the archive.
  package var equipmentSkipped: Int
  /// What a person should know; the archive is usable all the same.
  package var warnings: [ArchiveRemark]
  /// The photos that events name and the archive holds, in the order of the events.
  package var photoNames: [ArchivePhotoName]

  package init(
    manifest: ArchiveManifest, pools: [Pool] = [], serviceEvents: [ServiceEvent] = [],
    chemicalDoses: [ChemicalDose] = [], inventory: [InventoryItem] = [], profiles: [CustomerProfile] = [],
    equipment: [Equipment] = [], equipmentSkipped: Int = 0, warnings: [ArchiveRemark] = [],
    photoNames: [ArchivePhotoName] = []
  ) {
    self.manifest = manifest
    self.pools = pools
    self.serviceEvents = serviceEvents
    self.chemicalDoses = chemicalDoses
    self.inventory = inventory
    self.profiles = profiles
    self.equipment = equipment
    self.equipmentSkipped = equipmentSkipped
    self.warnings = warnings
    self.photoNames = photoNames
  }

  /// What is really there, whatever the manifest says.
  package var counts: RecordCounts {
    RecordCounts(
      pools: pools.count, serviceEvents: serviceEvents.count, chemicalDoses: chemicalDoses.count,
      inventoryItems: inventory.count, customerProfiles: profiles.count { !$0.isPinAlone }, equipment: equipment.count,
      photos: photoNames.count)
  }
}

/// A visit's photo: which visit, and the member of the archive that holds its bytes.
package struct ArchivePhotoName: Hashable, Sendable {
  package var eventID: ServiceEventID
  /// The name inside `media/service-events/`.
  package var fileName: String

  package init(eventID: ServiceEventID, fileName: String) {
    self.eventID = eventID
    self.fileName = fileName
  }

  package var memberName: String { ArchiveName.photoFolder + fileName }
}

/// Where the records come from: a ZIP file, or a dictionary in a test. Members are read at the same time.
package protocol ArchiveMembers: Sendable {
  /// The names of all files, folders left out.
  func names() -> [String]
  /// - Returns: the whole member, or nil where there is none of that name.
  /// - Throws: when it cannot be read, or is longer than `limit` bytes.
  func bytes(of name: String, limit: Int) throws -> [UInt8]?
}

/// The names an archive's members have. Source: PRODUCT.md, Archives.
package enum ArchiveName {
  package static let manifest = "manifest.json"
  package static let pools = "pools.json"
  package static let serviceEvents = "service_events.json"
  package static let chemicalDoses = "chemical_doses.json"
  package static let inventory = "inventory.json"
  package static let profiles = "customer_profiles.json"
  package static let equipment = "equipment.json"
  /// The places that poolflow keeps for pools in their days; the app passes it over.
  package static let pins = "route_pins.json"
  package static let mediaFolder = "media/"
  package static let photoFolder = "media/service-events/"

  /// The order in which missing ones are reported.
  package static let required = [pools, serviceEvents, chemicalDoses, inventory, profiles]
  package static let known: Set<String> = [
    manifest, pools, serviceEvents, chemicalDoses, inventory, profiles, equipment, pins,
  ]
}
