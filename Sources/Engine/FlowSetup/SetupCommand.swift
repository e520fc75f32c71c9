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
      .init(
        SetupTime.morningOption, "HH:MM",
        "when the morning's route, or the stable's morning notice, is sent, in the team's zone"
      ),
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
    ])

  package static let documents: [JSONDocument] = [.init("setup", SetupReport.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let trades = session.catalogue.trades
    guard let standard = session.catalogue.standardTrade else {
      throw CommandFailure.usage("this pfctl knows no trade, so it cannot set up a team")
    }
    try SetupRun(SetupFlags(arguments, trades, standard: standard), arguments, session, standard: standard).run()
  }
}

/// The answers given as options, all valid.
struct SetupFlags {
  let team: String?
  let zone: String?
  let language: String?
  let trade: CommandTrade?
  let file: String?
  /// The daily times by option name, such as `morning-time`.
  let times: [String: String]
  let contacts: [SetupContact]
  let servers: SetupServers
  /// The trade whose option for access data is given.
  let accessTrade: CommandTrade?
  let sendsTests: Bool
  let changesAllTeams: Bool

  /// - Parameter standard: the trade of a team whose trade is not named, one of `trades`.
  /// - Throws: `CommandFailure` with exit code 64 for an invalid option, 65 or 66 for a file. Nothing has been changed then.
  init(_ arguments: Arguments, _ trades: [CommandTrade], standard: CommandTrade) throws(CommandFailure) {
    func read<Value>(
      _ option: String, _ take: (String) throws(InvalidAnswer) -> Value
    ) throws(CommandFailure) -> Value? {
      guard let text = arguments[option] else { return nil }
      do { return try take(text) } catch { throw .usage("--\(option): \(error.why)") }
    }
    team = try read("team", SetupAnswer.team)
    zone = try read("zone", SetupAnswer.knownZone)
    language = try read("language", SetupAnswer.language)
    var times: [String: String] = [:]
    for option in [SetupTime.morningOption] + trades.flatMap(\.setup.times).map(\.option) {
      times[option] = try read(option, SetupAnswer.morning)
    }
    self.times = times
    let given = try read("trade") { text throws(InvalidAnswer) in try SetupAnswer.trade(text, among: trades) }
    trade = try Self.trade(arguments, given, among: trades, standard)
    changesAllTeams = arguments.has("all-teams")
    contacts = try Self.contacts(arguments.all("tell"))
    accessTrade = trades.first { $0.setup.access.map { arguments[$0.option.name] != nil } ?? false }
    if let owner = accessTrade, owner.trade != (trade ?? standard).trade {
      throw Self.misplacedAccess(owner, "this is \((trade ?? standard).team)")
    }
    servers = SetupServers(
      relay: try read("relay", SetupAnswer.relay), sender: try read("sender", SetupAnswer.sender),
      ntfy: try read("ntfy-server", SetupAnswer.ntfy),
      showsAccess: try accessTrade?.setup.access.flatMap { access throws(CommandFailure) in
        try read(access.option.name, SetupAnswer.yesOrNo)
      })
    guard (servers.relay == nil) == (servers.sender == nil) else {
      throw .usage(
        servers.relay == nil
          ? "--sender needs --relay, the server that sends the mail, such as --relay smtp://127.0.0.1:25"
          : "`pfctl setup` needs --sender beside --relay, such as --sender routes@example.com")
    }
    let options =
      servers.isEmpty
      ? accessTrade?.setup.access.map { "--\($0.option.name) works" } : "--relay, --sender and --ntfy-server work"
    if let options, let instance = arguments["instance"] {
      throw .usage(
        "\(options) only for poolflowd without an instance; for "
          + "poolflowd@\(visible(instance)) write post.conf by hand, see poolflow-post(1)")
    }
    sendsTests = !arguments.has("no-test")
    file = try Self.file(arguments, trades, standard)
  }

  /// The refusal of an option for access data, which only the teams of `owner` have.
  static func misplacedAccess(_ owner: CommandTrade, _ reason: String) -> CommandFailure {
    .usage("--\(owner.setup.access?.option.name ?? "") is for \(owner.team), and \(reason)")
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

  /// The trade implied by options that only it has. Options of another trade are refused.
  private static func trade(
    _ arguments: Arguments, _ given: CommandTrade?, among trades: [CommandTrade], _ standard: CommandTrade
  ) throws(CommandFailure) -> CommandTrade? {
    func ownOption(of trade: CommandTrade) -> String? {
      trade.setup.ownOptions.map(\.name).first { arguments[$0] != nil }
    }
    let others = trades.filter { !$0.isStandard }
    let trade = given ?? others.first { ownOption(of: $0) != nil }
    for other in others where other.trade != trade?.trade {
      if let option = ownOption(of: other) {
        throw .usage("--\(option) is for \(other.team): --trade \(other.trade.rawValue)")
      }
    }
    if let trade, !trade.isStandard, let option = ownOption(of: standard) {
      let list = trade.setup.list
      throw .usage(
        "--\(option) is for \(standard.team); \(trade.team)'s \(list.noun) is given with --\(list.option.name)")
    }
    return trade
  }

  private static func file(
    _ arguments: Arguments, _ trades: [CommandTrade], _ standard: CommandTrade
  ) throws(CommandFailure) -> String? {
    let lists = trades.map(\.setup.list)
    let given = (["archive"] + lists.map(\.option.name)).filter { arguments[$0] != nil }
    guard given.count < 2 else {
      throw .usage(
        "\(given.map { "--\($0)" }.joined(separator: " and ")) are two ways to import the same records; give one of them"
      )
    }
    let usual = standard.setup.list
    func kind(of path: String) throws(CommandFailure) -> SetupFileKind? {
      SetupFileKind(try ImportFile(path: path, wanted: usual.expectedFile).next(upTo: 4 << 10) ?? [])
    }
    if let path = arguments["archive"] {
      guard try kind(of: path) == .archive else {
        throw .badData(
          "'\(visible(path))' is not a ZIP archive; a \(usual.noun) is given with --\(usual.option.name)")
      }
      return path
    }
    for list in lists {
      guard let path = arguments[list.option.name] else { continue }
      guard try kind(of: path) == .list else {
        throw .badData("'\(visible(path))' is not a \(list.noun) (CSV); \(list.archive) is given with --archive")
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
