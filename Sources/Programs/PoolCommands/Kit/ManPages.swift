internal import PoolControl
internal import PoolModel
internal import PoolSettings

/// The manual, generated from the descriptions that help, suggestions and completion use: an index, a page for each noun, and
/// the pages of the other programs and of the settings.
enum ManPages {
  static let names = ["pfctl.1"] + ManualNoun.all.map(\.page) + ["poolflow-post.1", "poolflow.conf.5", "poolflowd.8"]
  /// The date of the last change that readers should notice.
  static let lastRevised = "2026-11-23"

  /// The text of a manual page; nil if there is no such page.
  static func page(_ name: String) -> String? {
    switch name {
    case "pfctl.1": pfctl.text
    case "poolflow-post.1": post.text
    case "poolflow.conf.5": settings.text
    case "poolflowd.8": poolflowd.text
    default: ManualNoun.all.first { $0.page == name }.map { noun($0).text }
    }
  }

  // MARK: pfctl(1)

  private static var pfctl: ManPage {
    var page = ManPage("pfctl", section: 1, "schedule, inspect and explain the work of poolflowd")
    page.section("Synopsis")
    page.synopsis("pfctl [OPTION…] COMMAND …")
    page.section("Description")
    page.paragraph(
      "pfctl asks the daemon poolflowd over its control socket: what runs when, what ran and why not, what was sent. "
        + "Data goes to standard output, words to standard error, the outcome to the exit code.")
    page.paragraph("Options stand before or after the command; --option value and --option=value mean the same.")
    page.section("Commands")
    page.paragraph(
      "Each noun has a page of its own: man pfctl-team, or pfctl help team for its commands in a line each.")
    for chapter in ManualNoun.chapters {
      page.subsection(chapter.title)
      for noun in chapter.nouns {
        page.item(noun.reference, "\(sentence(noun.summary)) \(noun.commands.map(\.name).joined(separator: ", ")).")
      }
    }
    page.section("Options of every command")
    for option in CommandDescription.globalOptions { page.item(option.usage, sentence(option.summary)) }
    for topic in HelpTopic.all {
      page.section(topic.name == "exit-codes" ? "Exit status" : topic.name)
      page.paragraph(topic.introduction)
      for (word, meaning) in topic.entries { page.item(String(word.drop { $0 == " " }), sentence(meaning)) }
      for line in topic.closing { page.paragraph(line) }
    }
    page.section("Environment")
    page.item("POOLFLOW_SOCKET", "The daemon's socket, where neither --socket nor --instance is given.")
    page.item("POOLFLOW_TEAM", "The team that a command is about, where --team is not given.")
    page.item("PAGER", "What longer output goes through on a terminal; less without it.")
    page.item("NO_COLOR, TERM=dumb", "No colours, as --color never.")
    page.section("Files")
    page.item("/run/poolflow/control.sock", "The system's daemon.")
    page.item("/run/poolflow-NAME/control.sock", "The daemon poolflowd@NAME, for --instance NAME.")
    page.item("$XDG_RUNTIME_DIR/poolflow/control.sock", "A user's own daemon.")
    page.item(
      "/usr/share/poolflow/schemas", "A JSON Schema of each document and event, as pfctl help schema prints it.")
    page.item(
      "/usr/share/doc/poolflow/examples",
      "Drop-ins, web servers' settings, a demo team's backup, clients in Python and shell, a Grafana dashboard, Prometheus alerts."
    )
    page.section("See also")
    page.paragraph("poolflowd(8), poolflow.conf(5), poolflow-post(1), systemd.time(7)")
    return page
  }

  // MARK: pfctl-NOUN(1)

  private static func noun(_ noun: ManualNoun) -> ManPage {
    var page = ManPage("pfctl-\(noun.name)", section: 1, noun.summary)
    page.section("Synopsis")
    for description in noun.commands { page.synopsis(description.usage) }
    page.section("Description")
    for text in noun.introduction { page.paragraph(text) }
    page.paragraph(
      "What every command takes and answers (--json, --instance, times, exit codes) is told in pfctl(1).")
    page.section("Commands")
    for description in noun.commands { add(description, to: &page) }
    let chapter = ManualNoun.chapters.first { $0.nouns.contains { $0.name == noun.name } }
    let neighbours = chapter.map { $0.nouns.filter { $0.name != noun.name }.map(\.reference) } ?? []
    page.section("See also")
    page.paragraph((["pfctl(1)"] + neighbours + ["poolflowd(8)", "poolflow.conf(5)"]).joined(separator: ", "))
    return page
  }

