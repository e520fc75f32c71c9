import PoolControl
import FlowControl
import FlowModel
import FlowServices
import FlowStore
import FoundationEssentials
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore

extension FieldAnswers {
  func listStock(_ call: FieldCall.ListStock, _ caller: Caller) async throws -> FieldCall.ListStock.Reply {
    let team = try await finder.team(named: call.team)
    let items = try await mappingErrors { try await store.stock(of: team.id) }
    return FieldCall.ListStock.Reply(items: items.map { view(of: $0.item, technician: $0.technician, team: team) })
  }

  func addStock(_ call: FieldCall.AddStock, _ caller: Caller) async throws -> FieldCall.AddStock.Reply {
    let team = try await finder.team(named: call.team)
    let values = try FieldValue.unique(call.changes)
    guard call.catalogue == values.isEmpty else {
      throw ControlError.badValue(
        field: "catalogue", value: "\(call.catalogue)", why: "name an item and its type, or add the whole catalogue")
    }
    let items = try await mappingErrors {
      try await store.addStock(to: team.id) { known in
        try StockDraft.items(call.catalogue ? nil : values, beside: known.map(\.name), units: team.units)
      }
    }
    log.notice("stock of team '\(team.name)' extended by \(caller.words)")
    return FieldCall.AddStock.Reply(items: items.map { view(of: $0, technician: nil, team: team) })
  }

  func setStock(_ call: FieldCall.SetStock, _ caller: Caller) async throws -> FieldCall.SetStock.Reply {
    let team = try await finder.team(named: call.team)
    let values = try FieldValue.unique(call.changes)
    let item = try await stockItem(call.item, of: team)
    let changed = try await mappingErrors {
      try await store.changeStock(item.id, of: team.id) { item in
        try FieldChanges.apply(values, to: &item, units: team.units)
      }
    }
    guard let changed else { throw ControlError.noSuchItem(call.item, what: "stock item", among: []) }
    log.notice("stock of team '\(team.name)' changed by \(caller.words)")
    return FieldCall.SetStock.Reply(item: view(of: changed, technician: nil, team: team))
  }

  func removeStock(_ call: FieldCall.RemoveStock, _ caller: Caller) async throws -> FieldCall.RemoveStock.Reply {
    let team = try await finder.team(named: call.team)
    let item = try await stockItem(call.item, of: team)
    if call.dryRun != true {
      guard try await mappingErrors({ try await store.removeStock(item.id, of: team.id) }) else {
        throw ControlError.noSuchItem(call.item, what: "stock item", among: [])
      }
      log.notice("an item of the stock of team '\(team.name)' removed by \(caller.words)")
    }
    return FieldCall.RemoveStock.Reply(item: view(of: item, technician: nil, team: team))
  }

  private func stockItem(_ text: String, of team: Team) async throws -> InventoryItem {
    try InventoryItem.named(text, among: try await store.stock(of: team.id).map(\.item))
  }

  private func view(of item: InventoryItem, technician: String?, team: Team) -> StockItemView {
    let type = ChemicalType(rawValue: item.chemicalType) ?? .none
    let localizer = Localizer(team)
    let largest = max(item.currentStockOz, item.lowStockThresholdOz)
    func amount(_ ounces: Double) -> String {
      localizer.stock(ounces: ounces, of: type, isDry: item.isDry, besides: largest)
    }
    return StockItemView(
      id: item.id.description, name: item.name, type: item.chemicalType, technician: technician,
      stock: item.currentStockOz, text: localizer.quantity(ounces: item.currentStockOz, of: type, isDry: item.isDry),
      stockText: amount(item.currentStockOz),
      threshold: item.lowStockThresholdOz,
      thresholdText: amount(item.lowStockThresholdOz), low: item.isLowStock,
      cost: item.costPerOz, costText: localizer.price(perOunce: item.costPerOz, of: type, isDry: item.isDry),
      concentration: item.concentration, unit: item.unitLabel)
  }
}
