import FlowBackup
import FlowControl
import FlowModel
import FlowNodes
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FlowWork
import FoundationEssentials

/// Imports files from the inbox folder exactly once, and writes a result beside each.
///
/// The import's transaction records its claim. After a crash before the commit the next scan imports the claimed file; after a
/// later crash the next scan only renames the file.
struct InboxImports: Sendable {
  let store: any AuditLog & ClockLog & InboxClaims
  let state: InboxState
  let trades: [RunningTrade]
  let settings: EffectiveSettings
  let plans: PlanFeatureGate
  let finder: TeamFinder
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let announce: Announcements
  /// The daemon's private folder for copies, which the file's owner cannot change during the import.
  let copyFolder: String
  /// With several nodes, one of them scans, and acquires the team's partition before an import. Nil for a daemon without other
  /// nodes.
  let callRouter: CallRouter?
  let log: DaemonLog

  /// The files in the inbox and why each is waiting or left there.
  func list() async throws -> ImportCall.Inbox.Reply {
    guard let path = await settings.reading.settings.inbox else { return ImportCall.Inbox.Reply(files: []) }
    let age = try await store.deletionTime(now: clock.now())
    let listing = try await readingInbox { try InboxFolder(path: path).list(now: age) }
    let claimed = listing.claims.map {
      InboxFileView(
        name: $0.name, team: $0.subfolder.team, technician: $0.subfolder.technician, state: .waiting,
        message: "it is being imported, try \($0.attempt) of \(Limits.inboxAttempts)")
    }
    let waiting = listing.waiting.map {
      InboxFileView(
        name: $0.name, team: $0.subfolder.team, technician: $0.subfolder.technician, state: .waiting,
        message: "it is imported once two scans in a row find it unchanged")
    }
    let left = listing.unsupported.map { InboxFileView(name: $0.name, state: .left, message: $0.why) }
    return ImportCall.Inbox.Reply(
      directory: path, files: Array((claimed + waiting + left).prefix(Limits.rowsPerAnswer)))
  }

  /// Imports all files now, without waiting until they stop changing: the caller says that they are complete.
  func takeAll() async throws -> ImportCall.TakeInbox.Reply {
    guard let path = await settings.reading.settings.inbox else {
      throw ControlError.badSettings(
        "the settings name no inbox: write Inbox = /PATH into [Daemon] and run `pfctl reload`", problems: "")
    }
    guard await state.beginScan() else {
      throw ControlError(.busy, "the inbox is being scanned; try again when that is done")
    }
    let files: [InboxFileView]
    do {
      files = try await readingInbox { try await importFiles(through: InboxFolder(path: path), areComplete: true) }
    } catch {
      await state.endScan()
      throw error
    }
    await state.endScan()
    return ImportCall.TakeInbox.Reply(directory: path, files: files)
  }

  /// Scans once a minute and imports complete files. Each failure is logged once.
  func scan() async {
    guard let callRouter else { return await scanHere() }
    await callRouter.ifOwningServerWork { await scanHere() }
  }

  /// Scans on this node, unless a scan is running.
  private func scanHere() async {
    guard let path = await settings.reading.settings.inbox, await state.beginScan() else { return }
    do {
      _ = try await importFiles(through: InboxFolder(path: path), areComplete: false)
    } catch {
      for words in await state.newFailures(of: ["\(error)"]) { log.error("\(words); looking again every minute") }
    }
    await state.endScan()
  }

