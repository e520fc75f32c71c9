internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolModel

/// `pfctl inventory add`: adds a chemical, or the default catalogue.
enum InventoryAddCommand: Command {
  static let keys: [FieldOptions.Key] = [
    ("type", "KIND", "its effect on the water: acid, base, calcium, alkalinity, chlorine or stabilizer"),
    ("stock", "AMOUNT", "the amount in stock: 12oz, 3lb, 900g, 2.5L"), ("threshold", "AMOUNT", "below what it is low"),
    ("cost", "PRICE", "its price: 0.05/oz, 1.60/lb, 3.50/kg, 2/L"), ("concentration", "N", "percent by weight"),
    ("unit", "TEXT", "what the label counts in"),
  ]

  static let amounts =
    "An amount may have any unit; a number without a unit is in ounces, for a metric team in millilitres (liquids) or "
    + "grams (all others). A price without a unit is per ounce, for a metric team per litre or kilogram. Chlorine and "
    + "acid as tablets or powder are measured by weight; poolflow recognises them by their percentage or unit."

  static let description = CommandDescription(
    "inventory add", "add a chemical, or the default catalogue, to a team's stock",
    operands: [.init("NAME", .atMostOne)],
    options: [
      .init("team", "TEAM", "whose stock"),
      .init("catalogue", nil, "add the seven usual chemicals; existing ones stay as they are"),
    ] + FieldOptions.options(keys),
    details: [amounts],
    examples: [
      "pfctl inventory add 'Pool Salt' --team desert-blue --type stabilizer --stock 640 --cost 0.02",
      "pfctl inventory add --catalogue --team desert-blue",
    ])

  static let documents: [JSONDocument] = [.init("inventory-add", FieldCall.AddStock.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    var changes = FieldOptions.changes(arguments, keys)
    if let name = arguments.operand(0) { changes.insert(SettingChangeView(key: "name", value: name), at: 0) }
    guard arguments.has("catalogue") == changes.isEmpty else {
      throw CommandFailure.usage("`pfctl inventory add` needs a NAME with --type, or --catalogue")
    }
    let reply = try session.daemon().ask(
      FieldCall.AddStock(team: team, catalogue: arguments.has("catalogue"), changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("inventory-add", reply) }
    InventoryListCommand.show(reply.items, on: console)
    console.note("\(TextFormat.count(reply.items.count, "item")) added")
  }
}

/// `pfctl inventory set`: changes a count, a price or a threshold.
enum InventorySetCommand: Command {
  private static let keys: [FieldOptions.Key] = [("name", "TEXT", "another name")] + InventoryAddCommand.keys

  static let description = CommandDescription(
    "inventory set", "change a chemical in stock, named by its name, id or the beginning of either",
    operands: [.init("ITEM")],
    options: [.init("team", "TEAM", "whose stock")] + FieldOptions.options(keys),
    details: [InventoryAddCommand.amounts],
    examples: ["pfctl inventory set 'Muriatic' --team desert-blue --stock 300 --threshold 1gal"])

  static let documents: [JSONDocument] = [.init("inventory-set", FieldCall.SetStock.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let changes = try FieldOptions.requiredChanges(arguments, keys)
    let reply = try session.daemon().ask(
      FieldCall.SetStock(team: team, item: arguments.operand(0) ?? "", changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("inventory-set", reply) }
    InventoryListCommand.show([reply.item], on: console)
  }
}

/// `pfctl inventory remove`: removes a chemical from stock.
enum InventoryRemoveCommand: Command {
  static let description = CommandDescription(
    "inventory remove", "remove a chemical from stock; its past doses stay on record", operands: [.init("ITEM")],
    options: [.init("team", "TEAM", "whose stock"), Confirmation.option],
    examples: ["pfctl inventory remove 'Pool Salt' --team desert-blue --yes"])

  static let documents: [JSONDocument] = [.init("inventory-remove", FieldCall.RemoveStock.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let daemon = try session.daemon()
    let item = try daemon.ask(FieldCall.RemoveStock(team: team, item: arguments.operand(0) ?? "", dryRun: true)).item
    try Confirmation.ask(
      "Remove \(visible(item.name)) (\(visible(item.stockText)) left) from the stock of \(visible(team))?",
      arguments, session.console)
    let reply = try daemon.ask(FieldCall.RemoveStock(team: team, item: item.id))
    let console = session.console
    if console.isJSON { return try console.document("inventory-remove", reply) }
    console.line("\(visible(reply.item.name)) removed from stock")
  }
}
