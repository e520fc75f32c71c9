internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FlowSettings
internal import Glibc

/// One run of `pfctl setup`: asks questions where possible, and carries out each answer before the next question.
final class SetupRun {
  let flags: SetupFlags
  let session: Session
  let console: Console
  var isDryRun: Bool { arguments.has("dry-run") }
  /// True if a person at a terminal can be asked.
  let isInteractive: Bool
  let arguments: Arguments
  /// The trade of a team whose trade is not named.
  private let standard: CommandTrade
  /// The team's trade; the standard trade until it is known.
  private(set) var trade: CommandTrade
  /// The options that select this daemon in every command.
  private let daemonArguments: [String]
  private(set) var report = SetupReport()
  /// The channels that poolflow-post has, such as `mail`; nil if they were not checked.
  var servedChannels: Set<String>?
  /// True if this run configured a server.
  var hasNewServers = false
  /// The other teams of this daemon, which use the same servers.
  private(set) var otherTeams: [String] = []

  init(_ flags: SetupFlags, _ arguments: Arguments, _ session: Session, standard: CommandTrade) {
    (self.flags, self.arguments, self.session) = (flags, arguments, session)
    self.standard = standard
    trade = standard
    console = session.console
    isInteractive = isatty(STDIN_FILENO) == 1 && !session.console.isJSON && !arguments.has(Confirmation.option.name)
    daemonArguments = ["socket", "instance"].flatMap { name in arguments[name].map { ["--\(name)", $0] } ?? [] }
  }

  func run() throws {
    let teams = try session.runningDaemon().ask(TeamsCall.List()).teams.map(\.name)
    try requireAnswers(teams)
    if isInteractive {
      say("This sets up one team: its \(recordsOfTrades), its morning, and who gets notices.")
      say("Enter accepts the value in brackets. After Ctrl-C the finished steps stay, and")
      say("the next `pfctl setup` continues from there.")
    }
    do {
      let name = try setUpTeam(teams)
      otherTeams = teams.filter { $0 != name }
      try setUpRecords(name)
      switch trade.setup.morning.time {
      case .setting(let question): try setUpMorning(name, question)
      case .rules(let times): try setUpTimes(times, name)
      }
      try setUpServers()
      try setUpPeople(name)
      try finish(name)
    } catch {
      if !isInteractive, !report.commands.isEmpty {
        say("setup ends at this command; the steps before it stay, and the same command line continues from here")
      }
      throw error
    }
  }

  /// The nouns of the trades' records, with `or` between them.
  private var recordsOfTrades: String {
    session.catalogue.trades.map(\.records.many).joined(separator: " or ")
  }

  // MARK: The team

  private func requireAnswers(_ teams: [String]) throws {
    guard !isInteractive else { return }
    let assumesYes = arguments.has(Confirmation.option.name)
    let team = flags.team ?? (assumesYes && teams.count == 1 ? teams[0] : nil)
    var missing = team == nil ? ["--team"] : []
    if team.map({ !teams.contains($0) }) ?? teams.isEmpty, flags.zone == nil, !assumesYes || machineZone == nil {
      missing.append("--zone")
    }
    guard !missing.isEmpty else { return }
    throw CommandFailure.usage(
      "pfctl cannot ask without a terminal, so `pfctl setup` needs \(missing.joined(separator: " and ")), such as --team "
        + "desert-blue --zone America/Phoenix")
  }

  /// The machine's time zone if it names a city; nil for UTC, which servers use and teams do not.
  private var machineZone: String? {
    let name = LocalZone.name(environment: session.environment)
    let hasNoPlace = name.hasPrefix("Etc/") || !name.contains("/")
    return hasNoPlace ? nil : try? SetupAnswer.knownZone(name)
  }

  /// - Returns: the team's name; the team exists now, except in a dry run.
  private func setUpTeam(_ teams: [String]) throws -> String {
    if isInteractive, flags.team == nil, teams.count > 1 { say("there are \(teams.joined(separator: ", "))") }
    while true {
      let onlyTeam = teams.count == 1 ? teams[0] : nil
      let name = try flags.team ?? answer("Team", standard: onlyTeam, hint: "a team has a name", SetupAnswer.team)
      let state = try currentState(name)
      if let known = state.team {
        if let trade = flags.trade?.trade, trade != known.trade {
          throw CommandFailure.usage("\(name) already has the trade \(known.trade.rawValue), which cannot change")
        }
        say("\(name) already exists (\(known.zone))")
      } else if isInteractive, let near = Suggestion.nearest(to: name, among: teams),
        try !confirms("Team \(name) does not exist, but \(near) does. Create \(name)?")
      {
        guard flags.team == nil else { throw Self.declined("nothing was changed") }
        continue
      }
      let zone =
        try flags.zone ?? state.team?.zone
        ?? answer("Time zone", standard: machineZone, hint: "write Area/City", SetupAnswer.knownZone)
      var language = flags.language
      if language == nil, state.team == nil, isInteractive {
        let standard = SetupAnswer.language(environment: session.environment) ?? Language.english.rawValue
        language = try answer("Language", standard: standard, hint: "", SetupAnswer.language)
      }
      var trade = flags.trade
      let trades = session.catalogue.trades
      if trade == nil, state.team == nil, isInteractive, trades.count > 1 {
        let question = recordsOfTrades.prefix(1).uppercased() + recordsOfTrades.dropFirst()
        trade = try answer(question, standard: standard.records.many, hint: "") { text throws(InvalidAnswer) in
          try SetupAnswer.trade(text, among: trades)
        }
      }
      let steps = SetupPlan(team: name, state: state).teamSteps(
        zone: zone, language: language, trade: trade.flatMap { $0.isStandard ? nil : $0.trade })
      self.trade = state.team.flatMap { session.catalogue.trade(named: $0.trade.rawValue) } ?? trade ?? standard
      if let owner = flags.accessTrade, owner.trade != self.trade.trade {
        throw SetupFlags.misplacedAccess(owner, "\(name) is \(self.trade.team)")
      }
      if try attempt(steps, again: flags.team == nil) { return name }
    }
  }

