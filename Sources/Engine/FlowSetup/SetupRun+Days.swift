internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

extension SetupRun {
  /// Sets daily times, each of which is the rule of a job.
  func setUpTimes(_ times: [SetupTime], _ name: String) throws {
    let isThere = try currentState(name).team != nil
    for time in times {
      let given = flags.times[time.option]
      guard given != nil || isInteractive else { continue }
      var known: String?
      if isThere {
        let timing = try session.runningDaemon().ask(JobsCall.Show(job: time.job, team: name)).timing
        known = timing.settings.first { $0.key == "rule" }?.value
        guard known.flatMap(SetupTime.time) != nil else {
          say(
            "\(time.job) has its own rule, \(timing.words); `pfctl job set \(time.job) --team \(name)` changes it")
          continue
        }
      }
      let standard = known.flatMap(SetupTime.time) ?? time.standard
      let chosen =
        try given ?? answer(time.question, standard: standard, hint: "write HH:MM", SetupAnswer.morning)
      try SetupPlan(team: name, state: SetupState()).timeSteps(chosen, of: time, known: known).forEach(perform)
    }
  }

  /// The next day on which the team works; prints the day's note.
  func nextWorkingDay(_ name: String) throws -> String {
    guard !isDryRun else { return "tomorrow" }
    let next = try trade.nextWorkingDay(name, session.runningDaemon())
    if let note = next.note { say(note) }
    return next.day
  }
}
