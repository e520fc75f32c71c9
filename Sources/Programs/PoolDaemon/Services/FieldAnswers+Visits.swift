import FoundationEssentials
import PoolBackup
import PoolChemistry
import PoolControl
import PoolModel
import PoolPlatform
import PoolStore

extension FieldAnswers {
  func logVisit(_ call: FieldCall.LogVisit, _ caller: Caller) async throws -> FieldCall.LogVisit.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let draft = try VisitDraft(call, units: team.units)
    let notes = try FieldValue("notes", call.notes ?? "").words(.notes, isSensitive: true)
    let now = clock.now()
    let visit = ServiceEventID(UUID())
    let photo = try await stagePhoto(call.photo, for: visit, of: team, caller)
    let logged = try await settlingPhoto(photo != nil, of: visit, team) {
      try await store.logVisit(
        to: pool.id, of: team.id, at: now, notes: notes, photo: photo,
        identities: VisitIdentities(event: visit, dose: { ChemicalDoseID(UUID()) })
      ) { pool, recent, stock in
        let water = try draft.readings(after: pool.latestReadings(visits: recent))
        return (water, try draft.plan(for: pool, readings: water, stock: stock))
      }
    }
    guard let logged else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("visit to a pool of team '\(team.name)' logged by \(caller.words)")
    await noteCompletion(pool.id, team)
    return FieldCall.LogVisit.Reply(visit: view(of: logged, pool: pool, team: team))
  }

  /// Takes an upload over as the photo of a visit to come, durably; nil stays nil.
  private func stagePhoto(
    _ upload: String?, for visit: ServiceEventID, of team: Team, _ caller: Caller
  ) async throws -> (fileName: String, bytes: Int)? {
    guard let upload else { return nil }
    let file = try await uploads.finished(upload, connection: caller.connection)
    guard file.bytes <= Limits.photoBytes else {
      throw ControlError.badFile(
        "'\(file.fileName)' has \(file.bytes) bytes, more than the \(Limits.photoBytes >> 20) MiB a photo may have; "
          + "nothing was changed")
    }
    do {
      let photo = try await photos.stage(fileAt: file.path, name: file.fileName, for: visit, of: team.id)
      try await uploads.remove(upload, connection: caller.connection)
      return photo
    } catch let refusal as PhotoStore.Refusal {
      throw ControlError.badFile(refusal.description)
    } catch {
      log.error("a photo could not be stored: \(error)")
      throw ControlError(.storage, "the photo could not be stored: \(error); nothing was changed")
    }
  }

  /// Keeps a staged photo where its visit was logged, and forgets it where it was not.
  private func settlingPhoto(
    _ hasPhoto: Bool, of visit: ServiceEventID, _ team: Team, _ body: () async throws -> LoggedVisit?
  ) async throws -> LoggedVisit? {
    let logged: LoggedVisit?
    do {
      logged = try await refusing(body)
    } catch {
      if hasPhoto { photos.discard(visit, of: team.id) }
      throw error
    }
    guard hasPhoto else { return logged }
    guard logged != nil else {
      photos.discard(visit, of: team.id)
      return nil
    }
    do {
      try photos.keep(visit, of: team.id)
    } catch {
      // The visit stands; its photo is on the disk and gets its name at the next start.
      log.error("\(error); the photo of the visit gets its name at the next start")
    }
    return logged
  }

  func undoVisit(_ call: FieldCall.UndoVisit, _ caller: Caller) async throws -> FieldCall.UndoVisit.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    switch try await refusing({ try await store.undoVisit(to: pool.id, of: team.id) }) {
    case .nothing:
      throw ControlError(
        .nothingToUndo,
        "no visit to \(pool.customerName) can be taken back: only the last one that was logged here can, and once; "
          + "see `pfctl visit list`", facts: ["name": pool.customerName])
    case .done(let event):
      photos.remove([event.id], of: team.id)
      log.notice("visit to a pool of team '\(team.name)' taken back by \(caller.words)")
      return FieldCall.UndoVisit.Reply(
        visit: view(of: event, customer: pool.customerName, doses: 0, undoable: false, team: team))
    }
  }

  func listVisits(_ call: FieldCall.ListVisits, _ caller: Caller) async throws -> FieldCall.ListVisits.Reply {
    try FieldValue.check(call.limit, in: 1...Limits.rowsPerAnswer, field: "limit")
    let team = try await finder.team(named: call.team)
    var only: PoolID?
    if let name = call.pool { only = try await finder.pool(name, of: team).id }
    let lines = try await refusing { [only] in
      try await store.visits(of: team.id, pool: only, limit: call.limit)
    }
    return FieldCall.ListVisits.Reply(
      visits: lines.map {
        view(of: $0.event, customer: $0.customer, doses: $0.doses, undoable: $0.canBeUndone, team: team)
      })
  }

  private func view(
    of event: ServiceEvent, customer: String, doses: Int, undoable: Bool, team: Team
  ) -> VisitLineView {
    VisitLineView(
      id: event.id.description, pool: event.poolID.description, customer: customer, at: event.timestamp.description,
      local: zones.local(event.timestamp, zone: team.zone), ph: event.readings.pH, lsi: event.lsiValue,
      condition: WaterConditionView(WaterCondition(lsi: event.lsiValue)), cost: event.totalChemicalCost, doses: doses,
      photo: event.photoFileName != nil, undoable: undoable)
  }

  private func view(of logged: LoggedVisit, pool: Pool, team: Team) -> LoggedVisitView {
    let plan = logged.plan
    return LoggedVisitView(
      id: logged.event.id.description, pool: pool.id.description, customer: pool.customerName,
      at: logged.event.timestamp.description, local: zones.local(logged.event.timestamp, zone: team.zone),
      lsi: plan.result.lsiValue, condition: WaterConditionView(plan.result.status), cost: plan.totalChemicalCost,
      advice: plan.recommendations.map {
        DoseAdviceView(
          kind: AdviceKindView($0.kind), chemical: $0.chemicalName, type: ChemicalTypeView($0.chemicalType),
          ounces: $0.quantityOz, text: QuantityText.text(ounces: $0.quantityOz, of: $0.chemicalType, in: team.units),
          cost: $0.estimatedCost, message: $0.message, note: $0.note)
      },
      doses: plan.doses.map { dose in
        let type = ChemicalType(rawValue: dose.chemicalType) ?? .none
        return DoseView(
          chemical: dose.name, ounces: dose.quantityOz,
          text: QuantityText.text(ounces: dose.quantityOz, of: type, in: team.units), cost: dose.cost,
          left: dose.item.flatMap { plan.stockAfter[$0] }, short: plan.shortfall(of: dose))
      })
  }
}
