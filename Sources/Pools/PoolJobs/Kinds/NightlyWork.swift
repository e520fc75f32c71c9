import FlowModel
import FlowNotices
package import FlowWork

// Server jobs; a failed one is retried every hour until the next night's run.

extension JobKind {
  package static let lsiRefresh = JobKind(
    "lsi-refresh", severity: .info, catchUp: .latest(within: .hours(24)), attemptRules: .nightly(timeout: .hours(1)),
    work: .serverTask(
      ServerTask(
        "computes the saturation index of every pool whose readings changed", rule: .calendar("*-*-* 02:30:00"))))

  /// A first run for 100,000 teams takes an hour and a half; a night with few changes takes seconds.
  package static let routePrecompute = JobKind(
    "route-precompute", severity: .info, catchUp: .latest(within: .hours(24)),
    attemptRules: .nightly(timeout: .hours(3)),
    work: .serverTask(
      ServerTask(
        "optimises the order of stops for every technician's days that changed", rule: .calendar("*-*-* 03:00:00"))))
}