  // MARK: Records

  private func setUpRecords(_ name: String) throws {
    let count = try currentState(name).team?.records ?? 0
    let words = TextFormat.count(count, trade.records.one)
    let plan = SetupPlan(team: name, state: SetupState())
    if let file = flags.file {
      guard count == 0 else {
        let command = plan.importSteps(file).map { $0.line(reveal: false) }.joined()
        return say("\(name) has \(words); `\(command)` would import the file")
      }
      return try plan.importSteps(file).forEach(perform)
    }
    guard isInteractive else { return }
    guard count == 0 else { return say("\(name) has \(words)") }
    while true {
      let home = session.environment["HOME"]
      let list = standard.setup.list
      let file = try optionalAnswer(trade.setup.list.question) {
        text throws(InvalidAnswer) in
        let path = SetupAnswer.path(text, home: home)
        _ = try SetupAnswer.file(path, or: list)
        return path
      }
      guard let file else { return }
      if try attempt(plan.importSteps(file), again: true) { return }
    }
  }

  // MARK: Morning time

  private func setUpMorning(_ name: String, _ question: String) throws {
    let given = flags.times[SetupTime.morningOption]
    let morning = trade.setup.morning
    let state = try currentState(name)
    if let rule = state.team?.ownRule {
      if given != nil || isInteractive {
        say("\(morning.notice) has its own rule, \(rule); `pfctl job set \(morning.job) --team \(name)` changes it")
      }
      return
    }
    guard given != nil || isInteractive else { return }
    let standard = state.team?.morning ?? TimeOfDay.sevenInTheMorning.description
    let time = try given ?? answer(question, standard: standard, hint: "write HH:MM", SetupAnswer.morning)
    try SetupPlan(team: name, state: state).morningSteps(time).forEach(perform)
  }

  // MARK: Summary

  private func finish(_ name: String) throws {
    let state = try currentState(name)
    let plan = SetupPlan(team: name, state: state)
    if state.team?.records == 0, !isDryRun {
      say("\(name) has no \(trade.records.many) yet: `pfctl import FILE --team \(name)` imports them")
    } else if !console.isJSON {
      try plan.pageSteps(try nextWorkingDay(name)).forEach(perform)
    }
    report.gaps =
      try isDryRun ? [] : session.runningDaemon().ask(PeopleCall.List(team: name, reveal: false)).remarks ?? []
    for gap in report.gaps { say("! \(gap)") }
    report.team = name
    report.dryRun = isDryRun
    if let team = state.team {
      report.zone = team.zone
      report.trialEnds = team.trialEnds
      let timing = try session.runningDaemon().ask(JobsCall.Show(job: trade.setup.morning.job, team: name)).timing
      report.firstMorning = team.hasMorningNotice ? timing.next.first?.local : nil
    }
    if console.isJSON { return try console.document("setup", report) }
    if isDryRun { return console.note("nothing was changed") }
    if let first = report.firstMorning {
      console.line(
        "\(name): \(trade.setup.morning.next) is sent \(visible(first)), time zone \(visible(report.zone ?? ""))")
    } else {
      console.line(
        "\(name): \(trade.setup.morning.none) is sent; `pfctl team show \(name)` shows what is off")
    }
    if let end = report.trialEnds {
      console.note(
        "its trial ends \(visible(end)), which limits it only if the settings have PlanLimits = on: `pfctl team plan "
          + "\(name) paid`")
    }
    console.note(
      "`pfctl status` shows the state of the daemon, `pfctl technician list --team \(name)` who gets notices where")
  }

  // MARK: The daemon's state

