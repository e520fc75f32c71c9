package import FlowModel
import FoundationEssentials
import PoolInterchange
import PoolModel
import Synchronization

extension Limits {
  /// The time for which an import plan is kept, long enough to read a preview.
  package static let draftKept: Duration = .seconds(600)
}

/// Keeps the plan of the last previewed customers file until its import, so that the import does exactly what the preview
/// showed, without computing the plan again.
///
/// A plan depends on the file, the language, the present pools and profiles and other inputs. If any of them differs, it is
/// computed again, so changes between preview and import are not lost.
package final class ImportPreviewCache: Sendable {
  /// The inputs of a plan.
  struct Inputs: Equatable {
    let file: Data
    let language: Language
    let units: UnitSystem
    let columns: CSVHeadingMap
    let isOfProfiles: Bool
    let team: CSVTeam
    let pools: [Pool]
    let profiles: [CustomerProfile]
    let services: ServiceCalendar
    /// The date in the team's zone, with which repetitions in weeks begin.
    let today: CivilDate
    /// The number of pools that the free plan still allows; nil for no limit.
    let freePlanRemaining: Int?
  }

  /// A kept plan with its inputs and the time of the preview.
  struct CachedPlan {
    let inputs: Inputs
    let plan: CSVPlan
    let madeAt: Timestamp
  }
  let last = Mutex<CachedPlan?>(nil)

  package init() {}

  /// Keeps the plan of a preview, replacing an earlier one.
  func keep(_ plan: CSVPlan, for inputs: Inputs, at now: Timestamp) {
    last.withLock { $0 = CachedPlan(inputs: inputs, plan: plan, madeAt: now) }
  }

  /// Returns the plan for these inputs and removes it; nil if there is none.
  func take(_ inputs: Inputs) -> CSVPlan? {
    last.withLock { draft in
      guard let known = draft, known.inputs == inputs else { return nil }
      draft = nil
      return known.plan
    }
  }

  /// Removes a plan that was not imported within `Limits.draftKept`, or that is dated in the future after the clock was set
  /// back.
  package func tidy(now: Timestamp) {
    last.withLock { draft in
      guard let known = draft, !(Duration.zero...Limits.draftKept).contains(now.since(known.madeAt)) else { return }
      draft = nil
    }
  }
}
