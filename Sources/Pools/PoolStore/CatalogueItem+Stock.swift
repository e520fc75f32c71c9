import FlowModel
import FoundationEssentials
package import PoolChemistry
package import PoolModel

extension CatalogueItem {
  /// A new item with the catalogue's initial stock.
  package var stockItem: InventoryItem {
    InventoryItem(
      id: InventoryItemID(UUID()), name: name, chemicalType: chemicalType.rawValue, concentration: concentration,
      costPerOz: costPerOz, currentStockOz: stockOz, lowStockThresholdOz: 0, unitLabel: "oz")
  }
}
