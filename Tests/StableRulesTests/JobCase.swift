import FlowCalendar
import FlowModel
import FlowTestKit
import FlowWork
import StableJobs
import StableModel

/// A golden case run through its job, as the daemon decides it, with the team's switches.
struct JobCase {
  var facts: BarnFacts
  let zone: Zone

  /// - Parameter off: the names of the jobs that the team has switched off.
  init(horses: [Horse], notifications: Bool = true, off: Set<String> = [], zone: Zone) {
    let settings = TeamSettings(notificationsEnabled: notifications, disabledJobs: off)
    var team = Samples.team("hill", zone: zone.name, settings: settings)
    team.trade = .stable
    self.zone = zone
    facts = BarnFacts(team: team, horses: horses)
  }

  /// The outcome of a slot.
  ///
  /// - Parameter now: the time of the decision; the slot's time if nil.
  func outcome(of kind: JobKind, slot: Timestamp, now: Timestamp? = nil) -> Outcome {
    let now = now ?? slot
    let run = RunContext(
      jobID: JobID(7), kind: kind, slot: slot, asOf: slot, now: now, lateness: max(.zero, now.since(slot)),
      install: "test")
    return facts.decision(run, zone)
  }
}
