internal import PoolModel

/// Something that setup does: a command, as somebody could type it.
struct SetupStep: Hashable {
  /// The program first, such as `pfctl`.
  let program: String
  let words: [String]

  static func pfctl(_ words: [String]) -> SetupStep { SetupStep(program: "pfctl", words: words) }

  /// As it is typed into a shell.
  ///
  /// - Parameter reveal: with people's addresses, for the person at the terminal alone.
  func line(reveal: Bool) -> String {
    var line = [program]
    let isOfPerson = words.contains("technician")
    var isAddress = false
    for word in words {
      line.append(isAddress && !reveal ? "ADDRESS" : shellWord(word))
      isAddress = isOfPerson && word.hasPrefix("--") && ReachChannel(rawValue: String(word.dropFirst(2))) != nil
    }
    return line.joined(separator: " ")
  }
}

/// What the daemon has of the team, as far as setup asks.
struct SetupState: Hashable {
  struct Team: Hashable {
    var zone: String
    var language: String
    var morning: String
    /// Its notices and the morning among them are on.
    var speaks = true
    /// The morning goes by a rule that somebody chose, in these words; its time of day means nothing then.
    var ownRule: String?
    var pools = 0
    var trade = Trade.poolService
    /// Of a stable.
    var horses = 0
    /// Ready to print; nil where it is on no trial.
    var trialEnds: String?
  }

  /// A technician, or the office.
  struct Person: Hashable {
    let name: String
    let isOffice: Bool
    /// By channel.
    let addresses: [String: String]
    let pools: Int
  }

  /// Nil where it is not there.
  var team: Team?
  var people: [Person] = []
  /// The sinks that bring people their own notices.
  var sinks: [String] = []

  /// The technicians; the one with the team's own name stands for pools without a technician, and is nobody to be told.
  func technicians(of team: String) -> [Person] {
    people.filter { !$0.isOffice && !NameMatch.areEqual($0.name, team) }
  }

  func person(_ name: String) -> Person? {
    people.first { $0.isOffice ? name.lowercased() == SetupContact.office : $0.name.lowercased() == name.lowercased() }
  }
}

/// The commands that lead from what the daemon has to what somebody wants; nothing where it is so already.
struct SetupPlan {
  let team: String
  let state: SetupState

  /// - Parameters:
  ///   - zone: needed where the team is not there.
  ///   - trade: of a team that is not there.
  func teamSteps(zone: String, language: String?, trade: Trade = .poolService) -> [SetupStep] {
    guard let known = state.team else {
      let options =
        (language.map { ["--language", $0] } ?? []) + (trade == .poolService ? [] : ["--trade", trade.rawValue])
      return [.pfctl(["team", "add", team, "--zone", zone] + options)]
    }
    var changes = known.zone == zone ? [] : ["zone=\(zone)"]
    if let language, language != known.language { changes.append("language=\(language)") }
    return changes.isEmpty ? [] : [.pfctl(["team", "set", team] + changes)]
  }

  func importSteps(_ file: String) -> [SetupStep] {
    // A name that begins with a dash would be taken for an option.
    [.pfctl(["import", file.hasPrefix("-") ? "./\(file)" : file, "--team", team])]
  }

  func morningSteps(_ time: String) -> [SetupStep] {
    var changes = time == state.team?.morning ?? TimeOfDay.sevenInTheMorning.description ? [] : ["morning-time=\(time)"]
    if let known = state.team, !known.speaks { changes += ["notifications=on", "morning-summary=on"] }
    return changes.isEmpty ? [] : [.pfctl(["team", "set", team] + changes)]
  }

  func personSteps(_ contact: SetupContact) -> [SetupStep] {
    let isOffice = contact.name.lowercased() == SetupContact.office
    let known = state.person(contact.name)
    let missing = contact.ways.filter { known?.addresses[$0.channel.rawValue] != $0.address }
    guard !missing.isEmpty || (known == nil && !isOffice) else { return [] }
    let options = ["--team", team] + missing.flatMap { ["--\($0.channel.rawValue)", $0.address] }
    return [.pfctl(["technician", known == nil && !isOffice ? "add" : "set"] + Self.named(contact.name, options))]
  }

  func testSteps(_ contact: SetupContact) -> [SetupStep] {
    [.pfctl(["technician", "test"] + Self.named(contact.name, ["--team", team]))]
  }

  /// - Parameter day: `tomorrow`, or a date.
  func pageSteps(_ day: String) -> [SetupStep] { [.pfctl(["digest", "--team", team, "--at", day])] }

  /// - Parameter known: the job's rule as it is now; a rule that is no time of day was chosen by somebody, and stays.
  func timeSteps(_ time: String, of job: SetupTime, known: String?) -> [SetupStep] {
    guard known.map(SetupTime.time) ?? job.usual != time else { return [] }
    return [.pfctl(["job", "set", job.job, "--team", team, "rule=\(SetupTime.rule(time))"])]
  }

  /// The name before the options; behind `--` where it begins like one.
  private static func named(_ name: String, _ options: [String]) -> [String] {
    name.hasPrefix("-") ? options + ["--", name] : [name] + options
  }
}
