import FlowCalendar
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import FlowWork

/// Builds the teams' published pages from the present records.
struct TeamSites: PublishedPageSource {
  let store: Store
  let trades: DaemonTrades
  let published: any PublishedNames
  let zones: SystemZones
  let clock: any WallClock
  /// Names of the teams to publish; nil for all.
  let publishedTeams: Set<String>?
  /// True if the pages show sensitive data, such as phone numbers.
  let isSensitive: Bool

  /// True on the node that owns partition 0, which publishes for all nodes.
  var publishesHere: Bool { store.servesServer }

  /// Notifies the publishing node that pages may have changed.
  func notifyPublisher() async throws { try await store.notifyOtherNodes() }

  /// A mark for each team, which changes when its pages must be rebuilt: on a new local day, after a change, and hourly for
  /// changes that are not reported. The hourly times are spread over the teams.
  func pageVersions() async throws -> [TeamID: String] {
    let now = clock.now()
    let teams = try await store.teams()
    try await forgetOthers(than: Set(teams.map(\.id)))
    return Dictionary(
      uniqueKeysWithValues: teams.filter(isPublished).map { team in
        // A team with an unreadable zone uses days in UTC, and its pages show the failure.
        let today = ((try? zones.zone(named: team.zone)) ?? .utc).local(at: now).date
        let hour = (now.seconds + team.id.number % 3_600 * 37 % 3_600) / 3_600
        return (team.id, "\(today) \(hour) \(published.changes.count(of: team.name))")
      })
  }

  func names() async throws -> Set<String> {
    guard publishedTeams != nil else { return try await published.all }
    var names: Set<String> = []
    for team in try await store.teams() where isPublished(team) {
      names.formUnion(try await published.given(to: team.id).values)
    }
    return names
  }

  private func isPublished(_ team: Team) -> Bool { publishedTeams?.contains(team.name) ?? true }

  func pages(of id: TeamID) async throws -> [SitePages] {
    guard let team = try await store.team(id) else { return [] }
    let technicians = try await store.technicians(of: id)
    let names = try await published.names(of: id, SiteOwner.all(technicians))
    let files = try await filesOfOwners(of: team, names)
    return names.compactMap { owner, name in
      files[owner].map { SitePages(name: name, owner: Self.ownerDescription(owner, technicians, team), files: $0) }
    }.sorted { $0.name < $1.name }
  }

  private static func ownerDescription(_ owner: SiteOwner, _ technicians: [Technician], _ team: Team) -> String {
    guard case .technician(let id) = owner, let technician = technicians.first(where: { $0.id == id }) else {
      return "the office of team '\(visible(team.name))'"
    }
    return "'\(visible(technician.name))' of team '\(visible(team.name))'"
  }

  /// The files of each owner's folder; of a team whose records cannot be read, a page that shows this. `status` and `doctor`
  /// list the failure itself.
  private func filesOfOwners(of team: Team, _ names: [SiteOwner: String]) async throws -> [SiteOwner: [String: [UInt8]]]
  {
    guard let pages = trades.pages(of: team) else { return [:] }
    do {
      let zone = try zones.zone(named: team.zone)
      return try await pages.site(
        SiteQuery(
          team: team, names: names, zone: zone, now: clock.now(), isSensitive: isSensitive, store: store)) ?? [:]
    } catch let error as StoreError where error.isAboutData {
      return names.mapValues { _ in pages.errorPages(of: team) }
    } catch is ZoneError {
      return names.mapValues { _ in pages.errorPages(of: team) }
    }
  }

  /// Deletes the names of removed teams. A team that only cannot be read keeps its names.
  private func forgetOthers(than teams: Set<TeamID>) async throws {
    var gone = try await published.teams().subtracting(teams)
    guard !gone.isEmpty else { return }
    gone.subtract(try await store.unreadableTeams().keys)
    if !gone.isEmpty { try await published.forget(gone) }
  }
}
