internal import FoundationEssentials
internal import PoolModel
package import PoolNotices
internal import PoolStore

/// What opens a gate and rings a telephone. No notice holds it: only a sink that is set to `Sensitive=yes` asks for it, at
/// the moment it writes its file.
package protocol AccessSource: Sendable {
  /// Of the pools that stand in the notice's details, in their order; empty where it names none.
  func access(of notice: Notice) async throws -> [PoolAccess]
}

extension Store: AccessSource {
  package func access(of notice: Notice) async throws -> [PoolAccess] {
    guard let team = notice.teamID, !notice.dataJSON.isEmpty else { return [] }
    // Details of another shape name no pools.
    guard let route = try? JSONDecoder().decode(RouteDetails.self, from: Data(notice.dataJSON.utf8)) else { return [] }
    let pools = (route.sections ?? []).flatMap(\.stops).compactMap { PoolID($0.poolID) }
    return try access(to: pools, team: team)
  }
}

/// As much of a morning's details as tells which pools are meant.
private struct RouteDetails: Decodable {
  struct Section: Decodable { let stops: [Stop] }
  struct Stop: Decodable {
    let poolID: String

    private enum CodingKeys: String, CodingKey {
      case poolID = "pool_id"
    }
  }
  let sections: [Section]?
}
