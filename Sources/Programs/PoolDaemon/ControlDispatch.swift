internal import FoundationEssentials
internal import PoolControl
internal import PoolModel
internal import Synchronization

/// Finds the backend's verb for a call and puts its answer into frames.
struct ControlDispatch: Sendable {
  let backend: any ControlBackend
  let version: String
  /// Nothing may be changed: the daemon itself does not run.
  var readOnly = false

  /// Answers one call to its end, whatever it holds.
  func answer(_ frame: [UInt8], _ caller: Caller, through loop: ControlLoop) async {
    var oneway = false
    var last: [UInt8]
    do {
      let head = try Envelope.head(of: frame)
      oneway = head.oneway
      if head.upgrade { throw ControlError.invalidParameter("upgrade", "connections cannot be upgraded") }
      let more = head.more && !head.oneway
      switch head.method {
      case SchedulerCall.Simulate.method: last = try await simulate(frame, caller, more: more, loop)
      case SchedulerCall.Events.method where more: last = try await follow(frame, caller, loop)
      case SchedulerCall.Run.method where more: last = try await runAndWait(frame, caller, loop)
      default: last = try await reply(to: head.method, frame, caller)
      }
      if last.count > Limits.controlReplyBytes { throw Self.tooLong }
    } catch let error as ControlError {
      last = Envelope.error(error)
    } catch is CancellationError {
      last = Envelope.error(ControlError(.stopping, "the daemon is stopping; try again once it is back"))
    } catch {
      // The error's own words: nothing sensitive may stand in an error (DESIGN §6).
      last = Envelope.error(ControlError(.internal, "the daemon could not answer: \(error); its journal knows more"))
    }
    await loop.send(oneway ? nil : last, to: caller.connection, last: true)
  }

  private static let tooLong = ControlError(
    .tooLarge, "the answer passes \(Limits.controlReplyBytes >> 20) MiB; ask for less, or for one team")