  private static func add(_ description: CommandDescription, to page: inout ManPage) {
    page.subsection(description.usage)
    page.paragraph(sentence(description.summary))
    if !description.details.isEmpty { page.paragraph(description.details.joined(separator: " ")) }
    for option in description.options { page.item(option.usage, sentence(option.summary)) }
    if !description.examples.isEmpty { page.example(description.examples) }
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

  // MARK: poolflow.conf(5)

  private static var settings: ManPage {
    var page = ManPage("poolflow.conf", section: 5, "settings of poolflowd")
    page.section("Synopsis")
    page.paragraph("/etc/poolflow/poolflow.conf, /etc/poolflow/poolflow.conf.d/*.conf")
    page.section("Description")
    page.paragraph(
      "Settings in the style of systemd: sections in brackets, Key = value, comments after # or ; at the beginning of a "
        + "line. poolflowd looks for the file that --config names, else in $CONFIGURATION_DIRECTORY, else in "
        + "/etc/poolflow. Files in poolflow.conf.d beside it are read after it, in the order of their names; later "
        + "values win.")
    page.paragraph(
      "A mistake anywhere stops the start with exit code 78 and every mistake at its line; at a reload the settings in "
        + "force stay. What belongs to a team (zone, language, units, morning time, switches, plan) is data: see pfctl "
        + "team set.")
    page.example(["pfctl config check", "pfctl config diff", "pfctl reload", "pfctl config show --origin"])
    page.section("Instances")
    page.paragraph(
      "poolflowd@NAME reads /etc/poolflow/NAME/poolflow.conf and /etc/poolflow/NAME/poolflow.conf.d/*.conf, in the same form, "
        + "and nothing of the daemon's without a name: what is to hold for both stands in both. The folder is there from its "
        + "first start; without a file in it the defaults hold, with the instance's own places: the store and the drop "
        + "folder are in /var/lib/poolflow-NAME, the socket is /run/poolflow-NAME/control.sock. Two daemons must not share a "
        + "drop folder, an inbox or a backup folder; poolflow-post(1) takes from one drop folder.")
    page.example([
      "pfctl --instance north config check", "pfctl --instance north config show --origin",
      "pfctl --instance north reload",
    ])
    for section in SettingsKey.Section.allCases {
      page.section("[\(section.rawValue)]")
      if section == .sink {
        page.paragraph(
          "One section a sink; its name is what the outbox calls it. Naming any replaces the two that hold without a "
            + "file, stdout and drop.")
      }
      for key in SettingsKey.all where key.section == section {
        var text = sentence(key.summary)
        for detail in key.details { text += " " + detail }
        if !key.kinds.isEmpty { text += " Of a sink of type \(key.kinds.map(\.rawValue).joined(separator: " or "))." }
        text += key.standard.map { " Default: \($0)." } ?? ""
        if !key.appliesAtReload { text += " Takes a restart." }
        page.item("\(key.name) = \(key.value)", text)
      }
    }
    page.section("Examples")
    page.paragraph("One JSON file a notice, in a folder of the site's own:")
    page.example(["[Sink dispatch]", "Type = file-drop", "Directory = /srv/poolflow/outbox", "MaxFiles = 5000"])
    page.paragraph("The same notices in the journal, too:")
    page.example(["[Sink journal]", "Type = journal"])
    page.section("See also")
    page.paragraph("poolflowd(8), pfctl(1)")
    return page
  }

  // MARK: poolflow-post(1)

  private static var post: ManPage {
    var page = ManPage("poolflow-post", section: 1, "bring the notices of poolflowd to people")
    page.section("Synopsis")
    page.synopsis("poolflow-post [--config FILE] [--check]")
    page.synopsis("poolflow-post [--config FILE] dead [list [--json]] | show ID [--reveal]")
    page.synopsis("poolflow-post [--config FILE] dead retry ID|--all [--late] | drop ID|--all")
    page.synopsis("poolflow-post [--config FILE] log NOTICE [--json] | status [--json]")
    page.section("Description")
    page.paragraph(
      "poolflow-post takes the events that poolflowd puts into a drop folder and brings each to the person it is for: by "
        + "mail, ntfy, Telegram, Slack, Teams, Matrix or a signed webhook. What is for a team as a whole goes to the "
        + "channels that name the team. It has no access to the daemon's store, and runs curl(1) or sendmail(1) for each "
        + "message.")
    page.paragraph(
      "Who is meant is written down before the first message is sent, and a message ends in one of four ways: delivered, "
        + "refused, expired, or of unknown outcome. What a server does not take now is tried again after 5, 15 and 30 "
        + "seconds, then after minutes, at last every quarter of an hour until the event expires; a server that wants to be "
        + "left alone (Retry-After) is. What is refused is told once more as short plain text.")
    page.paragraph(
      "A message counts as delivered where the service itself says that it has taken it: ntfy with an id, Telegram with ok, "
        + "Matrix with an event_id, Slack with ok, a mail server with its answer to the end of the mail. A web page with "
        + "status 200, as of a login or a proxy, is a failure of the channel.")
    page.paragraph(
      "A mail server's refusal is judged by the command that it answers, its code and its enhanced code (RFC 3463): a refused "
        + "sender, login or relay is the channel's failure, and its mails wait; no such mailbox is the recipient's; a full "
        + "mailbox is tried again. Where an answer does not show whose failure it is, another message decides: if that goes "
        + "through, the refused one is tried three times more and is then a dead letter; if three messages are refused, or "
        + "there is no other, the channel is broken.")
    page.paragraph(
      "A message is sent twice only where its outcome is unknown, such as after a connection that broke before the answer. "
        + "Matrix and a webhook know a repeat by its key, and are asked again under the same key. By mail and the others it "
        + "is sent once more, with (repeat) in its title; if that outcome is unknown as well, it is a dead letter. A mail "
        + "server has AnswerTimeout to answer a whole mail, in which that mail is not sent again and others go on.")
    page.paragraph(
      "Each channel has a health. It is broken where it accepts nothing until a person repairs it, such as with a wrong token; "
        + "stuck once a message has been due for two minutes (DueWithin) and nothing was accepted since; slow where some "
        + "messages fail and others are accepted. A channel that is broken or stuck is logged, and told once over the channels "
        + "that say Operator = yes, never by itself, and once more when it works again. So are a team whose notices reach nobody, "
        + "since neither an address nor a Teams= is theirs, and settings that a reload refused. The same is reported to the "
        + "daemon beside the receipts: pfctl status, status --check, doctor and the metrics show it, and the daemon tells it "
        + "over its other sinks and to persons who want operator. A person's quiet hours are kept but by what is urgent."
    )
    page.paragraph(
      "A person with several addresses has each message at all of them, but at those that are another's Fallback. Nothing "
        + "comes faster than a provider allows: of telegram one message a second to a chat, 20 a minute to a group and 30 a "
        + "second in all, of slack one a second, of teams 4 a second and 60 in 30 seconds, of an ntfy server that once said "
        + "429 one each 5 seconds for an hour. Where a server says 429 three times within ten minutes, it is asked half as often "
        + "for an hour. A server that hangs holds up nobody else.")
    page.paragraph(
      "What becomes of each delivery is told to the daemon in a folder of small files, its receipts, without an address, a "
        + "URL or a text. What waits for a broken channel or the end of quiet hours is told as waiting at once, what failed "
        + "after 20 seconds, anything else after a minute, with the reason. pfctl history, why, outbox and status show it."
    )
    page.section("Commands")
    page.paragraph("For root and the user poolflow-post, while the program runs or not.")
    page.item("dead [list]", "What could not be brought, with the reason.")
    page.item("dead show ID", "One of them with its headline; the address only with --reveal.")
    page.item(
      "dead retry ID|--all",
      "Bring it after all, under the same key. What is of no use any more stays, unless --late says otherwise. A running "
        + "poolflow-post takes it up at once, any other when it starts.")
    page.item("dead drop ID|--all", "Forget it, with its text and address.")
    page.item("log NOTICE", "What became of each delivery of a notice, and how those stand that are on their way.")
    page.item(
      "status",
      "Of each channel what waits, its health with the last error, and when it last brought something; then what must be "
        + "repaired.")
    page.section("Options")
    page.item("--config FILE", "Settings to read instead of /etc/poolflow/post.conf.")
    page.item(
      "--check",
      "Say every mistake in the settings and the credentials that they name, and end. Credentials are looked for in the "
        + "folder credentials beside the settings and where the installed unit loads them from; only root can read them."
    )
    page.item("--version", "Print the version.")
    page.item("--help", "Print a short help.")
    page.section("Settings")
    page.paragraph(
      "Sections in brackets, Key = value, comments after # or ; at the beginning of a line, as in poolflow.conf(5); files "
        + "in post.conf.d beside it are read after it. A mistake stops the start with exit code 78; at a reload (SIGHUP) "
        + "the settings in force stay, and status, pfctl status and the operator are told. A reload hands over no new "
        + "credential: that takes a restart.")
    for (section, keys) in [("[Post]", PostSettingsKey.post), ("[Channel NAME]", PostSettingsKey.channel)] {
      page.section(section)
      for key in keys { page.item("\(key.name) = \(key.value)", key.words) }
    }
    page.section("Examples")
    page.paragraph("The daemon's side, in /etc/poolflow/poolflow.conf.d/post.conf:")
    page.example(
      ["[Sink post]", "Type = file-drop", "Directory = /var/spool/poolflow-post", "Sensitive = yes"])
    page.paragraph("Mail by the machine's own server, and a chat for the whole team:")
    page.example([
      "[Channel mail]", "Type = smtp", "Server = smtp://127.0.0.1:25", "From = Routes <routes@example.com>",
      "[Channel crew]", "Type = slack", "Credential = slack-url", "Teams = desert-blue",
    ])
    page.example(["poolflow-post --check", "systemctl enable --now poolflow-post"])
    page.section("Exit status")
    for (code, meaning) in [
      ("0", "Stopped when asked, or answered."), ("1", "Nothing is known of that notice."), ("64", "The command line."),
      ("66", "The settings cannot be read."), ("67", "There is no such dead letter."),
      ("69", "There is no curl."), ("74", "The state folder cannot be used."), ("75", "Another poolflow-post runs."),
      ("77", "Not permitted: the state folder is open to root and the user poolflow-post."),
      ("78", "The settings or credentials have mistakes."),
    ] {
      page.item(code, meaning)
    }
    page.section("Files")
    page.item("/etc/poolflow/post.conf", "The settings.")
    page.item("/etc/poolflow/credentials", "Secrets, a file each; the unit hands them over.")
    page.item("/var/spool/poolflow-post/new", "Events that wait to be taken.")
    page.item(
      "/var/spool/poolflow-post/receipts",
      "What became of deliveries, until the daemon has read it, and sender.report, the health of the channels.")
    page.item("/var/lib/poolflow-post/work", "Events on their way, each with its plan.")
    page.item("/var/lib/poolflow-post/receipts", "What became of each delivery; no address stands there.")
    page.item("/var/lib/poolflow-post/dead", "What could not be brought, with its event and the reason, for 30 days.")
    page.item("/var/lib/poolflow-post/bad", "Files of the drop that were no events.")
    page.section("See also")
    page.paragraph("poolflowd(8), poolflow.conf(5), pfctl(1), curl(1)")
    return page
  }

  // MARK: poolflowd(8)

  private static var poolflowd: ManPage {
    var page = ManPage("poolflowd", section: 8, "tell pool-service teams what they need to know")
    page.section("Synopsis")
    page.synopsis(
      "poolflowd [--config FILE] [--state-dir DIR] [--socket PATH] [--inspect | --recover DOOR | --copy-store PLACE]")
    page.section("Description")
    page.paragraph(
      "poolflowd holds the pools, visits and stock of pool-service teams and tells each team, at the right local time "
        + "and exactly once, what it needs to know: the morning route, tomorrow's missing chemicals, the weekly digest, "
        + "the trial that ends. It runs under systemd or in a terminal, as any user, and needs no network.")
    page.paragraph("It is controlled with pfctl(1), and configured by poolflow.conf(5).")
    page.section("Options")
    page.item("--config FILE", "Settings to read.")
    page.item("--state-dir DIR", "Where the store, photos and the drop folder live.")
    page.item("--socket PATH", "The control socket.")
    page.item(
      "--inspect",
      "For pfctl: change nothing and answer questions about the store of a daemon that does not run, at the listening "
        + "socket that is descriptor 3, until standard input ends.")
    page.item(
      "--recover retry", "Look whether the store is whole again, finish a restore that was cut off, and end.")
    page.item(
      "--recover restore BACKUP",
      "Put the store of a backup, named by its folder, in the place of the one that is there, which is kept beside it "
        + "with a date, and end. Everything is proved before anything is touched; a crash leaves one store or the other. "
        + "Photos that are missing come out of the backup's archives; what the backup calls undelivered is held. Stop the "
        + "service first. Run as root, the files belong to the service's user afterwards; that user may run it, too.")
    page.item("--recover reset", "Keep the store that is there aside, make an empty one, and end.")
    page.item(
      "--copy-store PLACE",
      "For pfctl store copy, see pfctl-store(1): bring the records to another engine while no daemon has them, say as JSON what "
        + "was brought, and end.")
    page.item("--version", "Print the version.")
    page.item("--help", "Print a short help.")
    page.section("Signals")
    page.item("SIGTERM, SIGINT", "Finish what is under way, deliver what is due for two seconds at most, and end.")
    page.item("SIGHUP", "Read the settings again, all or nothing; pfctl reload does the same and says what changed.")
    page.section("Exit status")
    for (code, meaning) in [
      ("0", "Stopped when asked."), ("64", "The command line."), ("65", "The store is damaged, lost or not ours."),
      ("66", "The settings named by --config cannot be read."),
      ("69", "The PostgreSQL server does not answer, or takes no writes; a start later may do better."),
      ("70", "A fault of the daemon."),
      ("73", "The socket cannot be made."), ("74", "Reading or writing failed."),
      ("75", "Another daemon runs; try later."),
      ("77", "No permission."),
      ("78", "The settings have mistakes, the server cannot be used, libpq is not there, or no /proc is mounted."),
    ] {
      page.item(code, meaning)
    }
    page.section("Instances")
    page.paragraph(
      "One machine can run several daemons, one for each business that it serves. The unit poolflowd@NAME is a daemon with "
        + "settings, store, socket and journal of its own; NAME is of small letters, digits, - and _, and not post, which "
        + "poolflow-post has taken.")
    page.example([
      "systemctl enable --now poolflowd@north",
      "pfctl --instance north team add north --zone America/Boise", "journalctl -u poolflowd@north",
    ])
    for (place, meaning) in [
      ("/etc/poolflow/NAME/poolflow.conf", "Its settings, with poolflow.conf.d beside them; see poolflow.conf(5)."),
      ("/var/lib/poolflow-NAME", "Its store, photos, backups and drop folder."),
      ("/run/poolflow-NAME/control.sock", "Its socket: pfctl --instance NAME, for the same group poolflow."),
      (
        "/etc/systemd/system/poolflowd@NAME.service.d/*.conf",
        "What its sandbox opens besides, such as ReadWritePaths= for folders elsewhere and LoadCredential= for secrets "
          + "of its own; poolflowd@.service.d holds for all instances."
      ),
    ] {
      page.item(place, meaning)
    }
    page.paragraph(
      "poolflow.target holds all of them together, the daemon without a name among them: systemctl stop, start, restart "
        + "and reload poolflow.target reach each that is enabled.")
    page.section("Control socket")
    page.paragraph(
      "Any Varlink client can speak to control.sock; the interfaces describe themselves (org.varlink.service). Root, the "
        + "daemon's own user and members of the group poolflow may use it.")
    page.section("Files")
    page.item("/var/lib/poolflow/poolflow.db", "The store, one SQLite file.")
    page.item(
      "/var/lib/poolflow/reserve",
      "A MiB kept for need: it is given up where the disk is full, and made again once there is room.")
    page.item("/var/lib/poolflow/backups", "Backups, a folder each, private.")
    page.item("/var/lib/poolflow/outbox/new", "Notices for whatever posts them on: take them by rename or delete them.")
    page.item("/run/poolflow/control.sock", "The control socket.")
    page.section("See also")
    page.paragraph("pfctl(1), poolflow.conf(5), poolflow-post(1), systemd.time(7)")
    return page
  }
}
