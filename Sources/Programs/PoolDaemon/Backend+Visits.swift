import FoundationEssentials
import PoolBackup
import PoolChemistry
import PoolControl
import PoolModel
import PoolPlatform
import PoolStore

extension Backend {
  func logVisit(_ call: FieldCall.LogVisit, _ caller: Caller) async throws -> FieldCall.LogVisit.Reply {
    let team = try await team(named: call.team)
    let pool = try await pool(call.pool, of: team)
    let values = try Self.once(call.readings).map(FieldValue.init)
    guard !values.isEmpty else {
      throw ControlError.badValue(
        field: "readings", value: "", why: "name at least one: \(FieldChanges.readingKeys.joined(separator: ", "))")
    }
    guard ["all", "none", "measured"].contains(call.dose), (call.dose == "measured") == !call.measured.isEmpty else {
      throw ControlError.badValue(field: "dose", value: call.dose, why: "it is all, none, or NAME=OZ once or more")
    }
    let notes = try FieldValue("notes", call.notes ?? "").words(.notes, isSensitive: true)
    let now = clock.now()
    let visit = ServiceEventID(UUID())
    let photo = try await stagePhoto(call.photo, for: visit, of: team, caller)
    let logged = try await settlingPhoto(photo != nil, of: visit, team) {
      try await store.logVisit(
        to: pool.id, of: team.id, at: now, notes: notes, photo: photo,
        identities: VisitIdentities(event: visit, dose: { ChemicalDoseID(UUID()) })
      ) { pool, recent, stock in
        var water = pool.latestReadings(visits: recent)
        for value in values where try !FieldChanges.apply(value, to: &water, units: team.units) {
          throw value.unknown(among: FieldChanges.readingKeys)
        }
        if let slip = ReadingCheck.complaint(about: water) {
          throw ControlError.badValue(field: slip.field, value: slip.value, why: slip.why)
        }
        let confirmed = try Self.confirmation(call, stock: stock)
        try Self.check(pool, stock)
        return (water, VisitPlan(pool: pool, inventory: stock, readings: water, confirmed: confirmed))
      }
    }
    guard let logged else { throw ControlError.noSuchPool(call.pool, team: team.name) }
    log.notice("visit to a pool of team '\(team.name)' logged by \(caller.words)")
    await noteCompletion(after: pool.id, of: team)
    return FieldCall.LogVisit.Reply(visit: view(of: logged, pool: pool, team: team))
  }