  private func reply(to method: String, _ frame: [UInt8], _ caller: Caller) async throws -> [UInt8] {
    let backend = backend
    switch method {
    case SchedulerCall.Status.method: return try await respond(frame, caller, backend.status)
    case SchedulerCall.List.method: return try await respond(frame, caller, backend.listJobs)
    case SchedulerCall.Next.method: return try await respond(frame, caller, backend.nextSlots)
    case SchedulerCall.Run.method: return try await respond(frame, caller, backend.runJob)
    case SchedulerCall.History.method: return try await respond(frame, caller, backend.history)
    case SchedulerCall.Pause.method: return try await respond(frame, caller, backend.pause)
    case SchedulerCall.Resume.method: return try await respond(frame, caller, backend.resume)
    case SchedulerCall.Skip.method: return try await respond(frame, caller, backend.skip)
    case SchedulerCall.Cancel.method: return try await respond(frame, caller, backend.cancel)
    case SchedulerCall.Events.method: return try await respond(frame, caller, backend.recentEvents)
    case SchedulerCall.Why.method: return try await respond(frame, caller, backend.why)
    case TeamsCall.Add.method: return try await respond(frame, caller, backend.addTeam)
    case TeamsCall.List.method: return try await respond(frame, caller, backend.listTeams)
    case TeamsCall.Show.method: return try await respond(frame, caller, backend.showTeam)
    case TeamsCall.Set.method: return try await respond(frame, caller, backend.setTeam)
    case TeamsCall.Plan.method: return try await respond(frame, caller, backend.setPlan)
    case TeamsCall.Clear.method: return try await respond(frame, caller, backend.clearTeam)
    case PoolsCall.List.method: return try await respond(frame, caller, backend.listPools)
    case PoolsCall.Show.method: return try await respond(frame, caller, backend.showPool)
    case FieldCall.LogVisit.method: return try await respond(frame, caller, backend.logVisit)
    case FieldCall.UndoVisit.method: return try await respond(frame, caller, backend.undoVisit)
    case FieldCall.ListVisits.method: return try await respond(frame, caller, backend.listVisits)
    case FieldCall.AddPool.method: return try await respond(frame, caller, backend.addPool)
    case FieldCall.SetPool.method: return try await respond(frame, caller, backend.setPool)
    case FieldCall.RemovePool.method: return try await respond(frame, caller, backend.removePool)
    case FieldCall.SetProfile.method: return try await respond(frame, caller, backend.setProfile)
    case FieldCall.ListStock.method: return try await respond(frame, caller, backend.listStock)
    case FieldCall.AddStock.method: return try await respond(frame, caller, backend.addStock)
    case FieldCall.SetStock.method: return try await respond(frame, caller, backend.setStock)
    case FieldCall.RemoveStock.method: return try await respond(frame, caller, backend.removeStock)
    case FieldCall.ListEquipment.method: return try await respond(frame, caller, backend.listEquipment)
    case FieldCall.AddEquipment.method: return try await respond(frame, caller, backend.addEquipment)
    case FieldCall.SetEquipment.method: return try await respond(frame, caller, backend.setEquipment)
    case FieldCall.RemoveEquipment.method: return try await respond(frame, caller, backend.removeEquipment)
    case WaterCall.Refresh.method: return try await respond(frame, caller, backend.refresh)
    case WaterCall.Profit.method: return try await respond(frame, caller, backend.profit)
    case WaterCall.Health.method: return try await respond(frame, caller, backend.health)
    case WaterCall.Trend.method: return try await respond(frame, caller, backend.trend)
    case WaterCall.Usage.method: return try await respond(frame, caller, backend.usage)
    case WaterCall.Export.method: return try await respond(frame, caller, backend.export)
    case RoutesCall.Show.method: return try await respond(frame, caller, backend.showRoutes)
    case RoutesCall.Optimise.method: return try await respond(frame, caller, backend.optimiseRoutes)
    case RoutesCall.Compare.method: return try await respond(frame, caller, backend.compareRoutes)
    case RoutesCall.Apply.method: return try await respond(frame, caller, backend.applyRoutes)
    case RoutesCall.Undo.method: return try await respond(frame, caller, backend.undoRoutes)
    case RoutesCall.Move.method: return try await respond(frame, caller, backend.moveStop)
    case RoutesCall.Pin.method: return try await respond(frame, caller, backend.pinStop)
    case RoutesCall.Progress.method: return try await respond(frame, caller, backend.routeProgress)
    case RoutesCall.ImportTable.method: return try await respond(frame, caller, backend.importTravelTable)
    case RoutesCall.RemoveTable.method: return try await respond(frame, caller, backend.removeTravelTable)
    case ReportsCall.Digest.method: return try await respond(frame, caller, backend.digest)
    case ReportsCall.Visit.method: return try await respond(frame, caller, backend.visitReport)
    case ReportsCall.Month.method: return try await respond(frame, caller, backend.monthReport)
    case ImportCall.Open.method: return try await respond(frame, caller, backend.openUpload)
    case ImportCall.Piece.method: return try await respond(frame, caller, addPiece)
    case ImportCall.Apply.method: return try await respond(frame, caller, backend.applyUpload)
    case ImportCall.Cancel.method: return try await respond(frame, caller, backend.cancelUpload)
    case BackupCall.Create.method: return try await respond(frame, caller, backend.createBackup)
    case BackupCall.List.method: return try await respond(frame, caller, backend.listBackups)
    case BackupCall.Show.method: return try await respond(frame, caller, backend.showBackup)
    case BackupCall.Verify.method: return try await respond(frame, caller, backend.verifyBackup)
    case BackupCall.Restore.method: return try await respond(frame, caller, backend.restoreBackup)
    case BackupCall.Read.method: return try await respond(frame, caller, backend.readBackup)
    case BackupCall.RestoreTeam.method: return try await respond(frame, caller, backend.restoreTeam)
    case BackupCall.Prune.method: return try await respond(frame, caller, backend.pruneBackups)
    case OutboxCall.List.method: return try await respond(frame, caller, backend.listEntries)
    case OutboxCall.Show.method: return try await respond(frame, caller, backend.showNotice)
    case OutboxCall.Retry.method: return try await respond(frame, caller, backend.retryEntries)
    case OutboxCall.Release.method: return try await respond(frame, caller, backend.releaseEntries)
    case OutboxCall.Discard.method: return try await respond(frame, caller, backend.discardEntries)
    case OutboxCall.Purge.method: return try await respond(frame, caller, backend.purgeEntries)
    case OutboxCall.Sinks.method: return try await respond(frame, caller, backend.listSinks)
    case OutboxCall.Test.method: return try await respond(frame, caller, backend.testSink)
    case DaemonCall.Settings.method: return try await respond(frame, caller, backend.showSettings)
    case DaemonCall.Audit.method: return try await respond(frame, caller, backend.listAudit)
    case DaemonCall.Examine.method: return try await respond(frame, caller, backend.examine)
    case DaemonCall.Reload.method: return try await respond(frame, caller, backend.reload)
    case ServiceCall.GetInfo.method: return try await respond(frame, caller, info)
    case ServiceCall.GetInterfaceDescription.method: return try await respond(frame, caller, description)
    default: throw Self.unknown(method)
    }
  }

