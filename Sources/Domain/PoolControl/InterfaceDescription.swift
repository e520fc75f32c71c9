/// An interface as its description language tells it: what a stranger's client reads to learn the calls.
package struct InterfaceDescription: Sendable {
  package let name: String
  /// Varlink interface definition language.
  package let text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text + "\n"
  }

  /// Every interface that the daemon serves.
  package static let all: [InterfaceDescription] = [
    .service, .control, .scheduler, .teams, .pools, .field, .water, .routes, .reports, .imports, .backup, .outbox,
    .daemon,
  ]

  /// Every call that the daemon answers.
  package static let methods: [any ControlMethod.Type] = [
    ServiceCall.GetInfo.self, ServiceCall.GetInterfaceDescription.self,
    SchedulerCall.Status.self, SchedulerCall.List.self, SchedulerCall.Next.self, SchedulerCall.Run.self,
    SchedulerCall.History.self, SchedulerCall.Simulate.self, SchedulerCall.Pause.self,
    SchedulerCall.Resume.self, SchedulerCall.Skip.self, SchedulerCall.Why.self,
    SchedulerCall.Cancel.self, SchedulerCall.Events.self,
    TeamsCall.Add.self, TeamsCall.List.self, TeamsCall.Show.self, TeamsCall.Set.self, TeamsCall.Plan.self,
    TeamsCall.Clear.self,
    PoolsCall.List.self, PoolsCall.Show.self,
    FieldCall.LogVisit.self, FieldCall.UndoVisit.self, FieldCall.ListVisits.self, FieldCall.AddPool.self,
    FieldCall.SetPool.self, FieldCall.RemovePool.self, FieldCall.SetProfile.self, FieldCall.ListStock.self,
    FieldCall.AddStock.self, FieldCall.SetStock.self, FieldCall.RemoveStock.self, FieldCall.ListEquipment.self,
    FieldCall.AddEquipment.self, FieldCall.SetEquipment.self, FieldCall.RemoveEquipment.self,
    WaterCall.Refresh.self, WaterCall.Profit.self, WaterCall.Health.self, WaterCall.Trend.self, WaterCall.Usage.self,
    WaterCall.Export.self,
    RoutesCall.Show.self, RoutesCall.Optimise.self, RoutesCall.Compare.self, RoutesCall.Apply.self,
    RoutesCall.Undo.self, RoutesCall.Move.self, RoutesCall.Pin.self, RoutesCall.Progress.self,
    RoutesCall.ImportTable.self, RoutesCall.RemoveTable.self,
    ReportsCall.Digest.self, ReportsCall.Visit.self, ReportsCall.Month.self,
    ImportCall.Open.self, ImportCall.Piece.self, ImportCall.Apply.self, ImportCall.Cancel.self,
    BackupCall.Create.self, BackupCall.List.self, BackupCall.Show.self, BackupCall.Verify.self, BackupCall.Prune.self,
    BackupCall.Restore.self, BackupCall.Read.self, BackupCall.RestoreTeam.self,
    OutboxCall.List.self, OutboxCall.Show.self, OutboxCall.Retry.self, OutboxCall.Release.self,
    OutboxCall.Discard.self, OutboxCall.Purge.self, OutboxCall.Sinks.self, OutboxCall.Test.self,
    DaemonCall.Settings.self, DaemonCall.Reload.self, DaemonCall.Audit.self, DaemonCall.Examine.self,
  ]

  /// The names of each method's parameters, read from the descriptions once.
  fileprivate static let parameterNames: [String: Set<String>] = {
    var names: [String: Set<String>] = [:]
    for interface in all {
      // A description that cannot be read fails the tests; its calls then take no parameters.
      guard let grammar = try? InterfaceGrammar(interface.text) else { continue }
      for (method, parts) in grammar.methods { names["\(interface.name).\(method)"] = Set(parts.input.map(\.name)) }
    }
    return names
  }()
}

extension ControlMethod {
  /// The parameters that its interface's description lists.
  package static var parameterNames: Set<String> { InterfaceDescription.parameterNames[method] ?? [] }
}