  /// Runs `body` and reports a `SystemFailure` of the folder to the caller.
  private func readingInbox<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let failure as SystemFailure {
      throw ControlError(
        .storage, "\(failure); check that it exists and that the daemon's user may read and rename files in it")
    }
  }

  // MARK: One scan

  /// Imports the files of one scan: first those that were claimed before, then new ones.
  ///
  /// - Parameter areComplete: true to import files without waiting until they stop changing.
  private func importFiles(through folder: InboxFolder, areComplete: Bool) async throws -> [InboxFileView] {
    let now = clock.now()
    let listing = try folder.list(now: try await store.deletionTime(now: now))
    for words in await state.newFailures(
      of: listing.unsupported.map { "'\($0.name)' in the inbox is left there: \($0.why)" })
    {
      log.warning(words)
    }
    var done: [InboxFileView] = []
    for claim in listing.claims.prefix(Limits.inboxFilesAtOnce) {
      guard !Task.isCancelled else { return done }
      if let file = await resume(claim, in: folder) { done.append(file) }
    }
    let ready = areComplete ? listing.waiting : await state.ready(listing.waiting, at: now)
    for entry in ready.prefix(Limits.inboxFilesAtOnce) {
      guard !Task.isCancelled else { return done }
      do {
        guard let claim = try folder.take(entry, now: now) else { continue }
        if let file = await take(claim, in: folder) { done.append(file) }
      } catch {
        for words in await state.newFailures(of: ["\(error)"]) { log.error("\(words); trying again every minute") }
      }
    }
    return done
  }

  /// Continues a claim of an earlier process or attempt; a committed import is only renamed.
  private func resume(_ claim: InboxFolder.Claim, in folder: InboxFolder) async -> InboxFileView? {
    do {
      if let report = try await store.inboxReport(of: claim.id) {
        let view = try UntrustedJSON.decode(ImportReportView.self, from: Array(report.utf8))
        // The team may have been removed since.
        let team = try? await finder.team(named: view.team)
        return try await settle(claim, in: folder, .success((view, team.flatMap { trades.of($0)?.records })))
      }
      guard claim.attempt < Limits.inboxAttempts else {
        let why =
          "\(claim.attempt) tries to import it were cut short by a stop of the daemon or a "
          + "full disk; it was set aside"
        return try await settle(claim, in: folder, .failure(RejectedImport(why: why)))
      }
      return await take(try folder.retake(claim), in: folder)
    } catch {
      log.error("'\(claim.name)' of the inbox: \(error); trying again within a minute")
      return nil
    }
  }

  /// Imports a claimed file and renames it.
  ///
  /// - Returns: nil if the file has to wait for another scan.
  private func take(_ claim: InboxFolder.Claim, in folder: InboxFolder) async -> InboxFileView? {
    let copy = "\(copyFolder)/inbox-\(claim.id)"
    defer {
      // A copy that cannot be removed is deleted at the next start.
      try? PrivateFiles.removeTree(copy)
    }
    do {
      let modified = try folder.copy(claim, to: copy)
      let team = try await finder.team(named: claim.subfolder.team)
      let view = try await imported(claim, for: team, from: copy, modifiedAt: modified)
      let file = try await settle(claim, in: folder, .success((view, trades.of(team)?.records)))
      await trades.of(team)?.teams.recordsImported()
      return file
    } catch InboxFolder.CopyFailure.changing {
      return nil
    } catch {
      return await refuse(claim, in: folder, error)
    }
  }

  /// Imports a claimed file; with several nodes, once this node owns the team's partition.
  private func imported(
    _ claim: InboxFolder.Claim, for team: Team, from copy: String, modifiedAt: Timestamp
  ) async throws -> ImportReportView {
    guard let callRouter else { return try await importHere(claim, for: team, from: copy, modifiedAt: modifiedAt) }
    return try await callRouter.changing(team: team.id) {
      try await importHere(claim, for: team, from: copy, modifiedAt: modifiedAt)
    }
  }

  private func importHere(
    _ claim: InboxFolder.Claim, for team: Team, from copy: String, modifiedAt: Timestamp
  ) async throws -> ImportReportView {
    let technician = claim.subfolder.technician
    if let technician {
      try FieldValue.checkName(technician, field: "technician")
      try await finder.checkTechnician(technician, field: "technician", of: team)
    }
    let limited = await plans.limitsApply
    let entry = try await store.beginAudit(
      uid: claim.owner, userName: Accounts.userName(claim.owner),
      command: "inbox: import '\(claim.name)' --team \(team.name)" + (technician.map { " --technician '\($0)'" } ?? ""),
      at: clock.now())
    do {
      let file = InboxFile(team: team, name: claim.name, path: copy, modifiedAt: modifiedAt)
      let records = try trades.records(of: team)
      if let imported = try await trades.of(team)?.importFile(file) {
        let counts = try await mappingErrors { try await records.counts(of: team.id) }
        let view = ImportReportView(imported, team, counts)
        try await store.endAudit(entry, result: "done", at: clock.now())
        announce(team, "took '\(claim.name)' from the inbox: \(imported.noun)")
        return view
      }
      let request = ImportRequest(
        path: copy, name: claim.name, team: team, technician: technician, dryRun: false, limitsRecords: limited)
      let view = try await mappingErrors {
        try await records.importFile(
          request, claim: (claim.id, { String(decoding: try Envelope.encode($0), as: UTF8.self) })
        ).report
      }
      try await store.endAudit(entry, result: "done", at: clock.now())
      let change = records.change(from: view.before, to: view.after)
      announce(team, "took '\(claim.name)' from the inbox: \(change)\(view.warningCount)")
      return view
    } catch {
      try await store.endAudit(entry, result: "BadFile", at: clock.now())
      throw error
    }
  }

  /// Sets a file aside if the error is about the file itself; after any other error, nil: the next scan tries again.
  private func refuse(
    _ claim: InboxFolder.Claim, in folder: InboxFolder, _ error: any Error
  ) async -> InboxFileView? {
    let refused: RejectedImport
    switch error {
    case InboxFolder.CopyFailure.refused(let words):
      refused = RejectedImport(why: "'\(claim.name)' was not imported: \(words)")
    case let refusal as ImportRefusal: refused = RejectedImport(why: refusal.description, logged: refusal.logged)
    case let error as ControlError where error.kind != .storage: refused = RejectedImport(why: error.message)
    default:
      log.error("'\(claim.name)' of the inbox: \(error); trying again within a minute")
      return nil
    }
    do {
      return try await settle(claim, in: folder, .failure(refused))
    } catch {
      log.error("'\(claim.name)' of the inbox: \(error); trying again within a minute")
      return nil
    }
  }

  /// Writes the result beside the file, renames the file and forgets the claim.
  private func settle(
    _ claim: InboxFolder.Claim, in folder: InboxFolder, _ outcome: Outcome
  ) async throws -> InboxFileView {
    let result = InboxResultView(claim, outcome, trades, at: clock.now())
    let bytes = try Envelope.document("poolflow.inbox/1", result) + [0x0A]
    try folder.settle(claim, imported: result.report != nil, result: bytes)
    if case .failure(let refusal) = outcome {
      log.warning("'\(claim.name)' in the inbox of '\(claim.subfolder.team)' was set aside: \(refusal.logged)")
    }
    try await store.forgetInboxClaim(claim.id)
    return InboxFileView(
      name: claim.name, team: claim.subfolder.team, technician: claim.subfolder.technician, state: result.result,
      message: result.message, warnings: result.report?.sentences)
  }
}

