internal import PoolControl
internal import PoolModel
internal import PoolPlatform
internal import PoolSettings

/// `pfctl setup`: sets up a team from nothing to its first morning notice.
enum SetupCommand: Command {
  static let description = CommandDescription(
    "setup", "set up a team: its pools, its morning, and who is told how",
    options: [
      .init("team", "TEAM", "the team's name, such as desert-blue; made where it is not there"),
      .init("zone", "ZONE", "its time zone, such as America/Phoenix"),
      .init("language", "LANGUAGE", "what it is told in: en, es, fr, pt-BR or de"),
      .init("trade", "TRADE", "what it lives on: pool-service (without it) or stable"),
      .init("archive", "FILE", "the app's backup (ZIP) with its pools, or a stable's archive"),
      .init("customers", "FILE", "a customer list (CSV) instead"),
      .init("horses", "FILE", "a stable's list of horses (CSV)"),
      .init("morning-time", "HH:MM", "when the morning's route, or the barn's morning, is told, in the team's zone"),
      .init("feed-am", "HH:MM", "of a stable: when morning feeds that are still open are told"),
      .init("feed-pm", "HH:MM", "the same of evening feeds"),
      .init(
        "tell", "NAME=CHANNEL:ADDRESS",
        "who is told where, such as 'Maria=mail:maria@example.com'; office=… is the office; more than once",
        isRepeated: true),
      .init("relay", "URL", "the mail server that takes mail, such as smtp://127.0.0.1:25"),
      .init("sender", "ADDRESS", "the sender of mail, such as 'Routes <routes@example.com>'"),
      .init("ntfy-server", "URL", "the ntfy server, such as https://ntfy.example.com"),
      .init("all-teams", nil, "change the mail or ntfy server that is there for every team of this daemon"),
      .init("no-test", nil, "send no test to those whose addresses are new"),
      .init("config", "FILE", "the daemon's settings, beside which post.conf is; those it has in force without it"),
      .init("dry-run", nil, "only print the commands and the files"), Confirmation.option,
    ],
    details: [
      "At a terminal it asks for what no option says; Enter takes what stands in brackets. Each answer is acted on at "
        + "once, by the commands that it prints: Ctrl-C at any question leaves what was done, and the next `pfctl setup` "
        + "goes on from there. What is so already is left alone, and pools are brought into a team that has none.",
      "Without a terminal, or with --yes, it asks nothing. --yes takes the only team and the machine's zone for granted.",
      "A channel is mail, ntfy, telegram, matrix, slack, teams or webhook, several with commas between: "
        + "'Maria=mail:maria@example.com,ntfy:route-maria'. Addresses are shown at the terminal alone.",
      "NAME is matched with the technicians that the team has: a part that only one of them has, such as the first name, is "
        + "taken for that one; where a name is near another, setup asks, or without a terminal ends with the names that may be "
        + "meant. A technician whose name is near another is made by `pfctl technician add` alone.",
      "One mail server with one sender, and one ntfy server, are for all teams. Where there is another team, those that are "
        + "there stay, unless --all-teams is given or the person at the terminal agrees.",
      "--relay, --sender and --ntfy-server write post.conf.d/setup.conf and poolflow.conf.d/post.conf beside the settings, which "
        + "takes root; without it the files are printed. A file that setup did not write, or that was changed since, "
        + "stays as it is. A relay that wants a login, and the other channels: see poolflow-post(1).",
    ],
    examples: [
      "pfctl setup --team desert-blue --zone America/Phoenix --archive backup.zip --morning-time 06:45 --tell "
        + "'Maria=mail:maria@example.com' --relay smtp://127.0.0.1:25 --sender routes@example.com --yes --dry-run",
      "pfctl setup --team desert-blue --tell office=ntfy:desert-blue-office --yes",
      "pfctl setup --team willow-barn --zone Europe/Berlin --trade stable --horses horses.csv --feed-am 08:30 --yes",
    ])

  static let documents: [JSONDocument] = [.init("setup", SetupReport.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    try SetupRun(SetupFlags(arguments), arguments, session).run()
  }
}

/// The answers given as options, all valid.
struct SetupFlags {
  let team: String?
  let zone: String?
  let language: String?
  let trade: Trade?
  let file: String?
  let morning: String?
  /// The time by option name, such as `feed-am`.
  let feedTimes: [String: String]
  let contacts: [SetupContact]
  let servers: SetupServers
  let sendsTests: Bool
  let changesAllTeams: Bool

