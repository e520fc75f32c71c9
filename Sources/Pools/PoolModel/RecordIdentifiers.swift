package import FlowModel

/// The id of a pool.
package typealias PoolID = EntityID<Pool>
/// The id of a visit.
package typealias ServiceEventID = EntityID<ServiceEvent>
/// The id of a chemical dose.
package typealias ChemicalDoseID = EntityID<ChemicalDose>
/// The id of a stock item.
package typealias InventoryItemID = EntityID<InventoryItem>
/// The id of a piece of equipment.
package typealias EquipmentID = EntityID<Equipment>
