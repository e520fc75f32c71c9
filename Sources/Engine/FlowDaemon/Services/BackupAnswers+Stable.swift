import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import PoolBackup
import PoolDigests
import PoolModel
import PoolStore
import StableBackup
import StableModel
import TradeBackups

/// Restores a stable from the one archive that a backup has of it.
extension BackupAnswers {
  func restoreStable(
    _ files: [ArchiveToRestore], _ source: String, _ call: BackupCall.RestoreTeam, of team: Team, _ caller: Caller
  ) async throws -> BackupCall.RestoreTeam.Reply {
    guard call.technician == nil, let file = files.first else {
      throw ControlError.badValue(
        field: "technician", value: call.technician ?? "",
        why: "a stable can only be restored as a whole; leave this out")
    }
    let report: StableRestoreReport
    do {
      report = try await mappingErrors {
        try await importer.restoreStable(file, of: team, dryRun: call.dryRun)
      }
    } catch let refusal as ImportRefusal {
      throw ControlError(.badBackup, refusal.description)
    }
    if !call.dryRun {
      try await store.clearTeamFailures(of: team.id)
      announce(
        team, "was restored from \(source) by \(caller.words): \(report.effect.words(of: .stable))")
      if let upload = call.upload { try await uploads.remove(upload, connection: caller.connection) }
    }
    let localizer = Localizer(team)
    return BackupCall.RestoreTeam.Reply(
      dryRun: call.dryRun, team: call.team,
      archives: [
        RestoredArchiveView(
          name: file.name, technician: nil, schema: 1, madeBy: report.madeBy,
          madeLocal: zones.local(report.madeAt, zone: LocalZone.own), pools: 0, visits: 0,
          photos: report.counts.photos, horses: report.counts.horses, care: report.counts.care)
      ], before: RecordCountsView(report.effect.before, of: .stable),
      after: RecordCountsView(report.effect.after, of: .stable), lost: RecordCountsView(report.lost, of: .stable),
      lostCustomers: [], held: 0, warnings: report.warnings.map { localizer.words(of: $0) })
  }
}