  /// Reads the daemon's current state.
  func currentState(_ name: String) throws -> SetupState {
    let daemon = try session.runningDaemon()
    var state = SetupState()
    guard let team = try daemon.ask(TeamsCall.List()).teams.first(where: { $0.name == name }) else { return state }
    let trade = session.catalogue.trade(of: team) ?? standard
    let rule = try daemon.ask(JobsCall.Show(job: trade.setup.morning.job, team: name)).timing
    // The team's own time of day also appears as a rule set by the team.
    let morning = team.settings.morningTime
    let plain = "*-*-* \(morning)" + (morning.utf8.count == 5 ? ":00" : "")
    let isOwn = rule.settings.contains { $0.key == "rule" && $0.origin != .kind && $0.value != plain }
    state.team = SetupState.Team(
      zone: team.zone, language: team.language, morning: morning,
      hasMorningNotice: team.settings.notifications && (!trade.setup.times.isEmpty || team.settings.morningSummary),
      ownRule: isOwn ? rule.words : nil, trade: trade.trade, records: trade.records.count(team),
      trialEnds: team.plan == .trial ? team.trialExpiresLocal ?? team.trialExpiresAt : nil)
    let people = try daemon.ask(PeopleCall.List(team: name, reveal: true))
    state.sinks = people.sinks
    state.people = people.people.map { person in
      SetupState.Person(
        name: person.name, isOffice: person.isOffice,
        addresses: Dictionary(
          person.reach.map { ($0.channel, $0.address ?? "") }, uniquingKeysWith: { first, _ in first }),
        records: person.pools)
    }
    return state
  }

  // MARK: Running steps

  /// Prints the command and runs it.
  func perform(_ step: SetupStep) throws {
    let step = step.program == "pfctl" ? SetupStep.pfctl(daemonArguments + step.words) : step
    let line = step.line(reveal: console.outputIsTerminal && !console.isJSON)
    report.commands.append(line)
    show("$ \(line)")
    guard !isDryRun else { return }
    guard step.program == "pfctl" else { return try runProgram(step) }
    let arguments = try Arguments(step.words, in: session.catalogue)
    if console.isJSON {
      try console.suppressingDocuments { try arguments.command.run(arguments, session) }
    } else {
      try arguments.command.run(arguments, session)
    }
  }

  /// - Parameter again: true if a refused answer can be asked again.
  /// - Returns: false if the command was refused; the reason has been printed.
  func attempt(_ steps: [SetupStep], again: Bool) throws -> Bool {
    do {
      try steps.forEach(perform)
      return true
    } catch let error as ControlError where isInteractive && again && Self.isInvalidAnswer(exitCode(of: error)) {
      say("! \(error.message)")
    } catch let error as CommandFailure where isInteractive && again && Self.isInvalidAnswer(error.exitCode) {
      say("! \(error.message)")
    }
    return false
  }

  private func exitCode(of error: ControlError) -> Int32 { session.catalogue.interfaces.exitCode(of: error) }

  private static func isInvalidAnswer(_ code: Int32) -> Bool {
    [ExitCode.usage, ExitCode.notFound, ExitCode.badData, ExitCode.noInput, ExitCode.cannotCreate].contains(code)
  }

  /// Runs a step whose failure does not stop the setup: the failure is printed and sets the exit code.
  func performContinuingOnFailure(_ step: SetupStep) throws {
    do {
      try perform(step)
    } catch let error as ControlError {
      addWarning(error.message, exitCode(of: error))
    } catch let error as CommandFailure {
      addWarning(error.message, error.exitCode)
    }
  }

  func addWarning(_ text: String, _ code: Int32) {
    say("! \(text)")
    report.remarks.append(text)
    session.exitCode = code
  }

  /// Prints a command line that the setup runs.
  func show(_ line: String) {
    guard !console.isJSON else { return }
    console.line(console.paint(visible(line), .bold))
    // Flush at once: questions follow, so the pager cannot be used.
    console.flush()
  }

  func say(_ text: String) { if !console.isQuiet || text.hasPrefix("!") { console.words(visible(text)) } }

  /// Reports whether mail or published pages show access data; nil says nothing.
  func recordAccess(_ shows: Bool?, of places: String) {
    guard let shows, let access = trade.setup.access else { return }
    report.showsAccess = shows
    say("\(places) \(places == "mail" ? "is" : "are") set to show \(shows ? "" : "no ")\(access.data)")
  }

  func recordWrittenFile(_ file: SetupFile) { report.files.append(file.path) }
}

/// The JSON report of a setup. It contains no address.
struct SetupReport: Codable {
  var team = ""
  var zone: String?
  var dryRun = false
  /// The `pfctl` commands that setup ran, as a person would type them.
  var commands: [String] = []
  /// The files written, or to be written in a dry run.
  var files: [String] = []
  /// Problems that the user should look at.
  var remarks: [String] = []
  /// Technicians with records and no address, and technicians with an address and no records.
  var gaps: [String] = []
  /// The first morning notice, formatted in the team's zone.
  var firstMorning: String?
  /// Whether mail and published pages are set to show access data of records, such as codes; nil if it was not asked or given.
  var showsAccess: Bool?
  /// Nil if the team has no trial.
  var trialEnds: String?

  enum CodingKeys: String, CodingKey {
    case team, zone, commands, files, remarks, gaps
    case dryRun = "dry_run"
    case firstMorning = "first_morning"
    case showsAccess = "shows_access"
    case trialEnds = "trial_ends"
  }
}
