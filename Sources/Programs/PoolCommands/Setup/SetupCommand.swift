internal import PoolControl
internal import PoolModel
internal import PoolPlatform
internal import PoolSettings

/// `pfctl setup`: from nothing to a technician's morning.
enum SetupCommand: Command {
  static let description = CommandDescription(
    "setup", "set up a team: its pools, its morning, and who is told how",
    options: [
      .init("team", "TEAM", "the team's name, such as desert-blue; made where it is not there"),
      .init("zone", "ZONE", "its time zone, such as America/Phoenix"),
      .init("language", "LANGUAGE", "what it is told in: en, es, fr, pt-BR or de"),
      .init("archive", "FILE", "the app's backup (ZIP) with its pools"),
      .init("customers", "FILE", "a customer list (CSV) instead"),
      .init("morning-time", "HH:MM", "when the morning's route is told, in the team's zone"),
      .init(
        "tell", "NAME=CHANNEL:ADDRESS",
        "who is told where, such as 'Maria=mail:maria@example.com'; office=… is the office; more than once",
        isRepeated: true),
      .init("relay", "URL", "the mail server that takes mail, such as smtp://127.0.0.1:25"),
      .init("sender", "ADDRESS", "the sender of mail, such as 'Routes <routes@example.com>'"),
      .init("ntfy-server", "URL", "the ntfy server, such as https://ntfy.example.com"),
      .init("no-test", nil, "send no test to those whose addresses are new"),
      .init("config", "FILE", "the daemon's settings, beside which post.conf is; those it has in force without it"),
      .init("dry-run", nil, "only print the commands and the files"), Question.option,
    ],
    details: [
      "At a terminal it asks for what no option says; Enter takes what stands in brackets. Each answer is acted on at "
        + "once, by the commands that it prints: Ctrl-C at any question leaves what was done, and the next `pfctl setup` "
        + "goes on from there. What is so already is left alone, and pools are brought into a team that has none.",
      "Without a terminal, or with --yes, it asks nothing. --yes takes the only team and the machine's zone for granted.",
      "A channel is mail, ntfy, telegram, matrix, slack, teams or webhook, several with commas between: "
        + "'Maria=mail:maria@example.com,ntfy:route-maria'. Addresses are shown at the terminal alone.",
      "--relay, --sender and --ntfy-server write post.conf.d/setup.conf and poolflow.conf.d/post.conf beside the settings, which "
        + "takes root; without it the files are printed. A file that setup did not write, or that was changed since, "
        + "stays as it is. A relay that wants a login, and the other channels: see poolflow-post(1).",
    ],
    examples: [
      "pfctl setup --team desert-blue --zone America/Phoenix --archive backup.zip --morning-time 06:45 --tell "
        + "'Maria=mail:maria@example.com' --relay smtp://127.0.0.1:25 --sender routes@example.com --yes --dry-run",
      "pfctl setup --team desert-blue --tell office=ntfy:desert-blue-office --yes",
    ])

  static let documents: [JSONDocument] = [.init("setup", SetupReport.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    try SetupRun(SetupFlags(arguments), arguments, session).run()
  }
}

/// The answers that the command line has, each of which can be taken.
struct SetupFlags {
  let team: String?
  let zone: String?
  let language: String?
  let file: String?
  let morning: String?
  let contacts: [SetupContact]
  let servers: SetupServers
  let sendsTests: Bool

  /// - Throws: with exit code 64 for the option that cannot be taken, 65 and 66 for a file; nothing is done then.
  init(_ arguments: Arguments) throws(CommandFailure) {
    func read<Value>(
      _ option: String, _ take: (String) throws(BadAnswer) -> Value
    ) throws(CommandFailure) -> Value? {
      guard let text = arguments[option] else { return nil }
      do { return try take(text) } catch { throw .usage("--\(option): \(error.why)") }
    }
    team = try read("team", SetupAnswer.team)
    zone = try read("zone", SetupAnswer.knownZone)
    language = try read("language", SetupAnswer.language)
    morning = try read("morning-time", SetupAnswer.morning)
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

  private static func file(_ arguments: Arguments) throws(CommandFailure) -> String? {
    guard arguments["archive"] == nil || arguments["customers"] == nil else {
      throw .usage("--archive and --customers are two ways to bring the same pools; give one of them")
    }
    for (option, wanted) in [("archive", SetupFileKind.archive), ("customers", .customers)] {
      guard let path = arguments[option] else { continue }
      let start = try ImportFile(path: path).next(upTo: 4 << 10) ?? []
      guard SetupFileKind(start) == wanted else {
        throw .badData(
          wanted == .archive
            ? "'\(visible(path))' is no ZIP archive; a customer list comes with --customers"
            : "'\(visible(path))' is no customer list (CSV); the app's backup comes with --archive")
      }
      return path
    }
    return nil
  }
}

extension SetupAnswer {
  /// By what this machine knows of time zones.
  static func knownZone(_ text: String) throws(BadAnswer) -> String {
    let zones = SystemZones()
    return try zone(text, isKnown: { (try? zones.zone(chosen: $0)) != nil }, names: zones.zoneNames)
  }
}