  /// - Throws: `CommandFailure` with exit code 64 for an invalid option, 65 or 66 for a file. Nothing has been changed then.
  init(_ arguments: Arguments) throws(CommandFailure) {
    func read<Value>(
      _ option: String, _ take: (String) throws(InvalidAnswer) -> Value
    ) throws(CommandFailure) -> Value? {
      guard let text = arguments[option] else { return nil }
      do { return try take(text) } catch { throw .usage("--\(option): \(error.why)") }
    }
    team = try read("team", SetupAnswer.team)
    zone = try read("zone", SetupAnswer.knownZone)
    language = try read("language", SetupAnswer.language)
    morning = try read("morning-time", SetupAnswer.morning)
    var feedTimes: [String: String] = [:]
    for option in ["feed-am", "feed-pm"] { feedTimes[option] = try read(option, SetupAnswer.morning) }
    self.feedTimes = feedTimes
    trade = try Self.trade(arguments, try read("trade", SetupAnswer.trade))
    changesAllTeams = arguments.has("all-teams")
    contacts = try Self.contacts(arguments.all("tell"))
    servers = SetupServers(
      relay: try read("relay", SetupAnswer.relay), sender: try read("sender", SetupAnswer.sender),
      ntfy: try read("ntfy-server", SetupAnswer.ntfy))
    guard (servers.relay == nil) == (servers.sender == nil) else {
      throw .usage(
        servers.relay == nil
          ? "--sender is the sender of mail, and --relay the server that takes it, such as --relay smtp://127.0.0.1:25"
          : "`pfctl setup` needs --sender beside --relay, such as --sender routes@example.com")
    }
    if !servers.isEmpty, let instance = arguments["instance"] {
      throw .usage(
        "--relay, --sender and --ntfy-server are for poolflowd itself, whose notices poolflow-post brings; for poolflowd@"
          + "\(visible(instance)) write post.conf by hand, see poolflow-post(1)")
    }
    sendsTests = !arguments.has("no-test")
    file = try Self.file(arguments)
  }

  private static func contacts(_ texts: [String]) throws(CommandFailure) -> [SetupContact] {
    var contacts: [SetupContact] = []
    for text in texts {
      let contact: SetupContact
      do { contact = try SetupContact(text) } catch { throw .usage("--tell: \(error.why)") }
      guard !contacts.contains(where: { $0.name.lowercased() == contact.name.lowercased() }) else {
        throw .usage("--tell names \(visible(contact.name)) twice; write the ways with a comma between")
      }
      contacts.append(contact)
    }
    return contacts
  }

  /// The trade implied by options that only a stable has. Options of the other trade are refused.
  private static func trade(_ arguments: Arguments, _ given: Trade?) throws(CommandFailure) -> Trade? {
    let ofStable = ["horses", "feed-am", "feed-pm"].filter { arguments[$0] != nil }
    let trade = given ?? (ofStable.isEmpty ? nil : .stable)
    if let option = ofStable.first, trade != .stable {
      throw .usage("--\(option) is for a stable: --trade stable")
    }
    if trade == .stable, arguments["customers"] != nil {
      throw .usage("--customers is a pool service's list; a stable's list of horses comes with --horses")
    }
    return trade
  }

  private static func file(_ arguments: Arguments) throws(CommandFailure) -> String? {
    let given = ["archive", "customers", "horses"].filter { arguments[$0] != nil }
    guard given.count < 2 else {
      throw .usage(
        "\(given.map { "--\($0)" }.joined(separator: " and ")) are two ways to bring the same records; give one of them"
      )
    }
    for (option, wanted) in [("archive", SetupFileKind.archive), ("customers", .customers), ("horses", .customers)] {
      guard let path = arguments[option] else { continue }
      let start = try ImportFile(path: path).next(upTo: 4 << 10) ?? []
      guard SetupFileKind(start) == wanted else {
        throw .badData(
          wanted == .archive
            ? "'\(visible(path))' is no ZIP archive; a customer list comes with --customers"
            : option == "horses"
              ? "'\(visible(path))' is no list of horses (CSV); a stable's archive comes with --archive"
              : "'\(visible(path))' is no customer list (CSV); the app's backup comes with --archive")
      }
      return path
    }
    return nil
  }
}

extension SetupAnswer {
  /// Validates a zone against this machine's time zone database.
  static func knownZone(_ text: String) throws(InvalidAnswer) -> String {
    let zones = SystemZones()
    return try zone(text, isKnown: { (try? zones.zone(chosen: $0)) != nil }, names: zones.zoneNames)
  }
}