/// The report of an imported file and the records of its team's trade (nil for a removed team), or why the file is set aside.
private typealias Outcome = Result<(report: ImportReportView, records: (any TradeRecords)?), RejectedImport>

/// Why an inbox file is set aside.
private struct RejectedImport: Error {
  let why: String
  /// The reason for the log, without private contents of the file.
  let logged: String

  init(why: String, logged: String? = nil) {
    self.why = why
    self.logged = logged ?? why
  }
}

extension ImportReportView {
  /// The report of a file that has other contents than records.
  fileprivate init(_ file: ImportedFile, _ team: Team, _ counts: RecordCountsView) {
    self.init(
      kind: file.kind, dryRun: false, team: team.name, before: counts, after: counts, creates: file.isNew ? 1 : 0,
      updates: 0, skips: 0, issues: [], issuesTotal: 0, warnings: file.warnings, photos: 0)
  }

  /// The warnings and skipped rows, one sentence each.
  fileprivate var sentences: [String] {
    warnings + issues.map { issue in (issue.row.map { "row \($0): " } ?? "") + issue.message }
  }

  /// `; 3 warnings`, or empty without warnings.
  fileprivate var warningCount: String {
    let count = warnings.count + issuesTotal - issues.count { $0.severity == .error }
    return count == 0 ? "" : count == 1 ? "; 1 warning" : "; \(count) warnings"
  }
}

extension InboxResultView {
  fileprivate init(_ claim: InboxFolder.Claim, _ outcome: Outcome, _ trades: [RunningTrade], at now: Timestamp) {
    let message: String
    var done: ImportReportView?
    switch outcome {
    case .success((let report, let records)):
      guard report.kind != .forecast else {
        message =
          report.creates == 1
          ? "the forecast is now the newest one" : "the forecast is not newer than the present one"
        done = report
        break
      }
      // The team may be gone, so the report alone decides.
      let noun = report.recordNoun ?? trades.lazy.compactMap { $0.records.noun(of: report) }.first
      let (one, many) = noun ?? ("record", "records")
      let change = records.map { "; \($0.change(from: report.before, to: report.after))" } ?? ""
      message =
        "\(report.creates) \(report.creates == 1 ? one : many) created, \(report.updates) updated, \(report.skips) skipped"
        + "\(change)\(report.warningCount)"
      done = report
    case .failure(let refusal): message = refusal.why
    }
    self.init(
      file: claim.name, team: claim.subfolder.team, technician: claim.subfolder.technician,
      result: done == nil ? .refused : .imported, message: message, at: now.description, report: done)
  }
}
