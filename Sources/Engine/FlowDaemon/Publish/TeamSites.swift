import FlowCalendar
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowWork
import PoolDigests
import PoolJobs
import PoolStore
import StableDigests
import StableStore

/// Builds the teams' published pages from the present records.
struct TeamSites: PublishedPageSource {
  let store: any FactsOfStables & FactsOfTeams & ClusterPartitions & Pools & Teams & Timings
  let published: any PublishedNames
  let zones: SystemZones
  let clock: any WallClock
  /// Names of the teams to publish; nil for all.
  let publishedTeams: Set<String>?
  /// True if the pages show gate codes, phone numbers and notes.
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

  /// The files of each owner's folder; of a team whose records cannot be read, a page that shows this.
  private func filesOfOwners(of team: Team, _ names: [SiteOwner: String]) async throws -> [SiteOwner: [String: [UInt8]]]
  {
    do {
      if team.trade == .stable {
        guard let files = try await barnFiles(of: team) else { return [:] }
        return names.mapValues { _ in files }
      }
      return try await site(of: team)?.files(names) ?? [:]
    } catch let error as StoreError where error.isAboutData {
      return errorPages(team, names)
    } catch is ZoneError {
      return errorPages(team, names)
    }
  }

  /// The files of a stable, the same for all of its people.
  private func barnFiles(of team: Team) async throws -> [String: [UInt8]]? {
    let zone = try zones.zone(named: team.zone)
    let now = clock.now()
    let today = zone.local(at: now).date
    guard let facts = try await store.barnFacts(of: team.id, on: today) else { return nil }
    let morning = zone.resolve(LocalDateTime(date: today, time: team.settings.morningTime)).standard
    return BarnSite(facts, at: DigestMoment(zone: zone, asOf: morning), now: now).files
  }

  /// A page that shows that the team's records cannot be read; `status` and `doctor` list the failure itself.
  private func errorPages(_ team: Team, _ names: [SiteOwner: String]) -> [SiteOwner: [String: [UInt8]]] {
    names.mapValues { _ in TeamSite.errorPages(team) }
  }

  /// The pages of a pool-service team: seven mornings, the routes sent before, and this week. Nil if the team has gone.
  private func site(of team: Team) async throws -> TeamSite? {
    let zone = try zones.zone(named: team.zone)
    let now = clock.now()
    let today = zone.local(at: now).date
    func instant(_ days: Int, _ time: TimeOfDay) -> Timestamp {
      zone.resolve(LocalDateTime(date: today.adding(days: days), time: time)).standard
    }
    var requests = (0..<7).map {
      FactsRequest(
        team: team.id, kind: .morningSummary, asOf: instant($0, team.settings.morningTime), now: now, zone: zone)
    }
    requests += (0..<7).map { FactsRequest(toldBefore: today.adding(days: $0 - 7), of: team.id) }
    let evening = TimeOfDay(hour: 17, minute: 0) ?? .sevenInTheMorning
    requests.append(FactsRequest(team: team.id, kind: .weeklyDigest, asOf: instant(0, evening), now: now, zone: zone))
    let facts = try await store.facts(requests).compactMap(\.self)
    guard facts.count == requests.count else { return nil }
    let pools = try await store.pools(of: team.id, day: nil, technician: nil, now: now).map(\.pool)
    let shown = facts[0].stops(on: today.weekday) + facts[1].stops(on: today.adding(days: 1).weekday)
    return TeamSite(
      Array(facts.prefix(7)), told: facts.prefix(14).compactMap(\.lastRoute), week: facts.last, pools: pools,
      access: isSensitive ? try await store.access(to: shown.map(\.poolID), team: team.id) : [],
      worksOnClosedDays: try await worksOnClosedDays(team.id), today: today, zone: zone)
  }

  /// True if the team's morning summary ignores days off.
  private func worksOnClosedDays(_ team: TeamID) async throws -> Bool {
    let chosen = try await store.timings(of: team)[.morningSummary] ?? .unchosen
    let standard = try await store.defaultTimings()[.morningSummary] ?? .unchosen
    return chosen.over(standard).closed == .ignore
  }

  /// Deletes the names of removed teams. A team that only cannot be read keeps its names.
  private func forgetOthers(than teams: Set<TeamID>) async throws {
    var gone = try await published.teams().subtracting(teams)
    guard !gone.isEmpty else { return }
    gone.subtract(try await store.unreadableTeams().keys)
    if !gone.isEmpty { try await published.forget(gone) }
  }
}
