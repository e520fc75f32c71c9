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

  /// What came of a call: its frames in order, and the ticket that it was let in with.
  private struct Answer {
    var frames: [[UInt8]]
    /// Nil for an error, which had its end already.
    var ticket: CallGate.Ticket?
  }

  /// A call that is being answered.
  private struct Call {
    let frame: [UInt8]
    let head: Envelope.Head
    let caller: Caller
    let loop: ControlLoop

    var gate: CallGate { loop.gate }
    /// Several answers are wanted.
    var more: Bool { head.more && !head.oneway }
  }

  /// Answers one call to its end, whatever it holds.
  func answer(_ frame: [UInt8], _ caller: Caller, through loop: ControlLoop) async {
    var oneway = false
    var answer: Answer
    do {
      let head = try Envelope.head(of: frame)
      oneway = head.oneway
      if head.upgrade { throw ControlError.invalidParameter("upgrade", "connections cannot be upgraded") }
      let call = Call(frame: frame, head: head, caller: caller, loop: loop)
      switch head.method {
      case SchedulerCall.Simulate.method: answer = try await simulate(call)
      case SchedulerCall.Events.method where call.more: answer = try await follow(call)
      case SchedulerCall.Run.method where call.more: answer = try await runAndWait(call)
      default: answer = try await reply(to: call)
      }
    } catch is CallerGone {
      answer = Answer(frames: [])
    } catch let error as ControlError {
      answer = Answer(frames: [Envelope.error(error)])
    } catch is CancellationError {
      answer = Answer(
        frames: [Envelope.error(ControlError(.stopping, "the daemon is stopping; try again once it is back"))])
    } catch {
      // The error's own words: nothing sensitive may stand in an error.
      answer = Answer(
        frames: [
          Envelope.error(ControlError(.internal, "the daemon could not answer: \(error); its journal knows more"))
        ])
    }
    await send(&answer, oneway: oneway, to: caller, loop)
    if let ticket = answer.ticket { loop.gate.end(ticket) }
  }

  /// Hands the frames over one by one, each as soon as the one before is read as far as it must be.
  private func send(_ answer: inout Answer, oneway: Bool, to caller: Caller, _ loop: ControlLoop) async {
    var isHeard = !oneway
    // Backwards, so that what is taken needs no memory any more.
    answer.frames.reverse()
    while isHeard, let frame = answer.frames.popLast() {
      isHeard = await loop.send(frame, to: caller.connection, last: answer.frames.isEmpty)
      if let ticket = answer.ticket { loop.gate.took(ticket, bytes: frame.count) }
      if answer.frames.isEmpty { return }
    }
    await loop.send(nil, to: caller.connection, last: true)
  }

  private static let tooLong = ControlError(
    .tooLarge, "the answer passes \(Limits.controlReplyBytes >> 20) MiB; ask for less, or for one team")

  private static let tooLongForOne = ControlError(
    .tooLarge,
    "the answer passes the \(Limits.controlWholeBytes >> 20) MiB that one piece may have; ask with `more`, and it comes in "
      + "pages, or ask for less")

  private func reply(to call: Call) async throws -> Answer {
    let backend = backend
    switch call.head.method {
    case SchedulerCall.Status.method: return try await respond(call, backend.status)
    case SchedulerCall.List.method: return try await respond(call, backend.listJobs)
    case SchedulerCall.Next.method: return try await respond(call, backend.nextSlots)
    case SchedulerCall.Run.method: return try await respond(call, backend.runJob)
    case SchedulerCall.History.method: return try await respond(call, backend.history)
    case SchedulerCall.Pause.method: return try await respond(call, backend.pause)
    case SchedulerCall.Resume.method: return try await respond(call, backend.resume)
    case SchedulerCall.Skip.method: return try await respond(call, backend.skip)
    case SchedulerCall.Cancel.method: return try await respond(call, backend.cancel)
    case SchedulerCall.Events.method: return try await respond(call, backend.recentEvents)
    case SchedulerCall.Why.method: return try await respond(call, backend.why)
    case TeamsCall.Add.method: return try await respond(call, backend.addTeam)
    case TeamsCall.List.method: return try await respond(call, backend.listTeams)
    case TeamsCall.Show.method: return try await respond(call, backend.showTeam)
    case TeamsCall.Set.method: return try await respond(call, backend.setTeam)
    case TeamsCall.Plan.method: return try await respond(call, backend.setPlan)
    case TeamsCall.Clear.method: return try await respond(call, backend.clearTeam)
    case PoolsCall.List.method: return try await respond(call, backend.listPools)
    case PoolsCall.Show.method: return try await respond(call, backend.showPool)
    case FieldCall.LogVisit.method: return try await respond(call, backend.logVisit)
    case FieldCall.UndoVisit.method: return try await respond(call, backend.undoVisit)
    case FieldCall.ListVisits.method: return try await respond(call, backend.listVisits)
    case FieldCall.AddPool.method: return try await respond(call, backend.addPool)
    case FieldCall.SetPool.method: return try await respond(call, backend.setPool)
    case FieldCall.RemovePool.method: return try await respond(call, backend.removePool)
    case FieldCall.SetProfile.method: return try await respond(call, backend.setProfile)
    case FieldCall.ListStock.method: return try await respond(call, backend.listStock)
    case FieldCall.AddStock.method: return try await respond(call, backend.addStock)
    case FieldCall.SetStock.method: return try await respond(call, backend.setStock)
    case FieldCall.RemoveStock.method: return try await respond(call, backend.removeStock)
    case FieldCall.ListEquipment.method: return try await respond(call, backend.listEquipment)
    case FieldCall.AddEquipment.method: return try await respond(call, backend.addEquipment)
    case FieldCall.SetEquipment.method: return try await respond(call, backend.setEquipment)
    case FieldCall.RemoveEquipment.method: return try await respond(call, backend.removeEquipment)
    case WaterCall.Refresh.method: return try await respond(call, backend.refresh)
    case WaterCall.Profit.method: return try await respond(call, backend.profit)
    case WaterCall.Health.method: return try await respond(call, backend.health)
    case WaterCall.Trend.method: return try await respond(call, backend.trend)
    case WaterCall.Usage.method: return try await respond(call, backend.usage)
    case WaterCall.Export.method: return try await respond(call, backend.export)
    case RoutesCall.Show.method: return try await respond(call, backend.showRoutes)
    case RoutesCall.Optimise.method: return try await respond(call, backend.optimiseRoutes)
    case RoutesCall.Compare.method: return try await respond(call, backend.compareRoutes)
    case RoutesCall.Apply.method: return try await respond(call, backend.applyRoutes)
    case RoutesCall.Undo.method: return try await respond(call, backend.undoRoutes)
    case RoutesCall.Move.method: return try await respond(call, backend.moveStop)
    case RoutesCall.Pin.method: return try await respond(call, backend.pinStop)
    case RoutesCall.Progress.method: return try await respond(call, backend.routeProgress)
    case RoutesCall.ImportTable.method: return try await respond(call, backend.importTravelTable)
    case RoutesCall.RemoveTable.method: return try await respond(call, backend.removeTravelTable)
    case ReportsCall.Digest.method: return try await respond(call, backend.digest)
    case ReportsCall.Visit.method: return try await respond(call, backend.visitReport)
    case ReportsCall.Month.method: return try await respond(call, backend.monthReport)
    case ImportCall.Open.method: return try await respond(call, backend.openUpload)
    case ImportCall.Piece.method: return try await respond(call, addPiece)
    case ImportCall.Apply.method: return try await respond(call, backend.applyUpload)
    case ImportCall.Cancel.method: return try await respond(call, backend.cancelUpload)
    case ImportCall.Inbox.method: return try await respond(call, backend.listInbox)
    case ImportCall.TakeInbox.method: return try await respond(call, backend.takeInbox)
    case BackupCall.Create.method: return try await respond(call, backend.createBackup)
    case BackupCall.List.method: return try await respond(call, backend.listBackups)
    case BackupCall.Show.method: return try await respond(call, backend.showBackup)
    case BackupCall.Verify.method: return try await respond(call, backend.verifyBackup)
    case BackupCall.Restore.method: return try await respond(call, backend.restoreBackup)
    case BackupCall.Progress.method: return try await respond(call, backend.backupProgress)
    case BackupCall.Read.method: return try await respond(call, backend.readBackup)
    case BackupCall.RestoreTeam.method: return try await respond(call, backend.restoreTeam)
    case BackupCall.Prune.method: return try await respond(call, backend.pruneBackups)
    case OutboxCall.List.method: return try await respond(call, backend.listEntries)
    case OutboxCall.Show.method: return try await respond(call, backend.showNotice)
    case OutboxCall.Retry.method: return try await respond(call, backend.retryEntries)
    case OutboxCall.Release.method: return try await respond(call, backend.releaseEntries)
    case OutboxCall.Discard.method: return try await respond(call, backend.discardEntries)
    case OutboxCall.Purge.method: return try await respond(call, backend.purgeEntries)
    case OutboxCall.Sinks.method: return try await respond(call, backend.listSinks)
    case OutboxCall.Test.method: return try await respond(call, backend.testSink)
    case DaemonCall.Settings.method: return try await respond(call, backend.showSettings)
    case DaemonCall.Audit.method: return try await respond(call, backend.listAudit)
    case DaemonCall.Examine.method: return try await respond(call, backend.examine)
    case DaemonCall.Reload.method: return try await respond(call, backend.reload)
    case ServiceCall.GetInfo.method: return try await respond(call, info)
    case ServiceCall.GetInterfaceDescription.method: return try await respond(call, description)
    default: throw Self.unknown(call.head.method)
    }
  }

  private func respond<M: ControlMethod>(
    _ call: Call, _ verb: (M, Caller) async throws -> M.Reply
  ) async throws -> Answer {
    let parameters = try Envelope.parameters(of: call.frame, as: M.self)
    if M.changes, readOnly {
      throw ControlError(
        .notRunning,
        "this changes something, and poolflowd is not running: start it with `systemctl start poolflowd` or `poolflowd`"
      )
    }
    return try await admitted(call, work: M.work, answersAtLength: M.answersAtLength) {
      guard M.changes else { return try Self.frames(of: try await verb(parameters, call.caller), more: call.more) }
      return [
        try await backend.audited(parameters, call.caller) {
          try Envelope.answer(try await verb(parameters, call.caller))
        }
      ]
    }
  }

  /// Makes an answer when it is the call's turn and there is room for it.
  private func admitted(
    _ call: Call, work: CallWork, answersAtLength: Bool, _ make: () async throws -> [[UInt8]]
  ) async throws -> Answer {
    let ticket = try await call.gate.enter(
      call.caller, work: work, answersAtLength: answersAtLength, evenIfGone: call.head.oneway)
    do {
      let frames = try await make()
      let bytes = frames.reduce(0) { $0 + $1.count }
      if bytes > Limits.controlReplyBytes { throw Self.tooLong }
      try await call.gate.made(ticket, bytes: bytes, answersAtLength: answersAtLength)
      return Answer(frames: frames, ticket: ticket)
    } catch {
      call.gate.end(ticket)
      throw error
    }
  }

  /// A reply as it goes over the wire: lists in pages to a caller that takes several answers.
  private static func frames<Reply: Codable & Sendable>(of reply: Reply, more: Bool) throws -> [[UInt8]] {
    guard let list = reply as? any PagedReply else { return [try Envelope.answer(reply)] }
    return try pages(of: list, more: more)
  }

  private static func pages(of list: some PagedReply, more: Bool) throws -> [[UInt8]] {
    let count = list.rows.count
    guard more || count > Limits.rowsPerPage else {
      let whole = try Envelope.answer(list)
      if whole.count > Limits.controlWholeBytes { throw tooLongForOne }
      return [whole]
    }
    var frames: [[UInt8]] = []
    var bytes = 0
    var start = 0
    repeat {
      let isLast = start + Limits.rowsPerPage >= count
      let frame = try Envelope.answer(
        list.page(from: start, count: Limits.rowsPerPage), continues: more && !isLast)
      start += Limits.rowsPerPage
      bytes += frame.count
      // Found out page by page, so that what is refused was not made.
      if !more, bytes > Limits.controlWholeBytes { throw tooLongForOne }
      if bytes > Limits.controlReplyBytes { throw tooLong }
      frames.append(frame)
    } while start < count
    return more ? frames : [try Envelope.answer(list)]
  }

  private func addPiece(_ call: ImportCall.Piece, _ caller: Caller) async throws -> ImportCall.Piece.Reply {
    guard let data = Data(base64Encoded: call.data), data.count <= Limits.uploadPieceBytes else {
      throw ControlError.invalidParameter("data", "a piece is base64 of at most \(Limits.uploadPieceBytes) bytes")
    }
    return try await backend.addPiece(upload: call.upload, offset: call.offset, data: Array(data), caller)
  }

  // MARK: Simulation

  private func simulate(_ call: Call) async throws -> Answer {
    let parameters = try Envelope.parameters(of: call.frame, as: SchedulerCall.Simulate.self)
    let more = call.more
    return try await admitted(call, work: SchedulerCall.Simulate.work, answersAtLength: !more) {
      let batch = Mutex<[SimulatedEventView]>([])
      let summary = try await backend.simulate(parameters, call.caller) { event in
        let full: [SimulatedEventView]? = try batch.withLock { events in
          events.append(event)
          if !more, events.count > Limits.rowsPerAnswer { throw Self.tooLongForOne }
          guard more, events.count >= Limits.eventsPerAnswer else { return nil }
          defer { events = [] }
          return events
        }
        if let full { try await send(SchedulerCall.Simulate.Reply(events: full), of: call) }
      }
      let events = batch.withLock { $0 }
      return [try Envelope.answer(SchedulerCall.Simulate.Reply(events: events, summary: summary))]
    }
  }

  // MARK: Streams

  private func follow(_ call: Call) async throws -> Answer {
    let parameters = try Envelope.parameters(of: call.frame, as: SchedulerCall.Events.self)
    return try await admitted(call, work: .watching, answersAtLength: false) {
      try await backend.followEvents(parameters, call.caller) { reply in try await send(reply, of: call) }
      return [try Envelope.answer(SchedulerCall.Events.Reply(events: []))]
    }
  }

  private func runAndWait(_ call: Call) async throws -> Answer {
    let parameters = try Envelope.parameters(of: call.frame, as: SchedulerCall.Run.self)
    // A reader of what was left refuses both alike.
    guard parameters.wait == true, !readOnly else { return try await respond(call, backend.runJob) }
    return try await admitted(call, work: .watching, answersAtLength: false) {
      [
        try await backend.audited(parameters, call.caller) {
          try Envelope.answer(
            try await backend.runAndWait(parameters, call.caller) { reply in try await send(reply, of: call) })
        }
      ]
    }
  }

  private func send(_ reply: some Encodable, of call: Call) async throws {
    let answer = try Envelope.answer(reply, continues: true)
    guard await call.loop.send(answer, to: call.caller.connection, last: false) else { throw CancellationError() }
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
