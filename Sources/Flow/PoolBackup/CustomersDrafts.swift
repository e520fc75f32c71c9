import FoundationEssentials
import PoolInterchange
package import PoolModel
import Synchronization

/// The plan of the customers file that was last previewed, until it is applied: what was shown is what is done, and it is
/// worked out once.
///
/// A plan is the answer to a question: which file, in which language, on top of which pools and profiles. Another question
/// is answered anew, so nothing that came between preview and import is passed over.
package final class CustomersDrafts: Sendable {
  struct Question: Equatable {
    let file: Data
    let language: Language
    let units: UnitSystem
    let columns: CSVHeadingMap
    let isOfProfiles: Bool
    let team: CSVTeam
    let pools: [Pool]
    let profiles: [CustomerProfile]
    /// Pools that may still be created on the free plan; nil without a limit.
    let freePlanRemaining: Int?
  }

  private struct Draft {
    let question: Question
    let plan: CSVPlan
    let madeAt: Timestamp
  }
  private let last = Mutex<Draft?>(nil)

  package init() {}

  /// Whether a preview waits for its import.
  package var holdsPlan: Bool { last.withLock { $0 != nil } }

  func keep(_ plan: CSVPlan, for question: Question, at now: Timestamp) {
    last.withLock { $0 = Draft(question: question, plan: plan, madeAt: now) }
  }

  /// The plan for `question`, which is then no longer kept; nil where there is none.
  func take(_ question: Question) -> CSVPlan? {
    last.withLock { draft in
      guard let known = draft, known.question == question else { return nil }
      draft = nil
      return known.plan
    }
  }

  /// Forgets a plan that nobody came back for within `Limits.draftKept`, or that a clock set back makes look so.
  package func tidy(now: Timestamp) {
    last.withLock { draft in
      guard let known = draft, !(Duration.zero...Limits.draftKept).contains(now.since(known.madeAt)) else { return }
      draft = nil
    }
  }
}
