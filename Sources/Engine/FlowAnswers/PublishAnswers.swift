import FlowControl
import FlowDelivery
import FlowModel
import FlowNotices
import FlowServices
import FlowSettings
import FlowStore

/// Answers `org.poolflow.Publish`.
struct PublishAnswers: PublishService {
  let store: any ClusterPartitions & Teams
  let published: any PublishedNames
  /// Nil during an inspection, when no daemon runs.
  let dispatcher: Dispatcher?
  let settings: EffectiveSettings
  let finder: TeamFinder
  let mappingErrors: StoreErrorMapper
  let announce: Announcements

  func list(_ call: PublishCall.List, _ caller: Caller) async throws -> PublishCall.List.Reply {
    // Only the publishing node knows which pages are out of date.
    guard store.servesServer || dispatcher == nil else {
      throw ControlError(.busy, "another node publishes the pages; find it with `pfctl nodes` and ask there")
    }
    let team = try await finder.optionalTeam(named: call.team)
    return PublishCall.List.Reply(
      published: try await views(of: team, technician: nil) { try await published.given(to: $0.id) })
  }

  func rotate(_ call: PublishCall.Rotate, _ caller: Caller) async throws -> PublishCall.Rotate.Reply {
    guard call.team != nil || call.technician == nil else {
      throw ControlError.badValue(
        field: "technician", value: call.technician ?? "", why: "also name the technician's team with --team")
    }
    guard await !sinks.isEmpty else {
      throw ControlError(
        .noSuchSink,
        "nothing is published: no sink in poolflow.conf has Type=publish (see `pfctl config explain Type`)",
        facts: ["name": "publish"])
    }
    let team = try await finder.optionalTeam(named: call.team)
    var technician: Technician?
    if let name = call.technician, let team { technician = try await finder.technician(name, of: team) }
    try await mappingNameErrors {
      try await published.rotate(team: team?.id, owner: technician.map { .technician($0.id) })
    }
    published.changes.note(team?.name)
    var troubles: [String] = []
    for sink in dispatcher?.sinks(PublishSink.self) ?? [] {
      do throws(SinkError) {
        troubles += try await sink.withdraw().map { "\(sink.name): \($0)" }
      } catch { troubles.append("\(sink.name): \(error.reason)") }
    }
    let who = technician.map { "of '\($0.name)' " } ?? ""
    announce(team, "published pages \(who)have new addresses, by \(caller.words)")
    let views = try await views(of: team, technician: technician) { team in
      let owners = SiteOwner.all(try await mappingErrors { try await store.technicians(of: team.id) })
      return try await published.names(of: team.id, owners)
    }
    dispatcher?.wakeMaintainedSinks()
    return PublishCall.Rotate.Reply(published: views, troubles: troubles)
  }

  private var sinks: [Settings.SinkSettings] {
    get async { await settings.reading.settings.sinks.filter { $0.kind == .publish } }
  }

  /// The published pages of each person with their addresses.
  ///
  /// - Parameters:
  ///   - team: nil for all teams.
  ///   - technician: nil for the office and all technicians.
  private func views(
    of team: Team?, technician: Technician?, _ names: (Team) async throws -> [SiteOwner: String]
  ) async throws -> [PublishedView] {
    let sinks = await sinks
    let troubles = await pageFailures()
    var views: [PublishedView] = []
    guard !sinks.isEmpty else { return [] }
    let teams = try await mappingErrors { if let team { [team] } else { try await store.teams() } }
    for team in teams {
      let names = try await mappingNameErrors { try await names(team) }
      let technicians = try await mappingErrors { try await store.technicians(of: team.id) }
      let people: [(SiteOwner, String?)] =
        (technician == nil ? [(.office, nil)] : [])
        + technicians.filter { technician == nil || $0.id == technician?.id }.map { (.technician($0.id), $0.name) }
      for sink in sinks where sink.teams?.contains(team.name) ?? true {
        views += people.map { owner, person in
          let address = names[owner].flatMap { name in sink.baseURL.map { "\($0)/p/\(name)/" } }
          return PublishedView(
            sink: sink.name, team: team.name, technician: person, name: names[owner], address: address,
            calendar: address.map { $0 + "route.ics" }, trouble: troubles.of(names[owner], in: sink.name))
        }
      }
    }
    return views
  }

  /// Why published pages are out of date.
  private struct Troubles {
    /// Failures of whole sinks, by sink name.
    var sinks: [String: String] = [:]
    /// Failures of single folders, by sink name and then by the folder's secret name.
    var folders: [String: [String: [String]]] = [:]

    func of(_ folder: String?, in sink: String) -> String? {
      sinks[sink] ?? folder.flatMap { folders[sink]?[$0]?.joined(separator: "; ") }
    }
  }

  private func pageFailures() async -> Troubles {
    var troubles = Troubles()
    for lane in await dispatcher?.statuses() ?? [] { troubles.sinks[lane.sink] = lane.trouble?.description }
    for sink in dispatcher?.sinks(PublishSink.self) ?? [] {
      for obstacle in sink.pageObstacles {
        guard let folder = obstacle.folder else { continue }
        troubles.folders[sink.name, default: [:]][folder, default: []].append(obstacle.description)
      }
    }
    return troubles
  }

  /// Runs `body` and reports any failure of the names' storage to the caller.
  private func mappingNameErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as ControlError {
      throw error
    } catch {
      throw ControlError(.storage, "\(error)")
    }
  }
}
