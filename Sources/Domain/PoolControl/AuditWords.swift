internal import PoolModel

extension ControlMethod {
  /// What the audit table says of this call, as pfctl would be told; nil for what changes nothing that lasts.
  ///
  /// A call that is not named here is told by its method and its parameters, so that a new one is never forgotten.
  package var auditWords: String? {
    guard Self.changes else { return nil }
    return switch self {
    case is ImportCall.Open, is ImportCall.Piece, is ImportCall.Cancel: nil
    case let call as ImportCall.Apply: call.dryRun ? nil : "import \(call.upload)"
    case let call as BackupCall.Create: "backup create\(option("reason", call.reason))"
    case let call as BackupCall.Verify: "backup verify \(call.id)\(call.full ? " --full" : "")"
    case let call as BackupCall.Restore: call.dryRun ? nil : "backup restore \(call.id)"
    case let call as BackupCall.RestoreTeam:
      call.dryRun
        ? nil
        : "backup restore \(call.id ?? call.upload ?? "") --team \(call.team)\(option("technician", call.technician))"
    case let call as BackupCall.Prune: call.dryRun ? nil : "backup prune"
    case is DaemonCall.Reload: "reload"
    case let call as TeamsCall.Add: "team add \(call.name) --zone \(call.zone)"
    case let call as TeamsCall.Set:
      "team set \(call.name) " + call.changes.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    case let call as TeamsCall.Plan: "team plan \(call.name) \(call.plan)\(option("until", call.until))"
    case let call as TeamsCall.Clear: call.dryRun ? nil : "team clear \(call.name)"
    case let call as SchedulerCall.Run: "run \(call.job)\(option("team", call.team))\(option("as-of", call.asOf))"
    case let call as SchedulerCall.Cancel: "cancel \(call.run)"
    case let call as OutboxCall.Retry:
      call.dryRun ? nil : "\(call.onlyDead ? "dead" : "outbox") retry\(words(of: call.which))"
    case let call as OutboxCall.Release: call.dryRun ? nil : "outbox release\(words(of: call.which))"
    case let call as OutboxCall.Discard: call.dryRun ? nil : "outbox discard\(words(of: call.which))"
    case let call as OutboxCall.Purge: call.dryRun ? nil : "dead purge\(words(of: call.which))"
    case let call as OutboxCall.Test: "sink test \(call.sink)"
    case let call as WaterCall.Refresh: call.row == 0 ? "lsi refresh\(call.all ? " --all" : "")" : nil
    default: fieldWords ?? "\(Self.method.replacing("org.poolflow.", with: "")) \(parameters)"
    }
  }

  /// Field work: what was done to which record. Notes, phones and gates are told by their names only.
  private var fieldWords: String? {
    func keys(_ changes: [SettingChangeView]) -> String { changes.map { " --\($0.key)" }.joined() }
    return switch self {
    case let call as FieldCall.LogVisit:
      "visit log '\(call.pool)' --team \(call.team)"
        + call.readings.map { " --\($0.key) \($0.value)" }.joined() + " --dose \(call.dose)"
    case let call as FieldCall.UndoVisit: "visit undo '\(call.pool)' --team \(call.team)"
    case let call as FieldCall.AddPool: "pool add '\(call.customer)' --team \(call.team)\(keys(call.changes))"
    case let call as FieldCall.SetPool: "pool set '\(call.pool)' --team \(call.team)\(keys(call.changes))"
    case let call as FieldCall.RemovePool: "pool remove '\(call.pool)' --team \(call.team)"
    case let call as FieldCall.SetProfile: "profile set '\(call.pool)' --team \(call.team)\(keys(call.changes))"
    case let call as FieldCall.AddEquipment: "equipment add '\(call.pool)' --team \(call.team)\(keys(call.changes))"
    case let call as FieldCall.SetEquipment:
      "equipment set '\(call.pool)' '\(call.equipment)' --team \(call.team)\(keys(call.changes))"
    default: nil
    }
  }

  private func words(of which: EntrySelectionView) -> String {
    (which.noticeId.map { " \($0)" } ?? " --all") + option("sink", which.sink) + option("team", which.team)
      + option("since", which.since)
  }

  private func option(_ name: String, _ value: String?) -> String { value.map { " --\(name) \($0)" } ?? "" }

  private var parameters: String {
    // A call that came over the wire has a JSON form.
    (try? Envelope.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
