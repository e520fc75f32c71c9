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
  /// The creation time of the archive; nil if unknown.
  package var madeAt: Timestamp?

  package init(
    pools: [Pool] = [], serviceEvents: [ServiceEvent] = [], chemicalDoses: [ChemicalDose] = [],
    inventory: [InventoryItem] = [], profiles: [CustomerProfile] = [], equipment: [Equipment] = [],
    madeAt: Timestamp? = nil
  ) {
    self.pools = pools
    self.serviceEvents = serviceEvents
    self.chemicalDoses = chemicalDoses
    self.inventory = inventory
    self.profiles = profiles
    self.equipment = equipment
    self.madeAt = madeAt
  }
}

/// The number of records of each kind in a team or an archive.
package struct RecordCounts: Hashable, Sendable {
  package var pools: Int
  package var serviceEvents: Int
  package var chemicalDoses: Int
  package var inventoryItems: Int
  package var customerProfiles: Int
  package var equipment: Int
  package var photos: Int
  /// Used by stables only, like the two below.
  package var horses: Int
  package var schedules: Int
  package var care: Int

  package init(
    pools: Int = 0, serviceEvents: Int = 0, chemicalDoses: Int = 0, inventoryItems: Int = 0, customerProfiles: Int = 0,
    equipment: Int = 0, photos: Int = 0, horses: Int = 0, schedules: Int = 0, care: Int = 0
  ) {
    self.pools = pools
    self.serviceEvents = serviceEvents
    self.chemicalDoses = chemicalDoses
    self.inventoryItems = inventoryItems
    self.customerProfiles = customerProfiles
    self.equipment = equipment
    self.photos = photos
    self.horses = horses
    self.schedules = schedules
    self.care = care
  }
}
