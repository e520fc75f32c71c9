import PoolControl
import PoolModel
import PoolPlatform
import PoolStore

extension Backend {
  /// Makes a change with a trace of it: who and what before, what came of it after. Without a trace no change is made.
  func audited(
    _ call: any ControlMethod, _ caller: Caller, _ change: () async throws -> [[UInt8]]
  ) async throws -> [[UInt8]] {
    guard let command = await auditWords(of: call, caller) else { return try await change() }
    let entry = try await refusing {
      try await store.beginAudit(uid: caller.uid, userName: caller.name, command: command, at: clock.now())
    }
    do {
      let answer = try await change()
      await endAudit(entry, "done")
      return answer
    } catch {
      let name = (error as? ControlError)?.name.split(separator: ".").last.map(String.init)
      await endAudit(entry, name ?? "Internal")
      throw error
    }
  }

  private func endAudit(_ entry: Int64, _ result: String) async {
    do {
      try await store.endAudit(entry, result: result, at: clock.now())
    } catch {
      // The change is made, and its beginning is in the book.
      log.error("the result of a change could not be written down: \(error)")
    }
  }

  /// An import's call knows only its upload; the book has the file and the team.
  private func auditWords(of call: any ControlMethod, _ caller: Caller) async -> String? {
    if let restore = call as? BackupCall.RestoreTeam, let id = restore.upload, let words = restore.auditWords,
      let upload = try? await uploads.finished(id, connection: caller.connection)
    {
      return words.replacing(id, with: "'\(upload.fileName)'", maxReplacements: 1)
    }
    guard let apply = call as? ImportCall.Apply, !apply.dryRun else { return call.auditWords }
    guard let upload = try? await uploads.finished(apply.upload, connection: caller.connection) else {
      return call.auditWords
    }
    return "import '\(upload.fileName)' --team \(upload.team)"
      + (upload.technician.map { " --technician '\($0)'" } ?? "")
  }

  func audit(_ call: DaemonCall.Audit, _ caller: Caller) async throws -> DaemonCall.Audit.Reply {
    guard (1...Limits.rowsPerAnswer).contains(call.limit) else {
      throw ControlError.badValue(
        field: "limit", value: String(call.limit), why: "it is from 1 to \(Limits.rowsPerAnswer)")
    }
    var start: Timestamp?
    if let since = call.since {
      start = Timestamp(rfc3339: since)
      guard start != nil else {
        throw ControlError.badValue(field: "since", value: since, why: "write a time such as 2026-03-02T00:00:00Z")
      }
    }
    let zone = LocalZone.name(environment: [:])
    let records = try await refusing { [start] in try await store.audit(since: start, limit: call.limit) }
    return DaemonCall.Audit.Reply(
      entries: records.map {
        AuditView(
          at: $0.at.description, local: local($0.at, zone: zone), uid: Int($0.uid), user: $0.userName,
          command: $0.command, result: $0.result, finishedAt: $0.finishedAt?.description)
      })
  }
}