  private func respond<M: ControlMethod>(
    _ frame: [UInt8], _ caller: Caller, _ verb: (M, Caller) async throws -> M.Reply
  ) async throws -> [UInt8] {
    let call = try Envelope.parameters(of: frame, as: M.self)
    guard M.changes else { return try Envelope.answer(try await verb(call, caller)) }
    if readOnly {
      throw ControlError(
        .notRunning,
        "this changes something, and poolflowd is not running: start it with `systemctl start poolflowd` or `poolflowd`"
      )
    }
    return try await backend.audited(call, caller) { try Envelope.answer(try await verb(call, caller)) }
  }

  private func addPiece(_ call: ImportCall.Piece, _ caller: Caller) async throws -> ImportCall.Piece.Reply {
    guard let data = Data(base64Encoded: call.data), data.count <= Limits.uploadPieceBytes else {
      throw ControlError.invalidParameter("data", "a piece is base64 of at most \(Limits.uploadPieceBytes) bytes")
    }
    return try await backend.addPiece(upload: call.upload, offset: call.offset, data: Array(data), caller)
  }

  // MARK: Simulation

  private func simulate(
    _ frame: [UInt8], _ caller: Caller, more: Bool, _ loop: ControlLoop
  ) async throws -> [UInt8] {
    let call = try Envelope.parameters(of: frame, as: SchedulerCall.Simulate.self)
    let batch = Mutex<[SimulatedEventView]>([])
    let summary = try await backend.simulate(call, caller) { event in
      let full: [SimulatedEventView]? = try batch.withLock { events in
        events.append(event)
        if !more, events.count > Limits.rowsPerAnswer { throw Self.tooLong }
        guard more, events.count >= Limits.eventsPerAnswer else { return nil }
        defer { events = [] }
        return events
      }
      guard let full else { return }
      let answer = try Envelope.answer(SchedulerCall.Simulate.Reply(events: full), continues: true)
      guard await loop.send(answer, to: caller.connection, last: false) else { throw CancellationError() }
    }
    let events = batch.withLock { $0 }
    return try Envelope.answer(SchedulerCall.Simulate.Reply(events: events, summary: summary))
  }

  // MARK: Streams

  private func follow(_ frame: [UInt8], _ caller: Caller, _ loop: ControlLoop) async throws -> [UInt8] {
    let call = try Envelope.parameters(of: frame, as: SchedulerCall.Events.self)
    try await backend.followEvents(call, caller) { reply in
      try await send(reply, to: caller, loop)
    }
    return try Envelope.answer(SchedulerCall.Events.Reply(events: []))
  }

  private func runAndWait(_ frame: [UInt8], _ caller: Caller, _ loop: ControlLoop) async throws -> [UInt8] {
    try await respond(frame, caller) { (call: SchedulerCall.Run, caller: Caller) in
      guard call.wait == true else { return try await backend.runJob(call, caller) }
      return try await backend.runAndWait(call, caller) { reply in try await send(reply, to: caller, loop) }
    }
  }

  private func send(_ reply: some Encodable, to caller: Caller, _ loop: ControlLoop) async throws {
    let answer = try Envelope.answer(reply, continues: true)
    guard await loop.send(answer, to: caller.connection, last: false) else { throw CancellationError() }
  }

  // MARK: The service itself

  private func info(_ call: ServiceCall.GetInfo, _ caller: Caller) -> ServiceCall.GetInfo.Reply {
    ServiceCall.GetInfo.Reply(
      vendor: "poolflow", product: "poolflowd", version: version, url: "",
      interfaces: InterfaceDescription.all.map(\.name))
  }

  private func description(
    _ call: ServiceCall.GetInterfaceDescription, _ caller: Caller
  ) throws -> ServiceCall.GetInterfaceDescription.Reply {
    guard let found = InterfaceDescription.all.first(where: { $0.name == call.interface }) else {
      throw ControlError(
        .interfaceNotFound, "there is no interface \(call.interface)", facts: ["interface": call.interface])
    }
    return ServiceCall.GetInterfaceDescription.Reply(description: found.text)
  }

  /// A method that nobody has, or an interface that nobody has.
  private static func unknown(_ method: String) -> ControlError {
    let interface = method.split(separator: ".").dropLast().joined(separator: ".")
    if InterfaceDescription.all.contains(where: { $0.name == interface }) {
      return ControlError(.methodNotFound, "there is no call \(method)", facts: ["method": method])
    }
    return ControlError(.interfaceNotFound, "there is no interface \(interface)", facts: ["interface": interface])
  }
}