  /// Nothing is reckoned with numbers of before there were bounds: what comes of them may be no number at all, and a visit
  /// that cannot be told would stand in the store.
  private static func check(_ pool: Pool, _ stock: [InventoryItem]) throws(ControlError) {
    guard NumberRule.record.accepts(pool.volumeGallons) else {
      throw ControlError.badValue(
        field: "volume", value: "\(pool.volumeGallons)",
        why: "the pool cannot hold that; correct it first with `pfctl pool set`")
    }
    for item in stock {
      for (field, value) in [("cost", item.costPerOz), ("stock", item.currentStockOz)]
      where !NumberRule.record.accepts(value) {
        throw ControlError.badValue(
          field: field, value: "\(value)",
          why: "nothing can be reckoned with that of '\(item.name)'; correct it first with `pfctl inventory set`")
      }
    }
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
    } catch let refusal as PhotoShelf.Refusal {
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

  /// A key may be named once.
  static func once(_ changes: [SettingChangeView]) throws(ControlError) -> [SettingChangeView] {
    for (index, change) in changes.enumerated() where changes[..<index].contains(where: { $0.key == change.key }) {
      throw ControlError.badValue(field: change.key, value: "…", why: "it is named twice")
    }
    return changes
  }

  private static func confirmation(
    _ call: FieldCall.LogVisit, stock: [InventoryItem]
  ) throws(ControlError) -> DoseConfirmation {
    switch call.dose {
    case "all": return .all
    case "none": return .nothing
    default: break
    }
    var left: [InventoryItemID: Double] = [:]
    var doses: [MeasuredDose] = []
    for measured in call.measured {
      let item = try item(measured.chemical, among: stock, what: "stock item")
      guard measured.ounces > 0, NumberRule.quantity.accepts(measured.ounces) else {
        throw ControlError.badValue(
          field: "dose", value: "\(measured.ounces)",
          why: "it is more than 0 and at most \(decimalText(Limits.quantityOz.upperBound, places: 0)) oz")
      }
      let there = left[item.id] ?? item.currentStockOz
      guard measured.ounces <= there else {
        let oz = decimalText(there, places: 1)
        throw ControlError(
          .stockTooLow,
          "there are \(oz) oz of \(item.name), not \(decimalText(measured.ounces, places: 1)); "
            + "correct the stock first with `pfctl inventory set`, or pour less",
          facts: ["name": item.name, "stock": oz])
      }
      left[item.id] = there - measured.ounces
      doses.append(MeasuredDose(item: item.id, quantityOz: measured.ounces))
    }
    return .measured(doses)
  }

  /// The one item that `text` names, by id or by the beginning of its name.
  static func item(_ text: String, among items: [InventoryItem], what: String) throws(ControlError) -> InventoryItem {
    if let item = items.first(where: { $0.id == InventoryItemID(text) }) { return item }
    let wanted = text.lowercased()
    let exact = items.filter { $0.name.lowercased() == wanted }
    let found = exact.isEmpty && !wanted.isEmpty ? items.filter { $0.name.lowercased().hasPrefix(wanted) } : exact
    guard let item = found.first else {
      throw ControlError.noSuchItem(text, what: what, among: items.map(\.name))
    }
    guard found.count == 1 else {
      throw ControlError.noSuchItem(text, what: what, matches: found.map { "\($0.name) (\($0.id))" })
    }
    return item
  }

  func undoVisit(_ call: FieldCall.UndoVisit, _ caller: Caller) async throws -> FieldCall.UndoVisit.Reply {
    let team = try await team(named: call.team)
    let pool = try await pool(call.pool, of: team)
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
    guard (1...Limits.rowsPerAnswer).contains(call.limit) else {
      throw ControlError.badValue(
        field: "limit", value: String(call.limit), why: "it is from 1 to \(Limits.rowsPerAnswer)")
    }
    let team = try await team(named: call.team)
    var only: PoolID?
    if let name = call.pool { only = try await pool(name, of: team).id }
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
      local: local(event.timestamp, zone: team.zone), ph: event.readings.pH, lsi: event.lsiValue,
      condition: WaterCondition(lsi: event.lsiValue).rawValue, cost: event.totalChemicalCost, doses: doses,
      photo: event.photoFileName != nil, undoable: undoable)
  }

  private func view(of logged: LoggedVisit, pool: Pool, team: Team) -> LoggedVisitView {
    let plan = logged.plan
    return LoggedVisitView(
      id: logged.event.id.description, pool: pool.id.description, customer: pool.customerName,
      at: logged.event.timestamp.description, local: local(logged.event.timestamp, zone: team.zone),
      lsi: plan.result.lsiValue, condition: plan.result.status.rawValue, cost: plan.totalChemicalCost,
      advice: plan.recommendations.map {
        DoseAdviceView(
          kind: $0.kind.rawValue, chemical: $0.chemicalName, type: $0.chemicalType.rawValue, ounces: $0.quantityOz,
          text: QuantityText.text(ounces: $0.quantityOz, of: $0.chemicalType, in: team.units), cost: $0.estimatedCost,
          message: $0.message, note: $0.note)
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

extension ControlError {
  static func noSuchItem(_ name: String, what: String, among known: [String]) -> ControlError {
    let near = Suggestion.nearest(to: name, among: known)
    let rest =
      near.map { "did you mean '\($0)'?" }
      ?? (known.isEmpty ? "there is none" : "there are \(known.joined(separator: ", "))")
    var facts = ["name": name]
    facts["suggestion"] = near
    return ControlError(.noSuchItem, "there is no \(what) '\(name)'; \(rest)", facts: facts)
  }

  static func noSuchItem(_ name: String, what: String, matches: [String]) -> ControlError {
    ControlError(
      .noSuchItem, "'\(name)' could be \(matches.joined(separator: ", ")); name one \(what) by its id",
      facts: ["name": name])
  }
}
