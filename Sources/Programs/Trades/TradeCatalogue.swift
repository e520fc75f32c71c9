package import FlowModel
package import FlowWork
import PoolJobs
import StableJobs

extension JobCatalogue {
  /// The job kinds of one trade; each team of the trade has a job of every team kind.
  package static func of(_ trade: Trade) -> JobCatalogue {
    switch trade {
    case .poolService: .pools
    case .stable: .stables
    }
  }

  /// The job kinds of all trades, without duplicates, for names given without a trade; server jobs are the same for all.
  package static let every = JobCatalogue(
    ofTeam: Trade.allCases.flatMap { of($0).ofTeam }.reduce(into: []) { kinds, kind in
      if !kinds.contains(kind) { kinds.append(kind) }
    }, ofServer: JobCatalogue.pools.ofServer)
}

/// The raw value is the kind's name in the ledger.
extension JobKind: RawRepresentable {
  /// The job kind with this name in any trade, or the reminder with this name; nil if none has it.
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
