internal import FlowCommandKit
internal import FlowModel

/// A command that setup runs, in the form that a person could type.
struct SetupStep: Hashable {
  /// The program, such as `pfctl`.
  let program: String
  let words: [String]

  static func pfctl(_ words: [String]) -> SetupStep { SetupStep(program: "pfctl", words: words) }

  /// The command quoted for a shell.
  ///
  /// - Parameter reveal: true to include people's addresses; only for the person at the terminal.
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

/// The daemon's state of the team, as far as setup needs it.
struct SetupState: Hashable {
  /// The team as the daemon knows it.
  struct Team: Hashable {
    var zone: String
    var language: String
    var morning: String
    /// True if the team's notices and its morning notice are switched on.
    var hasMorningNotice = true
    /// The rule of the morning notice if a user chose one; its time of day is then irrelevant.
    var ownRule: String?
    var trade: Trade
    /// The number of its trade's records.
    var records = 0
    /// The end of the trial, formatted for printing; nil without a trial.
    var trialEnds: String?
  }

  /// A technician, or the office.
  struct Person: Hashable {
    let name: String
    let isOffice: Bool
    /// Addresses by channel.
    let addresses: [String: String]
    /// The number of records that the technician looks after.
    let records: Int
  }

  /// Nil if the team does not exist.
  var team: Team?
  var people: [Person] = []
  /// The sinks that deliver personal notices.
  var sinks: [String] = []

  /// The technicians, without the one that has the team's name: it stands for records without a technician.
  func technicians(of team: String) -> [Person] {
    people.filter { !$0.isOffice && !NameMatch.areEqual($0.name, team) }
  }

  func person(_ name: String) -> Person? {
    people.first { $0.isOffice ? name.lowercased() == SetupContact.office : $0.name.lowercased() == name.lowercased() }
  }
}

/// The commands that change the daemon's state to the wanted one; empty if nothing differs.
struct SetupPlan {
  let team: String
  let state: SetupState

  /// - Parameters:
  ///   - zone: used if the team does not exist yet.
  ///   - trade: the trade of a new team; nil for the standard trade.
  func teamSteps(zone: String, language: String?, trade: Trade? = nil) -> [SetupStep] {
    guard let known = state.team else {
      let options =
        (language.map { ["--language", $0] } ?? []) + (trade.map { ["--trade", $0.rawValue] } ?? [])
      return [.pfctl(["team", "add", team, "--zone", zone] + options)]
    }
    var changes = known.zone == zone ? [] : ["zone=\(zone)"]
    if let language, language != known.language { changes.append("language=\(language)") }
    return changes.isEmpty ? [] : [.pfctl(["team", "set", team] + changes)]
  }

  func importSteps(_ file: String) -> [SetupStep] {
    // `./` protects a name that begins with a dash from being read as an option.
    [.pfctl(["import", file.hasPrefix("-") ? "./\(file)" : file, "--team", team])]
  }

  func morningSteps(_ time: String) -> [SetupStep] {
    var changes = time == state.team?.morning ?? TimeOfDay.sevenInTheMorning.description ? [] : ["morning-time=\(time)"]
    if let known = state.team, !known.hasMorningNotice { changes += ["notifications=on", "morning-summary=on"] }
    return changes.isEmpty ? [] : [.pfctl(["team", "set", team] + changes)]
  }

  func personSteps(_ contact: SetupContact) -> [SetupStep] {
    let isOffice = contact.name.lowercased() == SetupContact.office
    let known = state.person(contact.name)
    let missing = contact.addresses.filter { known?.addresses[$0.channel.rawValue] != $0.address }
    guard !missing.isEmpty || (known == nil && !isOffice) else { return [] }
    let options = ["--team", team] + missing.flatMap { ["--\($0.channel.rawValue)", $0.address] }
    return [.pfctl(["technician", known == nil && !isOffice ? "add" : "set"] + Self.named(contact.name, options))]
  }

  func testSteps(_ contact: SetupContact) -> [SetupStep] {
    [.pfctl(["technician", "test"] + Self.named(contact.name, ["--team", team]))]
  }

  /// - Parameter day: `tomorrow`, or a date.
  func pageSteps(_ day: String) -> [SetupStep] { [.pfctl(["digest", "--team", team, "--at", day])] }

  /// - Parameter known: the job's current rule. A rule that is no daily time was chosen by a user and is kept.
  func timeSteps(_ time: String, of job: SetupTime, known: String?) -> [SetupStep] {
    guard known.map(SetupTime.time) ?? job.standard != time else { return [] }
    return [.pfctl(["job", "set", job.job, "--team", team, "rule=\(SetupTime.rule(time))"])]
  }

  /// The name before the options; after `--` if it begins with a dash.
  private static func named(_ name: String, _ options: [String]) -> [String] {
    name.hasPrefix("-") ? options + ["--", name] : [name] + options
  }
}
