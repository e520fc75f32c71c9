import PoolJobs
package import PoolModel
package import PoolWork
import StableJobs

extension JobCatalogue {
  /// The work of one trade: a team has a job of each of its kinds.
  package static func of(_ trade: Trade) -> JobCatalogue {
    switch trade {
    case .poolService: .pools
    case .stable: .stables
    }
  }

  /// Of every trade, each word once: where a kind is named and nobody says whose. The server's own work is done for all.
  package static let every = JobCatalogue(
    ofTeam: Trade.allCases.flatMap { of($0).ofTeam }.reduce(into: []) { kinds, kind in
      if !kinds.contains(kind) { kinds.append(kind) }
    }, ofServer: JobCatalogue.pools.ofServer)
}

/// By its word in the ledger.
extension JobKind: RawRepresentable {
  /// The kind that has this word in any trade, or the reminder of that name; nil where none has it.
  package init?(rawValue: String) {
    if let kind = JobCatalogue.every.kind(named: rawValue) {
      self = kind
    } else if let kind = Self.reminder(in: rawValue) {
      self = kind
    } else {
      return nil
    }
  }
}
