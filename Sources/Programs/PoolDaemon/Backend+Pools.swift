import PoolControl
import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore

extension Backend {
  func list(_ call: PoolsCall.List, _ caller: Caller) async throws -> PoolsCall.List.Reply {
    let team = try await team(named: call.team)
    let day = try call.day.map { try weekday($0) }
    if let technician = call.technician {
      let names = try await store.technicians(of: team.id).map(\.name)
      guard names.contains(where: { $0.lowercased() == technician.lowercased() }) else {
        throw ControlError.noSuchTechnician(
          technician, team: team.name, suggestion: Suggestion.nearest(to: technician, among: names))
      }
    }
    let lines = try await store.pools(of: team.id, day: day, technician: call.technician)
    return PoolsCall.List.Reply(
      units: team.units.rawValue,
      pools: lines.map { view(of: $0.pool, technician: $0.technician, lastVisit: $0.lastVisit, team: team) })
  }

  func show(_ call: PoolsCall.Show, _ caller: Caller) async throws -> PoolsCall.Show.Reply {
    let team = try await team(named: call.team)
    let pool = try await pool(call.pool, of: team)
    let detail = try await store.detail(of: pool, team: team.id)
    let visits = try await store.events(of: pool.id, team: team.id, limit: 5)
    return PoolsCall.Show.Reply(
      details: PoolDetailsView(
        pool: view(of: pool, technician: detail.technician, lastVisit: detail.lastVisit?.timestamp, team: team),
        team: team.name, units: team.units.rawValue, latitude: pool.hasCoordinates ? pool.latitude : nil,
        longitude: pool.hasCoordinates ? pool.longitude : nil, monthlyFee: pool.monthlyServiceFee,
        readings: view(of: pool.latestReadings(visits: visits)),
        profile: detail.profile.map { view(of: $0, reveal: call.reveal) }, notes: call.reveal ? pool.notes : nil,
        equipment: detail.equipment.map {
          EquipmentView(name: $0.name, kind: $0.equipmentType, manufacturer: $0.manufacturer, model: $0.modelNumber)
        },
        visits: detail.visits,
        recentVisits: visits.map {
          VisitView(
            at: $0.timestamp.description, local: local($0.timestamp, zone: team.zone), lsi: $0.lsiValue,
            chemicalCost: $0.totalChemicalCost, photo: $0.photoFileName != nil)
        }))
  }

  /// The one pool that `text` names, by id or by the beginning of its customer's name.
  func pool(_ text: String, of team: Team) async throws -> Pool {
    let found = try await store.pools(of: team.id, matching: text)
    guard let pool = found.first else {
      let names = try await store.allPools(of: team.id).map(\.customerName)
      throw ControlError.noSuchPool(text, team: team.name, suggestion: Suggestion.nearest(to: text, among: names))
    }
    guard found.count == 1 else {
      let names = found.prefix(5).map { "\($0.customerName) (\($0.id))" }.joined(separator: ", ")
      throw ControlError(
        .ambiguousPool, "'\(text)' could be \(names); name one by its id",
        facts: ["name": text, "matches": names])
    }
    return pool
  }

  func weekday(_ text: String) throws(ControlError) -> Weekday {
    let wanted = text.lowercased()
    let named = Weekday.allCases.first { day in
      wanted.count >= 2 && "\(day)".hasPrefix(wanted)
    }
    guard let named else {
      throw ControlError.badValue(field: "day", value: text, why: "write a weekday such as Mon or monday")
    }
    return named
  }

  private func view(of pool: Pool, technician: String, lastVisit: Timestamp?, team: Team) -> PoolView {
    PoolView(
      id: pool.id.description, customer: pool.customerName, address: pool.address, day: pool.serviceDay.abbreviation,
      order: pool.routeOrder, technician: technician, volumeGallons: pool.volumeGallons, lsi: pool.cachedLSI,
      lastVisit: lastVisit?.description, lastVisitLocal: lastVisit.map { local($0, zone: team.zone) })
  }

  private func view(of readings: WaterReadings) -> ReadingsView {
    ReadingsView(
      ph: readings.pH, waterTempF: readings.waterTempF, calciumHardness: readings.calciumHardness,
      totalAlkalinity: readings.totalAlkalinity, cyanuricAcid: readings.cyanuricAcid,
      totalDissolvedSolids: readings.totalDissolvedSolids)
  }

  private func view(of profile: CustomerProfile, reveal: Bool) -> ProfileView {
    ProfileView(
      contactName: profile.contactName, contactPhone: reveal ? profile.contactPhone : nil,
      contactEmail: reveal ? profile.contactEmail : nil, gateAccess: reveal ? profile.gateAccessType : nil,
      arrivalWindow: profile.preferredArrivalWindow,
      tags: profile.tagsCSV.split(separator: ",").map(trimmingSpaces).filter { !$0.isEmpty })
  }

  // MARK: Outbox

  func list(_ call: OutboxCall.List, _ caller: Caller) async throws -> OutboxCall.List.Reply {
    guard (1...Limits.rowsPerAnswer).contains(call.limit) else {
      throw ControlError.badValue(
        field: "limit", value: String(call.limit), why: "it is from 1 to \(Limits.rowsPerAnswer)")
    }
    let team = try await optionalTeam(named: call.team)
    let entries = try await store.outbox(
      OutboxQuery(
        team: team?.id, sink: call.sink, state: call.state.flatMap { EntryState(rawValue: $0.rawValue) },
        limit: call.limit))
    let zones = Dictionary(try await store.teams().map { ($0.id, $0.zone) }, uniquingKeysWith: { first, _ in first })
    return OutboxCall.List.Reply(entries: entries.map { view(of: $0, zone: zone(of: $0.notice, zones)) })
  }

  func show(_ call: OutboxCall.Show, _ caller: Caller) async throws -> OutboxCall.Show.Reply {
    let entries = try await store.outbox(OutboxQuery(noticeID: call.noticeId))
    guard let notice = entries.first?.notice else { throw ControlError.noSuchNotice(call.noticeId) }
    var zone = LocalZone.name(environment: [:])
    if let team = notice.teamID { zone = try await store.team(team)?.zone ?? zone }
    return OutboxCall.Show.Reply(
      notice: NoticeView(
        id: notice.id, identifier: notice.identifier, team: notice.teamName, job: notice.job,
        slot: notice.slot.description, slotLocal: local(notice.slot, zone: zone), title: notice.title,
        body: notice.body, lines: notice.lines, createdAt: notice.createdAt.description),
      entries: entries.map { view(of: $0, zone: zone) })
  }

  /// The server's own notices are told in the machine's zone.
  private func zone(of notice: Notice, _ zones: [TeamID: String]) -> String {
    notice.teamID.flatMap { zones[$0] } ?? LocalZone.name(environment: [:])
  }

  private func view(of entry: OutboxEntry, zone: String) -> EntryView {
    let waits = entry.state == .pending || entry.state == .staged
    return EntryView(
      sequence: Int(entry.sequence), noticeId: entry.notice.id, team: entry.notice.teamName, sink: entry.sink,
      state: EntryStateView(rawValue: entry.state.rawValue) ?? .pending, attempts: entry.attempts,
      nextTryAt: waits ? entry.nextTryAt.description : nil,
      nextTryLocal: waits ? local(entry.nextTryAt, zone: zone) : nil, lastError: entry.lastError,
      createdAt: entry.notice.createdAt.description, createdLocal: local(entry.notice.createdAt, zone: zone),
      sentAt: entry.sentAt?.description, title: entry.notice.title)
  }
}
