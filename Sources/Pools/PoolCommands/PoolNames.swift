import PoolControl
import FlowCommandKit
import FlowControl
import FlowModel
import PoolChemistry
import PoolModel

extension ValueCompletion {
  /// The values of the pools' commands.
  static let pools: [ValueCompletion] = [
    .value("TRADE", .words([Trade.poolService.rawValue])),
    .value("POOL", .names("pools")), .value("TECHNICIANS", .names("technicians")), .value("WORK", .names("works")),
    .value("KIND", of: "inventory", .words(ChemicalType.stockable.map(\.rawValue))),
    .value("KIND", .words(EquipmentType.allCases.map(\.word))),
  ]
}

extension NameSource {
  /// Recurring work by name; the same work at several pools once.
  static let works = NameSource("works") { names, team in
    guard let team = names.resolvedTeam(team), let works = names.ask(FieldCall.ListWork(team: team))?.works else {
      return []
    }
    var known: Set<String> = []
    return works.filter { known.insert($0.name).inserted }.map { .init($0.name, $0.customer) }
  }

  /// Pools by customer name, or by id if several have the same name.
  static let pools = NameSource("pools") { names, team in
    guard let team = names.resolvedTeam(team), let pools = names.ask(PoolsCall.List(team: team))?.pools else {
      return []
    }
    let counts = Dictionary(pools.map { ($0.customer, 1) }, uniquingKeysWith: +)
    let ids = ShownIDs(records: pools.map(\.id))
    return pools.map { pool in
      counts[pool.customer] == 1 ? .init(pool.customer, pool.address) : .init(ids[pool.id], pool.customer)
    }
  }
}
