import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FlowWork
import FoundationEssentials
import PoolBackup
import StableInterchange
import StableModel
import TradeBackups

/// Imports files from the inbox folder exactly once, and writes a result beside each.
///
/// The import's transaction records its claim. After a crash before the commit the next scan imports the claimed file; after a
/// later crash the next scan only renames the file.
struct InboxImports: Sendable {
  let store: any AuditLog & ClockLog & InboxClaims
  let state: InboxState
  let importer: Importer
  let trades: [RunningTrade]
  let settings: EffectiveSettings
  let plans: PlanFeatureGate
  let finder: TeamFinder
  /// Computes what follows from imported records.
  let recordsImported: @Sendable () async -> Void
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
        return try await settle(claim, in: folder, .success(view))
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
      let view = try await imported(claim, from: copy, modifiedAt: modified)
      let file = try await settle(claim, in: folder, .success(view))
      await recordsImported()
      return file
    } catch InboxFolder.CopyFailure.changing {
      return nil
    } catch {
      return await refuse(claim, in: folder, error)
    }
  }

  private func imported(
    _ claim: InboxFolder.Claim, from copy: String, modifiedAt: Timestamp
  ) async throws -> ImportReportView {
    let team = try await finder.team(named: claim.subfolder.team)
    guard let callRouter else { return try await imported(claim, for: team, from: copy, modifiedAt: modifiedAt) }
    return try await callRouter.changing(team: team.id) {
      try await imported(claim, for: team, from: copy, modifiedAt: modifiedAt)
    }
  }

  private func imported(
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
      if let imported = try await trades.first(where: { $0.trade == team.trade })?.importFile(file) {
        let view = try await view(of: imported, team)
        try await store.endAudit(entry, result: "done", at: clock.now())
        announce(team, "took '\(claim.name)' from the inbox: \(imported.noun)")
        return view
      }
      let report = try await mappingErrors {
        try await importer.run(
          path: copy, name: claim.name, team: team, technician: technician, dryRun: false, limitsPools: limited,
          claim: (
            claim.id,
            { report in
              let view = ImportReportView(report, team: team, technician: technician, dryRun: false)
              return String(decoding: try Envelope.encode(view), as: UTF8.self)
            }
          ))
      }
      try await store.endAudit(entry, result: "done", at: clock.now())
      let view = ImportReportView(report, team: team, technician: technician, dryRun: false)
      announce(
        team, "took '\(claim.name)' from the inbox: \(report.effect.words(of: team.trade))\(view.warningCount)")
      return view
    } catch {
      try await store.endAudit(entry, result: "BadFile", at: clock.now())
      throw error
    }
  }

  /// The report of a file that has other contents than records.
  private func view(of file: ImportedFile, _ team: Team) async throws -> ImportReportView {
    let counts = RecordCountsView(try await mappingErrors { try await importer.counts(of: team.id) }, of: team.trade)
    return ImportReportView(
      kind: file.kind, dryRun: false, team: team.name, before: counts, after: counts, creates: file.isNew ? 1 : 0,
      updates: 0, skips: 0, issues: [], issuesTotal: 0, warnings: file.warnings, photos: 0)
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
    _ claim: InboxFolder.Claim, in folder: InboxFolder, _ outcome: Result<ImportReportView, RejectedImport>
  ) async throws -> InboxFileView {
    let result = InboxResultView(claim, outcome, at: clock.now())
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
  /// `; 3 warnings`, or empty without warnings.
  fileprivate var warningCount: String {
    let count = warnings.count + issuesTotal - issues.count { $0.severity == .error }
    return count == 0 ? "" : count == 1 ? "; 1 warning" : "; \(count) warnings"
  }
}

extension InboxResultView {
  fileprivate init(_ claim: InboxFolder.Claim, _ outcome: Result<ImportReportView, RejectedImport>, at now: Timestamp) {
    let message: String
    var done: ImportReportView?
    switch outcome {
    case .success(let report):
      guard report.kind != .forecast else {
        message =
          report.creates == 1
          ? "the forecast is now the newest one" : "the forecast is not newer than the present one"
        done = report
        break
      }
      let (one, many) = report.recordNoun
      let (what, before, after) =
        report.before.horses.map { ("horses", $0, report.after.horses ?? 0) }
        ?? ("pools", report.before.pools, report.after.pools)
      message =
        "\(report.creates) \(report.creates == 1 ? one : many) created, \(report.updates) updated, \(report.skips) skipped; "
        + "\(before) \(what) before, \(after) after\(report.warningCount)"
      done = report
    case .failure(let refusal): message = refusal.why
    }
    self.init(
      file: claim.name, team: claim.subfolder.team, technician: claim.subfolder.technician,
      result: done == nil ? .refused : .imported, message: message, at: now.description, report: done)
  }
}
