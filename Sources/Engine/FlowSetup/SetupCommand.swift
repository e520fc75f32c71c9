package import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FlowSettings

/// `pfctl setup`: sets up a team from nothing to its first morning notice.
package enum SetupCommand: Command {
  package static let description = CommandDescription(
    "setup", "set up a team: its pools, its morning time, and who gets which notices",
    options: [
      .init("team", "TEAM", "the team's name, such as desert-blue; created if it does not exist"),
      .init("zone", "ZONE", "its time zone, such as America/Phoenix"),
      .init("language", "LANGUAGE", "the language of its notices: en, es, fr, pt-BR or de"),
      .init("trade", "TRADE", "its trade: pool-service (default) or stable"),
      .init("archive", "FILE", "a backup of the app (ZIP) to import, or a stable's archive"),
      .init("customers", "FILE", "a customer list (CSV) instead"),
      .init("horses", "FILE", "a stable's list of horses (CSV)"),
      .init(
        "morning-time", "HH:MM", "when the morning's route, or the stable's morning notice, is sent, in the team's zone"
      ),
      .init("feed-am", "HH:MM", "for a stable: when morning feeds that are still open are reported"),
      .init("feed-pm", "HH:MM", "the same of evening feeds"),
      .init(
        "tell", "NAME=CHANNEL:ADDRESS",
        "who gets notices where, such as 'Maria=mail:maria@example.com'; office=… for the office; may be repeated",
        isRepeated: true),
      .init("relay", "URL", "the mail server that sends mail, such as smtp://127.0.0.1:25"),
      .init("sender", "ADDRESS", "the sender of mail, such as 'Routes <routes@example.com>'"),
      .init("ntfy-server", "URL", "the ntfy server, such as https://ntfy.example.com"),
      .init("all-teams", nil, "change the present mail or ntfy server for all teams of this daemon"),
      .init("no-test", nil, "send no test notice to new addresses"),
      .init(
        "config", "FILE", "the daemon's settings, with post.conf next to them; default: the file that the daemon uses"),
      .init("dry-run", nil, "only print the commands and the files"), Confirmation.option,
    ],
    details: [
      "At a terminal it asks for everything that no option gives; Enter accepts the value in brackets. After each answer "
        + "it runs and prints the commands for it: after Ctrl-C at any question the finished steps stay, and the next "
        + "`pfctl setup` continues from there. Settings that are already right are not changed, and pools are imported "
        + "only into a team that has none.",
      "Without a terminal, or with --yes, it asks nothing. With --yes the defaults are the only team and the machine's zone.",
      "A channel is mail, ntfy, telegram, matrix, slack, teams or webhook; separate several with commas: "
        + "'Maria=mail:maria@example.com,ntfy:route-maria'. Addresses are shown only at the terminal.",
      "NAME is matched with the team's technicians: a part that only one of them has, such as the first name, means that "
        + "one. If a name is similar to another, setup asks, or without a terminal exits with the similar names. To add "
        + "a technician with a similar name, use `pfctl technician add`.",
      "All teams share one mail server with one sender, and one ntfy server. If another team exists, the present servers "
        + "stay, unless --all-teams is given or you agree at the terminal.",
      "--relay, --sender and --ntfy-server write post.conf.d/setup.conf and poolflow.conf.d/post.conf beside the "
        + "settings, which needs root; without root the files are printed. A file that setup did not write, or that was "
        + "changed since, is not changed. For a relay that needs a login, and for the other channels, see "
        + "poolflow-post(1).",
    ],
    examples: [
      "pfctl setup --team desert-blue --zone America/Phoenix --archive backup.zip --morning-time 06:45 --tell "
        + "'Maria=mail:maria@example.com' --relay smtp://127.0.0.1:25 --sender routes@example.com --yes --dry-run",
      "pfctl setup --team desert-blue --tell office=ntfy:desert-blue-office --yes",
      "pfctl setup --team willow-barn --zone Europe/Berlin --trade stable --horses horses.csv --feed-am 08:30 --yes",
    ])

  package static let documents: [JSONDocument] = [.init("setup", SetupReport.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
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
          ? "--sender needs --relay, the server that sends the mail, such as --relay smtp://127.0.0.1:25"
          : "`pfctl setup` needs --sender beside --relay, such as --sender routes@example.com")
    }
    if !servers.isEmpty, let instance = arguments["instance"] {
      throw .usage(
        "--relay, --sender and --ntfy-server work only for poolflowd without an instance; for "
          + "poolflowd@\(visible(instance)) write post.conf by hand, see poolflow-post(1)")
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
        throw .usage("--tell names \(visible(contact.name)) twice; give it once, with channels separated by commas")
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
      throw .usage("--customers is for a pool service; a stable's list of horses is given with --horses")
    }
    return trade
  }

  private static func file(_ arguments: Arguments) throws(CommandFailure) -> String? {
    let given = ["archive", "customers", "horses"].filter { arguments[$0] != nil }
    guard given.count < 2 else {
      throw .usage(
        "\(given.map { "--\($0)" }.joined(separator: " and ")) are two ways to import the same records; give one of them"
      )
    }
    for (option, wanted) in [("archive", SetupFileKind.archive), ("customers", .customers), ("horses", .customers)] {
      guard let path = arguments[option] else { continue }
      let start = try ImportFile(path: path, wanted: ImportFile.backupOrList).next(upTo: 4 << 10) ?? []
      guard SetupFileKind(start) == wanted else {
        throw .badData(
          wanted == .archive
            ? "'\(visible(path))' is not a ZIP archive; a customer list is given with --customers"
            : option == "horses"
              ? "'\(visible(path))' is not a list of horses (CSV); a stable's archive is given with --archive"
              : "'\(visible(path))' is not a customer list (CSV); the app's backup is given with --archive")
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
