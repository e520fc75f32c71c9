import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore

/// The audit log of changes, with the caller and the result of each.
struct AuditTrail: Sendable {
  let store: any AuditLog
  let uploads: Uploads
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let log: DaemonLog
  /// Notified of each change, so that published pages are updated.
  let changes: SiteChanges

  func entries(since start: Timestamp?, limit: Int) async throws -> [AuditRecord] {
    try await mappingErrors { try await store.audit(since: start, limit: limit) }
  }

  /// Makes a change between two audit entries: caller and command before it, the result after it. Without the first entry no
  /// change is made.
  func audited(
    _ call: any ControlMethod, _ caller: Caller, _ change: () async throws -> [[UInt8]]
  ) async throws -> [[UInt8]] {
    guard let command = await auditWords(of: call, caller) else { return try await change() }
    // Look the name up first: the import consumes the upload.
    let team = await call.namedTeam(in: uploads, caller)
    let entry = try await mappingErrors {
      try await store.beginAudit(uid: caller.uid, userName: caller.name, command: command, at: clock.now())
    }
    do {
      let answer = try await change()
      changes.note(team)
      await endAudit(entry, "done")
      return answer
    } catch {
      let name = (error as? ControlError)?.name.split(separator: ".").last.map(String.init)
      await endAudit(entry, name ?? "Internal")
      throw error
    }
  }

  /// Adds the result to an audit entry; a failure is only logged.
  private func endAudit(_ entry: Int64, _ result: String) async {
    do {
      try await store.endAudit(entry, result: result, at: clock.now())
    } catch {
      // The change is made, and the entry of its beginning exists.
      log.error("the result of a change could not be written to the audit log: \(error)")
    }
  }

  /// The command for the audit log. In a call with `#@ audited file`, the file's name replaces the id of the upload. The
  /// upload's team and technician follow if the call has no team of its own.
  private func auditWords(of call: any ControlMethod, _ caller: Caller) async -> String? {
    guard let words = call.auditWords, let id = call.auditedUpload,
      let upload = try? await uploads.finished(id, connection: caller.connection)
    else { return call.auditWords }
    let named = words.replacing(id, with: "'\(upload.fileName)'", maxReplacements: 1)
    guard case .teamOfUpload = call.partition else { return named }
    return named + " --team \(upload.team)" + (upload.technician.map { " --technician '\($0)'" } ?? "")
  }
}

extension ControlMethod {
  /// The team that the parameter `team` or the call's upload names; nil if the call names none, or in another parameter.
  fileprivate func namedTeam(in uploads: Uploads, _ caller: Caller) async -> String? {
    guard case .teamOfUpload(let upload, _) = partition else { return namedTeam }
    return try? await uploads.finished(upload, connection: caller.connection).team
  }
}
