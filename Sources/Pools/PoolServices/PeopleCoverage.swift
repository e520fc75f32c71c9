import PoolModel
import FlowControl
import FlowModel
import FlowServices
import FlowStore
import PoolStore

/// Finds technicians of a pool-service team who have pools and no address, or an address and no pools.
struct PeopleCoverage: Sendable {
  /// A technician with the number of their pools, and whether notices reach them.
  private struct Driver {
    let technician: Technician
    let pools: Int
    let isReached: Bool
    let wantsRoute: Bool
  }

  private let team: Team
  private let drivers: [Driver]
  private let officeIsReached: Bool

  /// - Parameter pools: the number of pools of each technician.
  init(of team: Team, people: [KnownPerson], technicians: [Technician], pools: [TechnicianID: Int]) {
    let known = Dictionary(people.map { ($0.person.key, $0.person) }, uniquingKeysWith: { first, _ in first })
    self.team = team
    drivers = technicians.map { technician in
      let person = known[.technician(technician.id)]
      return Driver(
        technician: technician, pools: pools[technician.id] ?? 0, isReached: person?.channels.isEmpty == false,
        wantsRoute: person?.wants.contains(.route) ?? true)
    }
    officeIsReached = known[.office(team.id)]?.channels.isEmpty == false
  }

  /// Empty if the team has no pools, or no person of it has an address: such a team does not use personal notices.
  var gaps: [PeopleGap] {
    guard drivers.contains(where: { $0.pools > 0 }),
      officeIsReached || drivers.contains(where: \.isReached)
    else { return [] }
    return [unreachedGap, unassignedGap].compactMap(\.self) + drivers.filter { isIdle($0) }.map(idleGap)
  }

  /// True for the default technician with the team's own name, which represents the pools without a technician.
  private func isTeamItself(_ driver: Driver) -> Bool {
    driver.technician.isDefault && NameMatch.areEqual(driver.technician.name, team.name)
  }

  /// True for a technician who gets route notices but has no pools.
  private func isIdle(_ driver: Driver) -> Bool { driver.isReached && driver.wantsRoute && driver.pools == 0 }

  private var unreached: [Driver] { drivers.filter { $0.pools > 0 && !$0.isReached && !isTeamItself($0) } }

  private var unreachedGap: PeopleGap? {
    let unreached = unreached
    guard !unreached.isEmpty else { return nil }
    let shown = unreached.prefix(Limits.problemsShown).map { "\($0.technician.name) (\(Self.count($0.pools)))" }
    let more = unreached.count - shown.count
    let who = unreached.count == 1 ? "a technician" : "\(unreached.count) technicians"
    return PeopleGap(
      message: "\(who) of team '\(team.name)' who \(unreached.count == 1 ? "services" : "service") pools "
        + "\(unreached.count == 1 ? "has" : "have") no address and \(unreached.count == 1 ? "gets" : "get") no notices: "
        + shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""),
      remedy: "`pfctl technician set NAME --team \(team.name) --mail ADDRESS`",
      // A note is enough if other technicians with pools have an address.
      isWarning: !drivers.contains { $0.isReached && $0.pools > 0 })
  }

  private var unassignedGap: PeopleGap? {
    guard !officeIsReached, let own = drivers.first(where: { isTeamItself($0) }), own.pools > 0, !own.isReached else {
      return nil
    }
    return PeopleGap(
      message:
        "\(Self.count(own.pools)) of team '\(team.name)' \(own.pools == 1 ? "names" : "name") no technician, and its "
        + "office has no address",
      remedy: "`pfctl technician set office --team \(team.name) --mail ADDRESS`", isWarning: true)
  }

  private func idleGap(_ driver: Driver) -> PeopleGap {
    let name = driver.technician.name
    var message = "\(name) of team '\(team.name)' has an address but no pools, so no route is sent to it"
    if isTeamItself(driver) {
      return PeopleGap(
        message: message + "; this technician, named like the team, stands for its pools without a technician",
        remedy: "`pfctl technician set office --team \(team.name) --mail ADDRESS` sends these notices to the office",
        isWarning: true)
    }
    var meant: [String] = []
    switch NameMatch(name, among: unreached.map(\.technician.name)) {
    case .same(let other), .part(let other): meant = [other]
    case .near(let others): meant = others
    case .none: break
    }
    guard let other = meant.first else {
      return PeopleGap(
        message: message,
        remedy: "`pfctl pool set POOL --team \(team.name) --tags tech:\(shellWord(name))` assigns a pool, and "
          + "`--wants week` turns routes off", isWarning: true)
    }
    message += "; did you mean \(meant.joined(separator: " or "))?"
    return PeopleGap(
      message: message,
      remedy:
        "`pfctl technician set \(shellWord(other)) --team \(team.name) --mail ADDRESS`, then `pfctl technician remove "
        + "\(shellWord(name)) --team \(team.name)`", isWarning: true)
  }

  private static func count(_ pools: Int) -> String { pools == 1 ? "1 pool" : "\(pools) pools" }
}
