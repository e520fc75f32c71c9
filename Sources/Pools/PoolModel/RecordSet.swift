package import FlowModel

/// The records of one import or archive.
package struct RecordSet: Hashable, Sendable {
  package var pools: [Pool]
  package var serviceEvents: [ServiceEvent]
  package var chemicalDoses: [ChemicalDose]
  /// In list order, because dosing depends on the order.
  package var inventory: [InventoryItem]
  package var profiles: [CustomerProfile]
  package var equipment: [Equipment]
  /// The rules and pauses of pools; nil for an archive of the app, which has none.
  package var services: [PoolServiceRecord]?
  /// True if the visits and pools have their readings of free chlorine and salt; false for an archive of the app, which does
  /// not know these readings.
  package var knowsSanitiser: Bool
  /// The recurring work of pools; nil for an archive of the app, which has none.
  package var work: PoolWorkRecords?
  /// The changed dates of pools; nil for an archive that has none, as one of the app or of an earlier version.
  package var serviceChanges: [ServiceChangeRecord]?
  /// The creation time of the archive; nil if unknown.
  package var madeAt: Timestamp?

  package init(
    pools: [Pool] = [], serviceEvents: [ServiceEvent] = [], chemicalDoses: [ChemicalDose] = [],
    inventory: [InventoryItem] = [], profiles: [CustomerProfile] = [], equipment: [Equipment] = [],
    services: [PoolServiceRecord]? = nil, serviceChanges: [ServiceChangeRecord]? = nil, knowsSanitiser: Bool = false,
    work: PoolWorkRecords? = nil, madeAt: Timestamp? = nil
  ) {
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
    self.madeAt = madeAt
  }
}
