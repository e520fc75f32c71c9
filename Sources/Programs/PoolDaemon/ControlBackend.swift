package import PoolControl
internal import PoolPlatform

/// Who is calling, as the kernel says.
package struct Caller: Hashable, Sendable {
  package let uid: UInt32
  package let gid: UInt32
  package let pid: Int32
  /// Different for every connection of this process; uploads belong to one.
  package let connection: UInt64

  package init(uid: UInt32, gid: UInt32, pid: Int32, connection: UInt64) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.connection = connection
  }

  /// The user's name, where the system has one for `uid`; looked up each time, for changes only.
  package var name: String? { Accounts.userName(uid) }
}

/// What the control socket can ask of the daemon: one verb for each call.
///
/// A verb throws `ControlError` for a refusal that the caller should read; anything else becomes
/// `org.poolflow.Control.Internal`. Only callers who may change things get this far.
package protocol ControlBackend: Sendable {
  func status(_ call: SchedulerCall.Status, _ caller: Caller) async throws -> SchedulerCall.Status.Reply
  func listJobs(_ call: SchedulerCall.List, _ caller: Caller) async throws -> SchedulerCall.List.Reply
  func nextSlots(_ call: SchedulerCall.Next, _ caller: Caller) async throws -> SchedulerCall.Next.Reply
  func runJob(_ call: SchedulerCall.Run, _ caller: Caller) async throws -> SchedulerCall.Run.Reply
  func history(_ call: SchedulerCall.History, _ caller: Caller) async throws -> SchedulerCall.History.Reply
  func pause(_ call: SchedulerCall.Pause, _ caller: Caller) async throws -> SchedulerCall.Pause.Reply
  func resume(_ call: SchedulerCall.Resume, _ caller: Caller) async throws -> SchedulerCall.Resume.Reply
  func skip(_ call: SchedulerCall.Skip, _ caller: Caller) async throws -> SchedulerCall.Skip.Reply
  func why(_ call: SchedulerCall.Why, _ caller: Caller) async throws -> SchedulerCall.Why.Reply
  func cancel(_ call: SchedulerCall.Cancel, _ caller: Caller) async throws -> SchedulerCall.Cancel.Reply
  func recentEvents(_ call: SchedulerCall.Events, _ caller: Caller) async throws -> SchedulerCall.Events.Reply
  /// Hands what happens to `emit`, which throws when the caller has gone, until the connection ends or the daemon stops.
  func followEvents(
    _ call: SchedulerCall.Events, _ caller: Caller, emit: (SchedulerCall.Events.Reply) async throws -> Void
  ) async throws
  /// Runs a job and hands the run to `emit` whenever it has changed.
  /// - Returns: the run with its verdict, or as it was when the daemon stopped.
  func runAndWait(
    _ call: SchedulerCall.Run, _ caller: Caller, emit: (SchedulerCall.Run.Reply) async throws -> Void
  ) async throws -> SchedulerCall.Run.Reply
  /// The caller has hung up while it was answered.
  func hungUp(_ caller: Caller) async
  /// Hands each event to `emit` as it is decided, in order of time. `emit` throws when the caller has gone: stop then.
  func simulate(
    _ call: SchedulerCall.Simulate, _ caller: Caller, emit: @Sendable (SimulatedEventView) async throws -> Void
  ) async throws -> SimulationView

  func addTeam(_ call: TeamsCall.Add, _ caller: Caller) async throws -> TeamsCall.Add.Reply
  func listTeams(_ call: TeamsCall.List, _ caller: Caller) async throws -> TeamsCall.List.Reply
  func showTeam(_ call: TeamsCall.Show, _ caller: Caller) async throws -> TeamsCall.Show.Reply
  func setTeam(_ call: TeamsCall.Set, _ caller: Caller) async throws -> TeamsCall.Set.Reply
  func setPlan(_ call: TeamsCall.Plan, _ caller: Caller) async throws -> TeamsCall.Plan.Reply
  func clearTeam(_ call: TeamsCall.Clear, _ caller: Caller) async throws -> TeamsCall.Clear.Reply

  func listPools(_ call: PoolsCall.List, _ caller: Caller) async throws -> PoolsCall.List.Reply
  func showPool(_ call: PoolsCall.Show, _ caller: Caller) async throws -> PoolsCall.Show.Reply

  func logVisit(_ call: FieldCall.LogVisit, _ caller: Caller) async throws -> FieldCall.LogVisit.Reply
  func undoVisit(_ call: FieldCall.UndoVisit, _ caller: Caller) async throws -> FieldCall.UndoVisit.Reply
  func listVisits(_ call: FieldCall.ListVisits, _ caller: Caller) async throws -> FieldCall.ListVisits.Reply
  func addPool(_ call: FieldCall.AddPool, _ caller: Caller) async throws -> FieldCall.AddPool.Reply
  func setPool(_ call: FieldCall.SetPool, _ caller: Caller) async throws -> FieldCall.SetPool.Reply
  func removePool(_ call: FieldCall.RemovePool, _ caller: Caller) async throws -> FieldCall.RemovePool.Reply
  func setProfile(_ call: FieldCall.SetProfile, _ caller: Caller) async throws -> FieldCall.SetProfile.Reply
  func listStock(_ call: FieldCall.ListStock, _ caller: Caller) async throws -> FieldCall.ListStock.Reply
  func addStock(_ call: FieldCall.AddStock, _ caller: Caller) async throws -> FieldCall.AddStock.Reply
  func setStock(_ call: FieldCall.SetStock, _ caller: Caller) async throws -> FieldCall.SetStock.Reply
  func removeStock(_ call: FieldCall.RemoveStock, _ caller: Caller) async throws -> FieldCall.RemoveStock.Reply
  func listEquipment(_ call: FieldCall.ListEquipment, _ caller: Caller) async throws -> FieldCall.ListEquipment.Reply
  func addEquipment(_ call: FieldCall.AddEquipment, _ caller: Caller) async throws -> FieldCall.AddEquipment.Reply
  func setEquipment(_ call: FieldCall.SetEquipment, _ caller: Caller) async throws -> FieldCall.SetEquipment.Reply
  func removeEquipment(_ call: FieldCall.RemoveEquipment, _ caller: Caller) async throws
    -> FieldCall.RemoveEquipment.Reply
  func refresh(_ call: WaterCall.Refresh, _ caller: Caller) async throws -> WaterCall.Refresh.Reply
  func profit(_ call: WaterCall.Profit, _ caller: Caller) async throws -> WaterCall.Profit.Reply
  func health(_ call: WaterCall.Health, _ caller: Caller) async throws -> WaterCall.Health.Reply
  func trend(_ call: WaterCall.Trend, _ caller: Caller) async throws -> WaterCall.Trend.Reply
  func usage(_ call: WaterCall.Usage, _ caller: Caller) async throws -> WaterCall.Usage.Reply
  func export(_ call: WaterCall.Export, _ caller: Caller) async throws -> WaterCall.Export.Reply

  func showRoutes(_ call: RoutesCall.Show, _ caller: Caller) async throws -> RoutesCall.Show.Reply
  func optimiseRoutes(_ call: RoutesCall.Optimise, _ caller: Caller) async throws -> RoutesCall.Optimise.Reply
  func compareRoutes(_ call: RoutesCall.Compare, _ caller: Caller) async throws -> RoutesCall.Compare.Reply
  func applyRoutes(_ call: RoutesCall.Apply, _ caller: Caller) async throws -> RoutesCall.Apply.Reply
  func undoRoutes(_ call: RoutesCall.Undo, _ caller: Caller) async throws -> RoutesCall.Undo.Reply
  func moveStop(_ call: RoutesCall.Move, _ caller: Caller) async throws -> RoutesCall.Move.Reply
  func pinStop(_ call: RoutesCall.Pin, _ caller: Caller) async throws -> RoutesCall.Pin.Reply
  func routeProgress(_ call: RoutesCall.Progress, _ caller: Caller) async throws -> RoutesCall.Progress.Reply
  func importTravelTable(_ call: RoutesCall.ImportTable, _ caller: Caller) async throws -> RoutesCall.ImportTable.Reply
  func removeTravelTable(_ call: RoutesCall.RemoveTable, _ caller: Caller) async throws -> RoutesCall.RemoveTable.Reply
  func digest(_ call: ReportsCall.Digest, _ caller: Caller) async throws -> ReportsCall.Digest.Reply
  func visitReport(_ call: ReportsCall.Visit, _ caller: Caller) async throws -> ReportsCall.Visit.Reply
  func monthReport(_ call: ReportsCall.Month, _ caller: Caller) async throws -> ReportsCall.Month.Reply

  func openUpload(_ call: ImportCall.Open, _ caller: Caller) async throws -> ImportCall.Open.Reply
  /// `data` is decoded already.
  func addPiece(
    upload: String, offset: Int, data: [UInt8], _ caller: Caller
  ) async throws -> ImportCall.Piece.Reply
  func applyUpload(_ call: ImportCall.Apply, _ caller: Caller) async throws -> ImportCall.Apply.Reply
  func cancelUpload(_ call: ImportCall.Cancel, _ caller: Caller) async throws -> ImportCall.Cancel.Reply

  func createBackup(_ call: BackupCall.Create, _ caller: Caller) async throws -> BackupCall.Create.Reply
  func listBackups(_ call: BackupCall.List, _ caller: Caller) async throws -> BackupCall.List.Reply
  func showBackup(_ call: BackupCall.Show, _ caller: Caller) async throws -> BackupCall.Show.Reply
  func verifyBackup(_ call: BackupCall.Verify, _ caller: Caller) async throws -> BackupCall.Verify.Reply
  func restoreBackup(_ call: BackupCall.Restore, _ caller: Caller) async throws -> BackupCall.Restore.Reply
  func readBackup(_ call: BackupCall.Read, _ caller: Caller) async throws -> BackupCall.Read.Reply
  func restoreTeam(_ call: BackupCall.RestoreTeam, _ caller: Caller) async throws -> BackupCall.RestoreTeam.Reply
  func pruneBackups(_ call: BackupCall.Prune, _ caller: Caller) async throws -> BackupCall.Prune.Reply

  func listEntries(_ call: OutboxCall.List, _ caller: Caller) async throws -> OutboxCall.List.Reply
  func showNotice(_ call: OutboxCall.Show, _ caller: Caller) async throws -> OutboxCall.Show.Reply

  func retryEntries(_ call: OutboxCall.Retry, _ caller: Caller) async throws -> OutboxCall.Retry.Reply
  func releaseEntries(_ call: OutboxCall.Release, _ caller: Caller) async throws -> OutboxCall.Release.Reply
  func discardEntries(_ call: OutboxCall.Discard, _ caller: Caller) async throws -> OutboxCall.Discard.Reply
  func purgeEntries(_ call: OutboxCall.Purge, _ caller: Caller) async throws -> OutboxCall.Purge.Reply
  func listSinks(_ call: OutboxCall.Sinks, _ caller: Caller) async throws -> OutboxCall.Sinks.Reply
  func testSink(_ call: OutboxCall.Test, _ caller: Caller) async throws -> OutboxCall.Test.Reply

  func showSettings(_ call: DaemonCall.Settings, _ caller: Caller) async throws -> DaemonCall.Settings.Reply
  func listAudit(_ call: DaemonCall.Audit, _ caller: Caller) async throws -> DaemonCall.Audit.Reply
  func examine(_ call: DaemonCall.Examine, _ caller: Caller) async throws -> DaemonCall.Examine.Reply
  /// Makes a change and writes down who asked for it and what came of it.
  func audited(_ call: any ControlMethod, _ caller: Caller, _ change: () async throws -> [UInt8]) async throws
    -> [UInt8]
  func reload(_ call: DaemonCall.Reload, _ caller: Caller) async throws -> DaemonCall.Reload.Reply

  /// The connection has ended: forget the uploads it left open.
  func connectionEnded(_ caller: Caller) async
}
