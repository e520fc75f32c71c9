package import FlowModel
package import PoolModel

/// The records of an archive after all checks: every reference resolves and no id occurs twice.
package struct ArchiveContents: Hashable, Sendable {
  package var manifest: ArchiveManifest
  package var pools: [Pool]
  package var serviceEvents: [ServiceEvent]
  package var chemicalDoses: [ChemicalDose]
  package var inventory: [InventoryItem]
  /// At most one profile per pool. A profile may name a pool that is not in the archive, because the app does not check
  /// that either. Route pins are a separate member of the archive, which only poolflow writes.
  package var profiles: [CustomerProfile]
  package var equipment: [Equipment]
  /// The rules and pauses of pools that are not served every week; nil if the archive does not have them, as one of the app.
  package var services: [PoolServiceRecord]?
  /// True if the archive has the readings of free chlorine and salt; false for one of the app, which does not know them.
  package var knowsSanitiser: Bool
  /// The recurring work of pools; nil if the archive does not have it, as one of the app.
  package var work: PoolWorkRecords?
  /// The changed dates of pools; nil if the archive does not have them, as one of the app or of an earlier version.
  package var serviceChanges: [ServiceChangeRecord]?
  /// The number of equipment records left out because their pool is not in the archive.
  package var equipmentSkipped: Int
  /// Warnings for the operator; the archive is usable despite them.
  package var warnings: [ArchiveWarning]
  /// The photos that visits name and that the archive contains, in the order of the visits.
  package var photoNames: [ArchivePhotoName]

  package init(
    manifest: ArchiveManifest, pools: [Pool] = [], serviceEvents: [ServiceEvent] = [],
    chemicalDoses: [ChemicalDose] = [], inventory: [InventoryItem] = [], profiles: [CustomerProfile] = [],
    equipment: [Equipment] = [], services: [PoolServiceRecord]? = nil, serviceChanges: [ServiceChangeRecord]? = nil,
    knowsSanitiser: Bool = false, work: PoolWorkRecords? = nil, equipmentSkipped: Int = 0,
    warnings: [ArchiveWarning] = [],
    photoNames: [ArchivePhotoName] = []
  ) {
    self.manifest = manifest
    self.pools = pools
    self.serviceEvents = serviceEvents
    self.chemicalDoses = chemicalDoses
    self.inventory = inventory
    self.profiles = profiles
    self.equipment = equipment
    self.services = services
    self.knowsSanitiser = knowsSanitiser
    self.work = work
    self.serviceChanges = serviceChanges
    self.equipmentSkipped = equipmentSkipped
    self.warnings = warnings
    self.photoNames = photoNames
  }

  /// The actual number of records; the counts in `manifest` may differ.
  package var counts: RecordCounts {
    RecordCounts(
      pools: pools.count, serviceEvents: serviceEvents.count, chemicalDoses: chemicalDoses.count,
      inventoryItems: inventory.count, customerProfiles: profiles.count { !$0.hasOnlyPin }, equipment: equipment.count,
      photos: photoNames.count)
  }
}

/// The photo of a visit: the visit's id and the archive member with the image.
package struct ArchivePhotoName: Hashable, Sendable {
  package var eventID: ServiceEventID
  /// The file name inside `media/service-events/`.
  package var fileName: String

  package init(eventID: ServiceEventID, fileName: String) {
    self.eventID = eventID
    self.fileName = fileName
  }

  package var memberName: String { ArchiveName.photoFolder + fileName }
}

/// The source of an archive's members: a ZIP file, or a dictionary in tests. Members are read concurrently.
package protocol ArchiveMembers: Sendable {
  /// The names of all files, without folders.
  func names() -> [String]
  /// Reads a whole member.
  ///
  /// - Returns: nil if there is no member of that name.
  /// - Throws: an error if the member cannot be read or is longer than `limit` bytes.
  func bytes(of name: String, limit: Int) throws -> [UInt8]?
}

/// The names of an archive's members. Source: product.md, Archives.
package enum ArchiveName {
  package static let manifest = "manifest.json"
  package static let pools = "pools.json"
  package static let serviceEvents = "service_events.json"
  package static let chemicalDoses = "chemical_doses.json"
  package static let inventory = "inventory.json"
  package static let profiles = "customer_profiles.json"
  package static let equipment = "equipment.json"
  /// Fixed positions of pools in their day's route. Only poolflow writes and reads this member; the app ignores it.
  package static let pins = "route_pins.json"
  /// Rules and pauses of pools. Only poolflow writes and reads this member; the app ignores it.
  package static let services = "pool_services.json"
  /// Free chlorine and salt of visits and pools. Only poolflow writes and reads this member; the app ignores it.
  package static let sanitiser = "sanitiser_readings.json"
  /// Recurring work of pools, intervals of machines, and the work that was done. Only poolflow writes and reads this member;
  /// the app ignores it.
  package static let work = "pool_work.json"
  /// Changed dates of pools. Only poolflow writes and reads this member; the app ignores it.
  package static let serviceChanges = "service_changes.json"
  package static let mediaFolder = "media/"
  package static let photoFolder = "media/service-events/"

  /// The required members, in the order in which missing ones are reported.
  package static let required = [pools, serviceEvents, chemicalDoses, inventory, profiles]
  package static let known: Set<String> = [
    manifest, pools, serviceEvents, chemicalDoses, inventory, profiles, equipment, pins, services, serviceChanges,
    sanitiser, work,
  ]
}
