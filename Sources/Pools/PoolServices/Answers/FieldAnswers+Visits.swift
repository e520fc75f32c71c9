import PoolControl
import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore

/// Logs, edits and removes service visits.
extension FieldAnswers {
  func logVisit(_ call: FieldCall.LogVisit, _ caller: Caller) async throws -> FieldCall.LogVisit.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let draft = try VisitDraft(call.readings, call.dose, call.measured, team: team)
    let notes = try FieldValue("notes", call.notes ?? "").words(.notes, isSensitive: true)
    let now = clock.now()
    let instant = try VisitDraft.instant(call.at, team: team, now: now, zones: zones)
    let visit = ServiceEventID(UUID())
    let marks = try call.done.map { try workMarks($0, at: instant, pool, team) }
    let photo = try await stagePhoto(call.photo, for: visit, of: team, caller)
    let logged = try await settlingPhoto(photo != nil, of: visit, team) {
      try await store.logVisit(
        to: pool.id, of: team.id, at: instant, now: now, notes: notes, photo: photo,
        identities: VisitIdentities(event: visit, dose: { ChemicalDoseID(UUID()) }), done: marks
      ) { pool, recent, stock in
        if let at = call.at, let twin = recent.first, twin.timestamp == instant {
          throw ControlError.badValue(
            field: "at", value: at,
            why: "a visit to \(pool.customerName) at that time exists already, "
              + "\(ShownIDs(records: [twin.id.description])[twin.id.description]); `pfctl visit set` changes it")
        }
        let water = try draft.readings(after: pool.latestReadings(visits: recent))
        let assumed = draft.assumed(after: recent)
        return VisitToLog(
          readings: water, measured: draft.measured,
          plan: try draft.plan(
            for: pool, readings: water, isMeasured: !draft.measured.isEmpty, assumed: assumed, stock: stock))
      }
    }
    guard let logged else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("visit to a pool of team '\(team.name)' logged by \(caller.words)")
    if instant == now { await noteCompletion(pool.id, team) }
    return FieldCall.LogVisit.Reply(
      visit: view(of: logged, pool: pool.id, customer: pool.customerName, draft, team))
  }

  /// Stores an upload durably as the photo of a visit that is about to be logged; nil for no upload.
  private func stagePhoto(
    _ upload: String?, for visit: ServiceEventID, of team: Team, _ caller: Caller
  ) async throws -> (fileName: String, bytes: Int)? {
    guard let upload else { return nil }
    let file = try await uploads.finished(upload, connection: caller.connection)
    guard file.bytes <= Limits.photoBytes else {
      throw ControlError.badFile(
        "'\(file.fileName)' has \(sizeText(file.bytes)), more than the \(sizeText(Limits.photoBytes)) a photo may have; "
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

  /// Runs `body`, then keeps the staged photo if the visit was logged, or discards it.
  private func settlingPhoto(
    _ hasPhoto: Bool, of visit: ServiceEventID, _ team: Team, _ body: () async throws -> LoggedVisit?
  ) async throws -> LoggedVisit? {
    let logged: LoggedVisit?
    do {
      logged = try await mappingErrors(body)
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
      // The visit is stored; the photo is on disk and is renamed at the next start.
      log.error("\(error); the photo file of the visit is renamed at the next start")
    }
    return logged
  }

  func editVisit(_ call: FieldCall.EditVisit, _ caller: Caller) async throws -> FieldCall.EditVisit.Reply {
    let team = try await finder.team(named: call.team)
    guard !call.readings.isEmpty || call.dose != nil || call.notes != nil else {
      throw ControlError.badValue(
        field: "readings", value: "",
        why: "name what to change: \(FieldChanges.readingKeys.joined(separator: ", ")), dose or notes")
    }
    let draft = try VisitDraft(call.readings, call.dose ?? .none, call.measured, team: team, mayRemove: true)
    let notes = try call.notes.map { try FieldValue("notes", $0).words(.notes, isSensitive: true) }
    let line = try await visit(call.visit, of: team)
    let now = clock.now()
    let edited = try await mappingErrors {
      try await store.editVisit(line.event.id, of: team.id, now: now, dose: { ChemicalDoseID(UUID()) }) {
        pool, event, earlier, stock in
        let readings = try draft.readings(of: event, after: earlier)
        let measured = event.measured.union(draft.measured).subtracting(draft.removed)
        let assumed = event.assumed.subtracting(draft.measured).union(draft.removed.intersection(earlier.assumed))
        return VisitEdit(
          readings: readings, measured: draft.measured, removed: draft.removed, notes: notes ?? event.techNotes,
          plan: try draft.plan(
            for: pool, readings: readings, isMeasured: !measured.isEmpty, assumed: assumed, stock: stock),
          pours: call.dose != nil)
      }
    }
    guard let edited else { throw ControlError.noSuchVisit(call.visit, team: team) }
    log.notice("visit to a pool of team '\(team.name)' edited by \(caller.words)")
    return FieldCall.EditVisit.Reply(
      visit: view(of: edited, pool: edited.event.poolID, customer: line.customer, draft, team))
  }

  func removeVisit(_ call: FieldCall.RemoveVisit, _ caller: Caller) async throws -> FieldCall.RemoveVisit.Reply {
    let team = try await finder.team(named: call.team)
    let line = try await visit(call.visit, of: team)
    let now = clock.now()
    let removed = try await mappingErrors {
      try await store.removeVisit(line.event.id, of: team.id, now: now, dryRun: call.dryRun)
    }
    guard removed != nil else { throw ControlError.noSuchVisit(call.visit, team: team) }
    if !call.dryRun {
      photos.remove([line.event.id], of: team.id)
      log.notice("visit to a pool of team '\(team.name)' removed by \(caller.words)")
    }
    return FieldCall.RemoveVisit.Reply(visit: view(of: line, team: team))
  }

  /// The visit whose id begins with `text`, or the newest visit to the pool of that name.
  ///
  /// - Throws: `ControlError` also if `text` matches both a visit and a pool: a guess might change the wrong record.
  private func visit(_ text: String, of team: Team) async throws -> VisitLine {
    let id = IDPrefix(text)?.text
    var named: [VisitLine] = []
    if let id { named = try await mappingErrors { try await store.visits(of: team.id, beginning: id, limit: 6) } }
    let pools = try await store.pools(of: team.id, matching: text)
    guard named.count + min(pools.count, 1) <= 1 else {
      let ids = ShownIDs(records: named.map(\.event.id.description))
      throw ControlError.ambiguous(
        .ambiguousVisit, text, pools.isEmpty ? "visits" : "visits and pools",
        named.map { ("\(ids[$0.event.id.description]) to \($0.customer)", $0.event.id.description) }
          + pools.map { ("the pool of \($0.customerName)", $0.id.description) })
    }
    if let line = named.first { return line }
    guard !pools.isEmpty || id == nil else { throw ControlError.noSuchVisit(text, team: team) }
    let pool = try await finder.pool(text, of: team)
    let now = clock.now()
    guard let line = try await mappingErrors({ try await store.newestVisit(to: pool.id, of: team.id, now: now) }) else {
      throw ControlError(.noSuchVisit, "the pool of \(pool.customerName) has no visit yet", facts: ["name": text])
    }
    return line
  }

  func undoVisit(_ call: FieldCall.UndoVisit, _ caller: Caller) async throws -> FieldCall.UndoVisit.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let now = clock.now()
    switch try await mappingErrors({ try await store.undoVisit(to: pool.id, of: team.id, now: now) }) {
    case .nothing:
      throw ControlError(
        .nothingToUndo,
        "no visit to \(pool.customerName) can be undone: only the last one that was logged here can, once, and only while no "
          + "other visit to the pool is changed; see `pfctl visit list`, and `pfctl visit remove` for any visit",
        facts: ["name": pool.customerName])
    case .done(let event):
      photos.remove([event.id], of: team.id)
      log.notice("visit to a pool of team '\(team.name)' undone by \(caller.words)")
      let line = VisitLine(event: event, customer: pool.customerName, doses: 0, canBeUndone: false)
      return FieldCall.UndoVisit.Reply(visit: view(of: line, team: team))
    }
  }

  func listVisits(_ call: FieldCall.ListVisits, _ caller: Caller) async throws -> FieldCall.ListVisits.Reply {
    try FieldValue.check(call.limit, in: 1...Limits.rowsPerAnswer, field: "limit")
    let team = try await finder.team(named: call.team)
    let search = try call.search.map {
      try SearchText(asked: $0, example: "a part of a visit's notes, such as 'algae'")
    }
    var only: PoolID?
    if let name = call.pool { only = try await finder.pool(name, of: team).id }
    let lines = try await mappingErrors { [only] in
      try await store.visits(of: team.id, pool: only, search: search, limit: call.limit)
    }
    return FieldCall.ListVisits.Reply(visits: lines.map { view(of: $0, team: team) })
  }

  private func view(of line: VisitLine, team: Team) -> VisitLineView {
    let event = line.event
    let lsi = event.lsi(by: team.settings.lsiMethod)
    return VisitLineView(
      id: event.id.description, pool: event.poolID.description, customer: line.customer,
      at: event.timestamp.description, local: zones.local(event.timestamp, zone: team.zone),
      ph: event.measured.contains(.pH) ? event.readings.pH : nil, lsi: lsi,
      condition: lsi.map { WaterConditionView(WaterCondition(lsi: $0)) },
      cost: event.totalChemicalCost, costText: Localizer(team).money(event.totalChemicalCost), doses: line.doses,
      photo: event.photoFileName != nil, undoable: line.canBeUndone,
      ahead: event.timestamp > clock.now() ? true : nil, freeChlorine: event.measuredFreeChlorine,
      salt: event.measuredSalt)
  }

  private func view(
    of logged: LoggedVisit, pool: PoolID, customer: String, _ draft: VisitDraft, _ team: Team
  ) -> LoggedVisitView {
    let (event, plan, localizer) = (logged.event, logged.plan, Localizer(team))
    let lsi = event.lsi(by: team.settings.lsiMethod)
    let zone = (try? zones.zone(named: team.zone)) ?? .utc
    return LoggedVisitView(
      id: event.id.description, pool: pool.description, customer: customer, at: event.timestamp.description,
      local: zones.local(event.timestamp, zone: team.zone), lsi: lsi,
      condition: lsi.map { WaterConditionView(WaterCondition(lsi: $0)) },
      cost: event.totalChemicalCost, costText: localizer.money(event.totalChemicalCost),
      water: localizer.water(of: event),
      doubts: localizer.doubts(about: event.readings, typed: draft.parameters),
      advice: plan.recommendations.map { DoseAdviceView($0, by: team.settings.dosing, localizer) },
      doses: logged.doses.map { dose in
        DoseView(dose, left: dose.item.flatMap { plan.stockAfter[$0] }, short: plan.shortfall(of: dose), localizer)
      }, done: logged.done.isEmpty ? nil : logged.done.map { WorkDoneView($0, in: zone) })
  }
}

extension DoseView {
  /// A dose in the form that callers get.
  ///
  /// - Parameters:
  ///   - left: ounces of the item in stock after the dose.
  ///   - short: ounces that the stock lacks for the dose.
  ///   - isPlanned: true if the dose is not poured yet.
  init(_ dose: PlannedDose, left: Double?, short: Double?, isPlanned: Bool = false, _ localizer: Localizer) {
    let type = ChemicalType(rawValue: dose.chemicalType) ?? .none
    func stock(_ ounces: Double) -> String { localizer.stock(ounces: ounces, of: type, isDry: dose.isDry) }
    self.init(
      chemical: dose.name, type: dose.chemicalType, ounces: dose.quantityOz,
      text: localizer.quantity(ounces: dose.quantityOz, of: type, isDry: dose.isDry), cost: dose.cost,
      costText: localizer.money(dose.cost), left: left, leftText: left.map(stock), short: short,
      shortText: short.map(stock), line: localizer.line(of: dose, left: left, short: short, isPlanned: isPlanned))
  }
}

extension DoseAdviceView {
  init(_ one: DoseRecommendation, by method: DosingMethod, _ localizer: Localizer) {
    self.init(
      kind: AdviceKindView(one.kind), chemical: localizer.chemical(of: one), type: ChemicalTypeView(one.chemicalType),
      ounces: one.quantityOz, text: localizer.quantity(ounces: one.quantityOz, of: one.chemicalType, isDry: one.isDry),
      cost: one.estimatedCost, costText: localizer.money(one.estimatedCost), message: localizer.advice(one),
      equilibrium: EquilibriumView(one, notes: localizer.notes(on: one, by: method)))
  }
}

extension ControlError {
  fileprivate static func noSuchVisit(_ text: String, team: Team) -> ControlError {
    ControlError(
      .noSuchVisit,
      "team '\(team.name)' has no visit whose id begins with '\(text)'; `pfctl visit list` shows the ids, and a pool's name "
        + "means its newest visit", facts: ["name": text])
  }
}
