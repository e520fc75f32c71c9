internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FoundationEssentials

extension SetupRun {
  /// Sets a stable's daily times, each of which is the rule of a job.
  func setUpTimes(_ name: String) throws {
    let isThere = try currentState(name).team != nil
    for time in SetupTime.stableTimes {
      let given = time.option == "morning-time" ? flags.morning : flags.feedTimes[time.option]
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

  /// `tomorrow`; for a pool service the first day with stops, at most two weeks ahead.
  func nextWorkingDay(_ name: String) throws -> String {
    guard trade == .poolService, !isDryRun else { return "tomorrow" }
    var day = "tomorrow"
    for _ in 0..<14 {
      let reply = try session.runningDaemon().ask(
        ReportsCall.Digest(team: name, kind: .morning, date: day, technician: nil, format: .json))
      let page = try UntrustedJSON.decode(DigestStops.self, from: Array(reply.text.utf8))
      if page.sections.contains(where: { !$0.stops.isEmpty && $0.away != true }) {
        if day != "tomorrow" { say("tomorrow has no stops; the next day with stops:") }
        return day
      }
      guard let date = CivilDate(page.date) else { break }
      day = "\(date.adding(days: 1))"
    }
    say("no pool of \(name) has a stop in the next two weeks; `pfctl pool list --team \(name)` shows the days")
    return "tomorrow"
  }
}

/// The part of a morning digest that shows whether a day has stops.
private struct DigestStops: Decodable {
  /// A section of the digest with its stops.
  struct Section: Decodable {
    /// A stop; only the number of stops matters.
    struct Stop: Decodable {}
    let stops: [Stop]
    let away: Bool?
  }
  let date: String
  let sections: [Section]
}
