import PoolCalendar
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
  /// Tablets or powder of a kind that is else a liquid; left out where it is not.
  package let isDry: Bool?

  enum CodingKeys: String, CodingKey {
    case name, type
    case shortFor = "short_for"
    case isUsual = "usual"
    case isDry = "dry"
    case neededOz = "needed_oz"
    case truckOz = "truck_oz"
    case takeOz = "take_oz"
    case shortOz = "short_oz"
  }
}

/// What a stop asks for: a kind of chemical, whichever item of it is at hand; of chlorine the item itself, since tablets do
/// not stand in for liquid.
struct WantedChemical: Hashable {
  let type: ChemicalType
  /// Of chlorine alone.
  let name: String?

  init(_ type: ChemicalType) { (self.type, name) = (type, nil) }

  init(chlorine name: String) { (type, self.name) = (.chlorine, name) }

  /// What an item of the stock is good for; nil for what cannot stand on a shelf.
  init?(_ item: InventoryItem) {
    guard let type = ChemicalType(rawValue: item.chemicalType) else { return nil }
    self = type == .chlorine ? WantedChemical(chlorine: item.name) : WantedChemical(type)
  }
}

/// Hands out the team's store to its trucks, section by section, so that no ounce is promised twice.
struct LoadList {
  private let stock: [StockItem]
  private var store: [WantedChemical: Double] = [:]

  init(_ stock: [StockItem]) {
    self.stock = stock
    for one in stock where one.technicianID == nil {
      guard let chemical = WantedChemical(one.item) else { continue }
      store[chemical] = finite((store[chemical] ?? 0) + one.item.currentStockOz)
    }
  }

  /// The lines of one truck, in the order of `ChemicalType`; nil technician for the whole team.
  mutating func lines(for technician: TechnicianID?, need: ChemicalNeed) -> [LoadLine] {
    need.chemicals.map { chemical in
      let needed = need.ounces(of: chemical)
      let items = stock.filter { WantedChemical($0.item) == chemical }
      let onTruck = items.filter { $0.technicianID != nil && (technician == nil || $0.technicianID == technician) }
      let truck = finite(onTruck.reduce(0) { $0 + $1.item.currentStockOz })
      let take = max(0, needed - truck)
      let given = min(take, store[chemical] ?? 0)
      store[chemical, default: 0] -= given
      let own =
        items.first { technician != nil && $0.technicianID == technician } ?? items.first { $0.technicianID == nil }
      return LoadLine(
        name: chemical.name ?? (own ?? (technician == nil ? items.first : nil))?.item.name, type: chemical.type,
        neededOz: needed, truckOz: truck, takeOz: take, shortOz: take - given,
        shortFor: need.customers(without: chemical, from: truck + given),
        isUsual: chemical.type == .chlorine ? true : nil,
        isDry: !items.isEmpty && items.allSatisfy(\.item.isDry) ? true : nil)
    }
  }
}

/// What the stops of a day ask for, in their order.
struct ChemicalNeed {
  private var stops: [WantedChemical: [(customer: String, ounces: Double)]] = [:]

  init(_ stops: [Stop], on date: CivilDate, in zone: Zone) {
    self.init(stops.compactMap { stop in stop.care.map { (stop.customerName, $0) } }, on: date, in: zone)
  }

  /// What the dosing of these pools predicts for a day (golden file `dosing.json`, by `Dosing`), and the chlorine that is
  /// usual there.
  init(_ pools: [(customer: String, care: StopCare)], on date: CivilDate, in zone: Zone) {
    for (customer, care) in pools {
      for advice in care.advice(on: date, in: zone) where advice.quantityOz > 0 {
        stops[WantedChemical(advice.chemicalType), default: []].append((customer, advice.quantityOz))
      }
      for dose in care.usualChlorine {
        stops[WantedChemical(chlorine: dose.name), default: []].append((customer, dose.ounces))
      }
    }
  }

  /// In the order of `ChemicalType`, chlorine by name.
  var chemicals: [WantedChemical] {
    ChemicalType.stockable.flatMap { type in
      stops.keys.filter { $0.type == type && ounces(of: $0) > 0 }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }
  }

  func ounces(of chemical: WantedChemical) -> Double { (stops[chemical] ?? []).reduce(0) { finite($0 + $1.ounces) } }

  /// Whose stops go without where the day begins with `ounces`; nil where these are enough.
  func customers(without chemical: WantedChemical, from ounces: Double) -> [String]? {
    var left = ounces
    let short = (stops[chemical] ?? []).filter { stop in
      left -= stop.ounces
      return left < 0
    }
    return short.isEmpty ? nil : short.map(\.customer)
  }
}
