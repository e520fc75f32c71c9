package import PoolChemistry
import PoolModel

/// One chemical to load before a day: what the last readings ask for, less what is on the truck.
package struct LoadLine: Hashable, Sendable, Decodable {
  /// What the stock calls it; nil where no item is of its kind.
  package let name: String?
  package let type: ChemicalType
  package let neededOz: Double
  package let truckOz: Double
  /// To take from the store: never below 0.
  package let takeOz: Double
  /// What the store lacks of that.
  package let shortOz: Double

  enum CodingKeys: String, CodingKey {
    case name, type
    case neededOz = "needed_oz"
    case truckOz = "truck_oz"
    case takeOz = "take_oz"
    case shortOz = "short_oz"
  }
}

/// Hands out the team's store to its trucks, section by section, so that no ounce is promised twice.
struct LoadList {
  private let stock: [StockItem]
  private var store: [ChemicalType: Double] = [:]

  init(_ stock: [StockItem]) {
    self.stock = stock
    for one in stock where one.technicianID == nil {
      guard let type = ChemicalType(rawValue: one.item.chemicalType) else { continue }
      store[type] = finite((store[type] ?? 0) + one.item.currentStockOz)
    }
  }

  /// What the dosing of these pools predicts, ounces by kind of chemical. Source: golden file `dosing.json`, by `Dosing`.
  static func need(of pools: [StopCare]) -> [ChemicalType: Double] {
    var need: [ChemicalType: Double] = [:]
    for pool in pools {
      for advice in Dosing(pool.readings, volumeGallons: pool.volumeGallons).recommendations(inventory: [])
      where advice.quantityOz > 0 {
        need[advice.chemicalType] = finite((need[advice.chemicalType] ?? 0) + advice.quantityOz)
      }
    }
    return need
  }

  /// The lines of one truck, in the order of `ChemicalType`; nil technician for the whole team.
  mutating func lines(for technician: TechnicianID?, need: [ChemicalType: Double]) -> [LoadLine] {
    ChemicalType.stockable.compactMap { type in
      guard let needed = need[type], needed > 0 else { return nil }
      let items = stock.filter { $0.item.chemicalType == type.rawValue }
      let onTruck = items.filter { $0.technicianID != nil && (technician == nil || $0.technicianID == technician) }
      let truck = finite(onTruck.reduce(0) { $0 + $1.item.currentStockOz })
      let take = max(0, needed - truck)
      let given = min(take, store[type] ?? 0)
      store[type, default: 0] -= given
      let own =
        items.first { technician != nil && $0.technicianID == technician } ?? items.first { $0.technicianID == nil }
      return LoadLine(
        name: (own ?? (technician == nil ? items.first : nil))?.item.name, type: type, neededOz: needed, truckOz: truck,
        takeOz: take, shortOz: take - given)
    }
  }
}
