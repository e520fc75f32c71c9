import FlowControl
import FlowWire
import PoolControl
import Testing
import TradeInterfaces

struct InterfaceTests {
  private static let grammars: [String: InterfaceGrammar] = {
    var grammars: [String: InterfaceGrammar] = [:]
    for interface in InterfaceCatalogue.every.interfaces {
      grammars[interface.name] = try? InterfaceGrammar(interface.text)
    }
    return grammars
  }()

  private static func split(_ name: String) -> (interface: String, member: String) {
    let parts = name.split(separator: ".")
    return (parts.dropLast().joined(separator: "."), parts.last.map(String.init) ?? "")
  }

  @Test func `every interface description is valid and contains its own name`() throws {
    for interface in InterfaceCatalogue.every.interfaces {
      #expect(try InterfaceGrammar(interface.text).name == interface.name)
    }
  }

  @Test func `errors contain the facts that their descriptions declare`() {
    let errors: [ControlError] = [
      .noSuchTeam("a", suggestion: "b"), .noSuchJob("a"), .noSuchZone("a", suggestion: "b"),
      .noSuchTechnician("a", team: "t"), .noSuchPool("a", team: "t", suggestion: "b"), .noSuchNotice("a"),
      .noSuchBackup("a", suggestion: "b"),
      .noSuchSink("a", suggestion: "b"),
      .teamExists("a"), .badValue(field: "a", value: "b", why: "c"), .badFile("a"),
    ]
    for error in errors {
      let (interface, member) = Self.split(error.name)
      let fields = Self.grammars[interface]?.errors.first { $0.name == member }?.shape ?? []
      let optional = fields.filter { if case .optional = $0.kind { true } else { false } }.map(\.name)
      let names = Set(error.facts.keys).union(["message"])
      #expect(names.isSubset(of: fields.map(\.name)), "\(error.name)")
      #expect(names.isSuperset(of: Set(fields.map(\.name)).subtracting(optional)), "\(error.name)")
    }
  }

  @Test(arguments: InterfaceCatalogue.every.methods.indices)
  func `parameters and replies have the fields of the description`(index: Int) throws {
    func check<M: ControlMethod>(_ method: M.Type) throws {
      let (interface, member) = Self.split(M.method)
      let grammar = try #require(Self.grammars[interface])
      let parts = try #require(grammar.methods.first { $0.name == member }?.shape)
      let input = SchemaDecoder(.fields(parts.input), grammar, at: "\(M.method) in")
      _ = try M(from: input)
      let output = SchemaDecoder(.fields(parts.output), grammar, at: "\(M.method) out")
      _ = try M.Reply(from: output)
      #expect(input.log.complaints + input.log.unknown == [])
      #expect(output.log.complaints + output.log.unknown == [])
    }
    try check(InterfaceCatalogue.every.methods[index])
  }

  @Test func `a field that Swift lacks or decodes differently is detected`() throws {
    struct Half: Decodable {
      let name: String
      let count: Int?
      let size: String
    }
    let grammar = try InterfaceGrammar(
      """
      interface org.poolflow.Sample
      method Ask() -> (name: string, count: int, size: int, forgotten: string)
      """)
    let shape = try #require(grammar.methods.first?.shape)
    let decoder = SchemaDecoder(.fields(shape.output), grammar, at: "Ask out")
    _ = try Half(from: decoder)
    #expect(decoder.log.unknown == ["Ask out.forgotten: described, unknown to Swift"])
    #expect(
      decoder.log.complaints == ["count: optional in Swift only", "Ask out.size: int is described, string is decoded"])
  }

  private static let changing = [
    changingInAllBuilds,
    stableChanging,  // Stables
  ].flatMap { $0 }

  private static let changingInAllBuilds = [
    "org.poolflow.Backup.Create", "org.poolflow.Backup.Prune", "org.poolflow.Backup.Restore",
    "org.poolflow.Backup.RestoreTeam", "org.poolflow.Backup.Verify", "org.poolflow.Daemon.Drain",
    "org.poolflow.Daemon.Reload", "org.poolflow.Daemon.Undrain", "org.poolflow.DaysOff.Add",
    "org.poolflow.DaysOff.Import", "org.poolflow.DaysOff.Remove", "org.poolflow.Field.AddEquipment",
    "org.poolflow.Field.AddPool", "org.poolflow.Field.AddStock", "org.poolflow.Field.AddWork",
    "org.poolflow.Field.EditVisit", "org.poolflow.Field.FinishWork", "org.poolflow.Field.LogVisit",
    "org.poolflow.Field.MoveDay", "org.poolflow.Field.MoveStop",
    "org.poolflow.Field.PausePool", "org.poolflow.Field.RemoveEquipment",
    "org.poolflow.Field.RemovePool", "org.poolflow.Field.RemoveStock", "org.poolflow.Field.RemoveVisit",
    "org.poolflow.Field.RemoveWork",
    "org.poolflow.Field.ResumePool", "org.poolflow.Field.SetEquipment",
    "org.poolflow.Field.SetPool", "org.poolflow.Field.SetProfile", "org.poolflow.Field.SetStock",
    "org.poolflow.Field.SetWork", "org.poolflow.Field.SkipStop", "org.poolflow.Field.UndoStops",
    "org.poolflow.Field.UndoVisit", "org.poolflow.Forecasts.Import", "org.poolflow.Import.Apply",
    "org.poolflow.Import.Cancel",
    "org.poolflow.Import.Open", "org.poolflow.Import.Piece", "org.poolflow.Import.TakeInbox",
    "org.poolflow.Jobs.Reset", "org.poolflow.Jobs.Set", "org.poolflow.Outbox.Discard", "org.poolflow.Outbox.Purge",
    "org.poolflow.Outbox.Release", "org.poolflow.Outbox.Retry", "org.poolflow.Outbox.Test",
    "org.poolflow.People.Add", "org.poolflow.People.Change", "org.poolflow.People.Remove",
    "org.poolflow.People.Test", "org.poolflow.Publish.Rotate", "org.poolflow.Reminders.Add",
    "org.poolflow.Reminders.Change", "org.poolflow.Reminders.Remove", "org.poolflow.Reports.SendVisit",
    "org.poolflow.Routes.Apply", "org.poolflow.Routes.Cover", "org.poolflow.Routes.ImportTable",
    "org.poolflow.Routes.Move",
    "org.poolflow.Routes.Optimise", "org.poolflow.Routes.Pin", "org.poolflow.Routes.RemoveTable",
    "org.poolflow.Routes.Undo", "org.poolflow.Scheduler.Cancel", "org.poolflow.Scheduler.Pause",
    "org.poolflow.Scheduler.Resume", "org.poolflow.Scheduler.Run", "org.poolflow.Scheduler.Skip",
    "org.poolflow.Teams.Add", "org.poolflow.Teams.Clear", "org.poolflow.Teams.Plan", "org.poolflow.Teams.Remove",
    "org.poolflow.Teams.Rename", "org.poolflow.Teams.Set", "org.poolflow.Water.Refresh",
  ]

  @Test func `methods that change something are marked`() {
    let changing = InterfaceCatalogue.every.methods.filter { $0.changes }.map { $0.method }
    #expect(changing.sorted() == Self.changing.sorted())
  }
}
