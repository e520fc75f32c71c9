import FlowControl
import Testing

struct AuditWordsTests {
  @Test func `changes are recorded in the audit as pfctl command lines`() {
    #expect(TeamsCall.Add(name: "a", zone: "UTC").auditWords == "team add a --zone UTC")
    #expect(
      TeamsCall.Set(name: "a", changes: [SettingChangeView(key: "units", value: "metric")]).auditWords
        == "team set a units=metric")
    #expect(
      TeamsCall.Plan(name: "a", plan: .trial, until: "2027-01-01").auditWords == "team plan a trial --until 2027-01-01")
    #expect(DaemonCall.Reload().auditWords == "reload")
    #expect(ImportCall.Apply(upload: "upload-1", dryRun: false).auditWords == "import upload-1")
    #expect(TeamsCall.Clear(name: "a", dryRun: false, confirm: "a").auditWords == "team clear a")
    #expect(
      BackupCall.RestoreTeam(id: "latest", team: "a", technician: "Ana", dryRun: false, confirm: "a").auditWords
        == "backup restore latest --team a --technician Ana")
  }

  @Test func `an outbox repair is recorded with its selection, a count is not`() {
    let some = EntrySelectionView(sink: "drop", since: "2026-03-02T00:00:00Z")
    #expect(
      OutboxCall.Retry(which: some, onlyDead: true, dryRun: false).auditWords
        == "outbox retry --state dead --all --sink drop --since 2026-03-02T00:00:00Z")
    #expect(
      OutboxCall.Discard(which: EntrySelectionView(noticeId: "n-1"), dryRun: false).auditWords == "outbox discard n-1")
    #expect(OutboxCall.Purge(which: some, dryRun: true).auditWords == nil)
  }

  @Test func `calls without a lasting change are not recorded in the audit`() {
    #expect(ImportCall.Apply(upload: "upload-1", dryRun: true).auditWords == nil)
    #expect(ImportCall.Piece(upload: "upload-1", offset: 0, data: "c2VjcmV0").auditWords == nil)
    #expect(TeamsCall.List().auditWords == nil)
    #expect(TeamsCall.Clear(name: "a", dryRun: true).auditWords == nil)
    #expect(BackupCall.RestoreTeam(upload: "upload-1", team: "a", dryRun: true).auditWords == nil)
    #expect(DaemonCall.Audit(limit: 1).auditWords == nil)
  }

  @Test func `a change without audit text of its own records no parameter`() {
    struct Pause: ControlMethod {
      static let method = "org.poolflow.Scheduler.Pause"
      static let changes = true
      static let parameterNames = ["job"]
      typealias Reply = ImportCall.Cancel.Reply
      let job: String
      var partition: CallPartition { .server }
    }
    #expect(Pause(job: "low-stock").auditWords == "Scheduler.Pause")
  }
}
