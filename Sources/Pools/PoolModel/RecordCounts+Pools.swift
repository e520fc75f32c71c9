package import FlowModel

/// The kinds of a pool service's records, by the names of their tables.
extension RecordCounts {
  package init(
    pools: Int = 0, serviceEvents: Int = 0, chemicalDoses: Int = 0, inventoryItems: Int = 0, customerProfiles: Int = 0,
    equipment: Int = 0, photos: Int = 0
  ) {
    self.init(byKind: [
      "pools": pools, "service_events": serviceEvents, "chemical_doses": chemicalDoses,
      "inventory_items": inventoryItems, "customer_profiles": customerProfiles, "equipment": equipment,
      "photos": photos,
    ])
  }

  package var pools: Int {
    get { self["pools"] }
    set { self["pools"] = newValue }
  }
  package var serviceEvents: Int { self["service_events"] }
  package var chemicalDoses: Int { self["chemical_doses"] }
  package var inventoryItems: Int { self["inventory_items"] }
  package var customerProfiles: Int {
    get { self["customer_profiles"] }
    set { self["customer_profiles"] = newValue }
  }
  package var equipment: Int {
    get { self["equipment"] }
    set { self["equipment"] = newValue }
  }
}
