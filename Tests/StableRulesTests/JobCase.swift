import PoolCalendar
import PoolModel
import PoolTestKit
import PoolWork
import StableJobs
import StableModel

/// A golden case led through the job that tells of it, as the daemon decides: with the team's switches.
struct JobCase {
  var facts: BarnFacts
  let zone: Zone

  /// - Parameter off: the words of the jobs that the team switched off.
  init(horses: [Horse], notifications: Bool = true, off: Set<String> = [], zone: Zone) {
    let settings = TeamSettings(notificationsEnabled: notifications, silenced: off)
    var team = Samples.team("hill", zone: zone.name, settings: settings)
    team.trade = .stable
    self.zone = zone
    facts = BarnFacts(team: team, horses: horses)
  }

  /// What comes of a slot.
  ///
  /// - Parameter now: when it is decided; at once without it.
  func outcome(of kind: JobKind, slot: Timestamp, now: Timestamp? = nil) -> Outcome {
    let now = now ?? slot
    let run = RunContext(
      jobID: JobID(7), kind: kind, slot: slot, asOf: slot, now: now, lateness: max(.zero, now.since(slot)),
      install: "test")
    return facts.decision(run, zone)
  }
}
