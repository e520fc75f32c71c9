import FlowCalendar
import FlowModel
package import PoolChemistry
import PoolModel

/// A chemical to load before a day's route: the amount needed by the last readings, less the amount on the truck.
package struct LoadLine: Hashable, Sendable, Decodable {
  /// The name of the stock item; nil if the stock has no item of this type.
  package let name: String?
  package let type: ChemicalType
  package let neededOz: Double
  package let truckOz: Double
  /// Ounces to take from the store; never negative.
  package let takeOz: Double
  /// The part of `takeOz` that the store does not have.
  package let shortOz: Double
  /// The customers whose stops get too little, in route order; nil if there is enough.
  package let shortFor: [String]?
  /// True if the amount contains the median of the last visits' doses, for pools without a reading of free chlorine; otherwise
  /// nil.
  package let isUsual: Bool?
  /// True for tablets or powder of a chemical that is usually liquid; otherwise nil.
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

/// The chemical that a stop needs. Any stock item of the type will do; only chlorine is matched by item, because tablets do
/// not replace liquid.
struct LoadedChemical: Hashable {
  let type: ChemicalType
  /// The stock item's name; set only for chlorine.
  let name: String?

  init(_ type: ChemicalType) { (self.type, name) = (type, nil) }

  init(chlorine name: String) { (type, self.name) = (.chlorine, name) }

  /// The need that a stock item can serve; nil for an unknown chemical type.
  init?(_ item: InventoryItem) {
    guard let type = ChemicalType(rawValue: item.chemicalType) else { return nil }
    self = type == .chlorine ? LoadedChemical(chlorine: item.name) : LoadedChemical(type)
  }
}

/// Allocates the team's stock to the trucks, one section after another, so that no ounce is allocated twice.
struct LoadList {
  private let stock: [StockItem]
  private var store: [LoadedChemical: Double] = [:]

  init(_ stock: [StockItem]) {
    self.stock = stock
    for one in stock where one.technicianID == nil {
      guard let chemical = LoadedChemical(one.item) else { continue }
      store[chemical] = finite((store[chemical] ?? 0) + one.item.currentStockOz)
    }
  }

  /// The lines of one truck, in the order of `ChemicalType`; with a nil technician, those of the whole team.
  mutating func lines(for technician: TechnicianID?, need: ChemicalNeed) -> [LoadLine] {
    need.chemicals.map { chemical in
      let needed = need.ounces(of: chemical)
      let items = stock.filter { LoadedChemical($0.item) == chemical }
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
        isUsual: need.isUsual(chemical) ? true : nil,
        isDry: !items.isEmpty && items.allSatisfy(\.item.isDry) ? true : nil)
    }
  }
}

/// The chemicals that the stops of a day need, in route order.
struct ChemicalNeed {
  private var stops: [LoadedChemical: [(customer: String, ounces: Double)]] = [:]
  /// The chlorine of which some stop needs its usual amount.
  private var usual: Set<LoadedChemical> = []

  /// One pool to serve.
  struct Visit {
    let pool: PoolID
    let technician: TechnicianID
    let customer: String
    let care: StopCare
  }

  init(_ stops: [DayStop], by rules: DoseRules) {
    self.init(
      stops.compactMap { stop in
        stop.care.map {
          Visit(pool: stop.poolID, technician: stop.technicianID, customer: stop.customerName, care: $0)
        }
      }, by: rules)
  }

  /// The amounts that dosing advises for these pools, plus their usual chlorine.
  init(_ visits: [Visit], by rules: DoseRules) {
    for visit in visits {
      let care = visit.care
      for advice in care.advice(at: visit.pool, of: visit.technician, by: rules, compares: false)
      where advice.quantityOz > 0 {
        let chemical = advice.chlorine.map { LoadedChemical(chlorine: $0.name) } ?? LoadedChemical(advice.chemicalType)
        stops[chemical, default: []].append((visit.customer, advice.quantityOz))
      }
      for dose in care.usualChlorine(at: visit.pool, by: rules) {
        let chemical = LoadedChemical(chlorine: dose.name)
        stops[chemical, default: []].append((visit.customer, dose.ounces))
        usual.insert(chemical)
      }
    }
  }

  /// Whether a stop needs its usual amount, which dosing does not advise.
  func isUsual(_ chemical: LoadedChemical) -> Bool { usual.contains(chemical) }

  /// The needed chemicals in the order of `ChemicalType`, chlorine by name.
  var chemicals: [LoadedChemical] {
    ChemicalType.stockable.flatMap { type in
      stops.keys.filter { $0.type == type && ounces(of: $0) > 0 }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }
  }

  /// The total amount that all stops need.
  func ounces(of chemical: LoadedChemical) -> Double { (stops[chemical] ?? []).reduce(0) { finite($0 + $1.ounces) } }

  /// The customers whose stops get too little if the day begins with `ounces`; nil if there is enough for all.
  func customers(without chemical: LoadedChemical, from ounces: Double) -> [String]? {
    var left = ounces
    let short = (stops[chemical] ?? []).filter { stop in
      left -= stop.ounces
      return left < 0
    }
    return short.isEmpty ? nil : short.map(\.customer)
  }
}
