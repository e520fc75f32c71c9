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
  /// The customers whose stops go without, in the order of the day; left out where nothing lacks.
  package let shortFor: [String]?
  /// Counted are the medians of what the last visits poured, since no dosing advises it; left out where it is advised.
  package let isUsual: Bool?

  enum CodingKeys: String, CodingKey {
    case name, type
    case shortFor = "short_for"
    case isUsual = "usual"
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

  /// The lines of one truck, in the order of `ChemicalType`; nil technician for the whole team.
  mutating func lines(for technician: TechnicianID?, need: ChemicalNeed) -> [LoadLine] {
    ChemicalType.stockable.compactMap { type in
      let needed = need.ounces(of: type)
      guard needed > 0 else { return nil }
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
        takeOz: take, shortOz: take - given, shortFor: need.customers(without: type, from: truck + given),
        isUsual: type == .chlorine ? true : nil)
    }
  }
}

/// What the stops of a day ask for, in their order.
struct ChemicalNeed {
  private var stops: [ChemicalType: [(customer: String, ounces: Double)]] = [:]

  init(_ stops: [Stop]) { self.init(stops.compactMap { stop in stop.care.map { (stop.customerName, $0) } }) }

  /// What the dosing of these pools predicts (golden file `dosing.json`, by `Dosing`), and the chlorine that is usual
  /// there.
  init(_ pools: [(customer: String, care: StopCare)]) {
    for (customer, care) in pools {
      for advice in Dosing(care.readings, volumeGallons: care.volumeGallons).recommendations(inventory: [])
      where advice.quantityOz > 0 {
        stops[advice.chemicalType, default: []].append((customer, advice.quantityOz))
      }
      if care.usualChlorineOz > 0 { stops[.chlorine, default: []].append((customer, care.usualChlorineOz)) }
    }
  }

  func ounces(of type: ChemicalType) -> Double { (stops[type] ?? []).reduce(0) { finite($0 + $1.ounces) } }

  /// Whose stops go without where the day begins with `ounces`; nil where these are enough.
  func customers(without type: ChemicalType, from ounces: Double) -> [String]? {
    var left = ounces
    let short = (stops[type] ?? []).filter { stop in
      left -= stop.ounces
      return left < 0
    }
    return short.isEmpty ? nil : short.map(\.customer)
  }
}
