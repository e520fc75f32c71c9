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
        + "Data goes to standard output, messages to standard error; the exit code shows the result.")
    page.paragraph("Options may come before or after the command; --option value and --option=value mean the same.")
    page.section("Commands")
    page.paragraph(
      "Each noun has its own page: man pfctl-team, or pfctl help team for one line about each of its commands.")
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
    page.item("POOLFLOW_SOCKET", "The daemon's socket, if neither --socket nor --instance is given.")
    page.item("POOLFLOW_TEAM", "The team of a command, if --team is not given.")
    page.item("PAGER", "The pager for long output on a terminal; default: less.")
    page.item("NO_COLOR, TERM=dumb", "No colours, as --color never.")
    page.section("Files")
    page.item("/run/poolflow/control.sock", "The system's daemon.")
    page.item("/run/poolflow-NAME/control.sock", "The socket of the daemon poolflowd@NAME, for --instance NAME.")
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
      "pfctl(1) describes what all commands have in common (--json, --instance, times, exit codes).")
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
        + "line. poolflowd reads the file that --config names, else the one in $CONFIGURATION_DIRECTORY, else the one in "
        + "/etc/poolflow. Files in poolflow.conf.d beside it are read after it, in the order of their names; later "
        + "values win.")
    page.paragraph(
      "If there is a mistake anywhere, the daemon does not start: it exits with 78 and shows every mistake with its "
        + "line. At a reload it keeps its effective settings instead. The settings of a team (zone, language, units, "
        + "morning time, switches, plan) are stored as data: see pfctl team set.")
    page.example(["pfctl config check", "pfctl config diff", "pfctl reload", "pfctl config show --origin"])
    page.section("Instances")
    page.paragraph(
      "poolflowd@NAME reads /etc/poolflow/NAME/poolflow.conf and /etc/poolflow/NAME/poolflow.conf.d/*.conf, in the same "
        + "form, and no file of the daemon without a name: a setting for both must be in both files. The first start "
        + "creates the folder; without a file in it the defaults apply, with the instance's own paths: the store and the "
        + "drop folder are in /var/lib/poolflow-NAME, the socket is /run/poolflow-NAME/control.sock. Two daemons must "
        + "not share a drop folder, an inbox or a backup folder; poolflow-post(1) reads from one drop folder.")
    page.example([
      "pfctl --instance north config check", "pfctl --instance north config show --origin",
      "pfctl --instance north reload",
    ])
    for section in SettingsKey.Section.allCases {
      page.section("[\(section.rawValue)]")
      if section == .sink {
        page.paragraph(
          "One section per sink; its name is shown in the outbox. Any such section replaces the two default sinks, "
            + "stdout and drop.")
      }
      for key in SettingsKey.all where key.section == section {
        var text = sentence(key.summary)
        for detail in key.details { text += " " + detail }
        if !key.kinds.isEmpty { text += " For sinks of type \(key.kinds.map(\.rawValue).joined(separator: " or "))." }
        text += key.standard.map { " Default: \($0)." } ?? ""
        if !key.appliesAtReload { text += " Takes a restart." }
        page.item("\(key.name) = \(key.value)", text)
      }
    }
    page.section("Examples")
    page.paragraph("One JSON file per notice, in a folder that you choose:")
    page.example(["[Sink dispatch]", "Type = file-drop", "Directory = /srv/poolflow/outbox", "MaxFiles = 5000"])
    page.paragraph("The notices in the systemd journal, too:")
    page.example(["[Sink journal]", "Type = journal"])
    page.section("See also")
    page.paragraph("poolflowd(8), pfctl(1)")
    return page
  }

  // MARK: poolflow-post(1)

  private static var post: ManPage {
    var page = ManPage("poolflow-post", section: 1, "deliver the notices of poolflowd to people")
    page.section("Synopsis")
    page.synopsis("poolflow-post [--config FILE] [--check]")
    page.synopsis("poolflow-post [--config FILE] dead [list [--json]] | show ID [--reveal]")
    page.synopsis("poolflow-post [--config FILE] dead retry ID|--all [--late] | drop ID|--all")
    page.synopsis("poolflow-post [--config FILE] log NOTICE [--json] | status [--json]")
    page.section("Description")
    page.paragraph(
      "poolflow-post takes the events that poolflowd puts into a drop folder and delivers each to the person it is for: "
        + "by mail, ntfy, Telegram, Slack, Teams, Matrix or a signed webhook. An event for a whole team goes to the "
        + "channels that name the team. It has no access to the daemon's store, and runs curl(1) or sendmail(1) for each "
        + "message.")
    page.paragraph(
      "The recipients are stored before the first message is sent, and a message ends in one of four ways: delivered, "
        + "refused, expired, or of unknown outcome. If a server does not accept a message now, it is tried again after "
        + "5, 15 and 30 seconds, then after minutes, finally every quarter of an hour until the event expires; "
        + "Retry-After of a server is obeyed. A refused message is sent once more as short plain text.")
    page.paragraph(
      "A message counts as delivered if the service itself confirms that it accepted it: ntfy with an id, Telegram with "
        + "ok, Matrix with an event_id, Slack with ok, a mail server with its answer to the end of the mail. A web page "
        + "with status 200, such as a login page or a proxy's page, is a failure of the channel.")
    page.paragraph(
      "A mail server's refusal is judged by the command that it answers, its code and its enhanced code (RFC 3463): a "
        + "refused sender, login or relay is the channel's failure, and its mails wait; no such mailbox is the "
        + "recipient's; a full mailbox is tried again. If an answer does not show whose failure it is, another message "
        + "decides: if that is accepted, the refused one is tried three times more and is then a dead letter; if three "
        + "messages are refused, or no other message exists, the channel is broken.")
    page.paragraph(
      "A message is sent twice only if its outcome is unknown, such as after a connection that broke before the answer. "
        + "Matrix and webhooks recognise a repeat by its idempotency key, so the message is sent again with the same "
        + "key. By mail and other channels it is sent once more, with (repeat) in its title; if that outcome is unknown "
        + "as well, it is a dead letter. A mail server has AnswerTimeout to answer a whole mail; during that time the "
        + "mail is not sent again, and other mails continue.")
    page.paragraph(
      "Each channel has a health state. It is broken if it accepts nothing until a person repairs it, such as with a "
        + "wrong token; stuck once a message has been due for two minutes (DueWithin) and nothing was accepted since; "
        + "slow if some messages fail and others are accepted. A broken or stuck channel is logged and reported once "
        + "over the other channels with Operator = yes, and once more when it works again. The same is done for a team "
        + "whose notices reach no one, because it has neither an address nor a channel with Teams=, and for settings "
        + "that a reload refused. The daemon gets these reports with the receipts: pfctl status, status --check, doctor "
        + "and the metrics show them, and the daemon sends them to its other sinks and to people who want operator "
        + "notices. Only urgent messages arrive in a person's quiet hours."
    )
    page.paragraph(
      "A person with several addresses gets each message at all of them, except addresses of a channel that is another's "
        + "Fallback. The limits of the providers are kept: telegram one message a second to a chat, 20 a minute to a "
        + "group and 30 a second in all; slack one a second; teams 4 a second and 60 in 30 seconds; an ntfy server that "
        + "once answered 429 one every 5 seconds for an hour. If a server answers 429 three times within ten minutes, "
        + "its rate is halved for an hour. A server that hangs does not delay the other channels.")
    page.paragraph(
      "The result of each delivery is reported to the daemon in a folder of small files, the receipts, without "
        + "addresses, URLs or texts. A delivery that waits for a broken channel or the end of quiet hours is reported as "
        + "waiting at once, a failed one after 20 seconds, any other after a minute, with the reason. pfctl history, "
        + "why, outbox and status show it."
    )
    page.section("Commands")
    page.paragraph("For root and the user poolflow-post, whether the program runs or not.")
    page.item("dead [list]", "List the messages that could not be delivered, with the reason.")
    page.item("dead show ID", "Show one of them with its headline; the address only with --reveal.")
    page.item(
      "dead retry ID|--all",
      "Deliver it after all, with the same idempotency key. Expired messages are not sent, unless --late is given. If "
        + "poolflow-post runs, it sends at once, else when it starts.")
    page.item("dead drop ID|--all", "Delete it, with its text and address.")
    page.item(
      "log NOTICE", "Show the result of each delivery of a notice, and the state of those that are not finished.")
    page.item(
      "status",
      "Show for each channel the waiting messages, its health with the last error, and its last delivery; then what must "
        + "be repaired.")
    page.section("Options")
    page.item("--config FILE", "Settings to read instead of /etc/poolflow/post.conf.")
    page.item(
      "--check",
      "Show every mistake in the settings and the credentials that they name, and exit. Credentials are read from the "
        + "folder credentials beside the settings and from the paths in the installed unit; only root can read them."
    )
    page.item("--version", "Print the version.")
    page.item("--help", "Print a short help.")
    page.section("Settings")
    page.paragraph(
      "Sections in brackets, Key = value, comments after # or ; at the beginning of a line, as in poolflow.conf(5); "
        + "files in post.conf.d beside it are read after it. With a mistake the program does not start and exits with "
        + "78; at a reload (SIGHUP) it keeps its effective settings, and the mistake is reported in status, in pfctl "
        + "status and to the operator. A reload does not load a new credential; that takes a restart.")
    for (section, keys) in [("[Post]", PostSettingsKey.post), ("[Channel NAME]", PostSettingsKey.channel)] {
      page.section(section)
      for key in keys { page.item("\(key.name) = \(key.value)", key.words) }
    }
    page.section("Examples")
    page.paragraph("The daemon's side, in /etc/poolflow/poolflow.conf.d/post.conf:")
    page.example(
      ["[Sink post]", "Type = file-drop", "Directory = /var/spool/poolflow-post", "Sensitive = yes"])
    page.paragraph("Mail through the machine's own mail server, and a chat for the whole team:")
    page.example([
      "[Channel mail]", "Type = smtp", "Server = smtp://127.0.0.1:25", "From = Routes <routes@example.com>",
      "[Channel crew]", "Type = slack", "Credential = slack-url", "Teams = desert-blue",
    ])
    page.example(["poolflow-post --check", "systemctl enable --now poolflow-post"])
    page.section("Exit status")
    for (code, meaning) in [
      ("0", "Stopped when asked, or answered."), ("1", "The notice is unknown."), ("64", "The command line."),
      ("66", "The settings cannot be read."), ("67", "The dead letter does not exist."),
      ("69", "There is no curl."), ("74", "The state folder cannot be used."), ("75", "Another poolflow-post runs."),
      ("77", "Not permitted: the state folder is open to root and the user poolflow-post."),
      ("78", "The settings or credentials have mistakes."),
    ] {
      page.item(code, meaning)
    }
    page.section("Files")
    page.item("/etc/poolflow/post.conf", "The settings.")
    page.item("/etc/poolflow/credentials", "Secrets, one file each; the systemd unit loads them.")
    page.item("/var/spool/poolflow-post/new", "Events that wait for poolflow-post.")
    page.item(
      "/var/spool/poolflow-post/receipts",
      "Results of deliveries, until the daemon has read them, and sender.report, the health of the channels.")
    page.item("/var/lib/poolflow-post/work", "Events that are being delivered, each with its recipients.")
    page.item("/var/lib/poolflow-post/receipts", "The result of each delivery, without addresses.")
    page.item(
      "/var/lib/poolflow-post/dead", "Messages that could not be delivered, with the event and the reason, for 30 days."
    )
    page.item("/var/lib/poolflow-post/bad", "Files in the drop folder that were not events.")
    page.section("See also")
    page.paragraph("poolflowd(8), poolflow.conf(5), pfctl(1), curl(1)")
    return page
  }

  // MARK: poolflowd(8)

  private static var poolflowd: ManPage {
    var page = ManPage("poolflowd", section: 8, "notify pool-service teams of what they need to know")
    page.section("Synopsis")
    page.synopsis(
      "poolflowd [--config FILE] [--state-dir DIR] [--socket PATH] [--inspect | --recover COMMAND | --copy-store PLACE]"
    )
    page.section("Description")
    page.paragraph(
      "poolflowd stores the pools, visits and stock of pool-service teams and notifies each team, at the right local "
        + "time and exactly once, of what it needs to know: the morning route, tomorrow's missing chemicals, the weekly "
        + "digest, the end of a trial. It runs under systemd or in a terminal, as any user, and needs no network.")
    page.paragraph("It is controlled with pfctl(1), and configured by poolflow.conf(5).")
    page.section("Options")
    page.item("--config FILE", "Settings to read.")
    page.item("--state-dir DIR", "The folder of the store, the photos and the drop folder.")
    page.item("--socket PATH", "The control socket.")
    page.item(
      "--inspect",
      "For pfctl: answer read-only questions about the store of a stopped daemon, at the listening socket with "
        + "descriptor 3, until standard input closes.")
    page.item(
      "--recover retry", "Check whether the store is undamaged again, finish an interrupted restore, and exit.")
    page.item(
      "--recover restore BACKUP",
      "Replace the store by that of a backup, named by its folder, and exit; the previous store is kept beside it with a "
        + "date. Everything is verified before anything is changed; a crash leaves one store or the other. Missing "
        + "photos are restored from the backup's archives; notices that the backup lists as undelivered are put on hold. "
        + "Stop the service first. If root runs it, the files belong to the service's user afterwards; that user may run "
        + "it, too.")
    page.item("--recover reset", "Move the present store aside, create an empty one, and exit.")
    page.item(
      "--copy-store PLACE",
      "For pfctl store copy, see pfctl-store(1): copy the records to another engine while no daemon uses them, report as "
        + "JSON what was copied, and exit.")
    page.item("--version", "Print the version.")
    page.item("--help", "Print a short help.")
    page.section("Signals")
    page.item("SIGTERM, SIGINT", "Finish running work, deliver due notices for at most two seconds, and exit.")
    page.item("SIGHUP", "Reload the settings, all or nothing; pfctl reload does the same and lists the changes.")
    page.section("Exit status")
    for (code, meaning) in [
      ("0", "Stopped when asked."), ("64", "The command line."),
      ("65", "The store is damaged, missing or not a poolflow store."),
      ("66", "The settings named by --config cannot be read."),
      ("69", "The PostgreSQL server does not answer or accepts no writes; a later start may succeed."),
      ("70", "A fault of the daemon."),
      ("73", "The socket cannot be made."), ("74", "Reading or writing failed."),
      ("75", "Another daemon runs; try later."),
      ("77", "No permission."),
      ("78", "The settings have mistakes, the server cannot be used, libpq is missing, or no /proc is mounted."),
    ] {
      page.item(code, meaning)
    }
    page.section("Instances")
    page.paragraph(
      "One machine can run several daemons, one for each business that it serves. The unit poolflowd@NAME is a daemon "
        + "with its own settings, store, socket and journal; NAME consists of lower-case letters, digits, - and _, and "
        + "is not post, which poolflow-post has taken.")
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
        "What its sandbox allows in addition, such as ReadWritePaths= for folders elsewhere and LoadCredential= for its "
          + "own secrets; poolflowd@.service.d applies to all instances."
      ),
    ] {
      page.item(place, meaning)
    }
    page.paragraph(
      "poolflow.target groups all of them, including the daemon without a name: systemctl stop, start, restart and "
        + "reload poolflow.target act on each that is enabled.")
    page.section("Control socket")
    page.paragraph(
      "Any Varlink client can speak to control.sock; the interfaces describe themselves (org.varlink.service). Root, the "
        + "daemon's own user and members of the group poolflow may use it.")
    page.section("Files")
    page.item("/var/lib/poolflow/poolflow.db", "The store, one SQLite file.")
    page.item(
      "/var/lib/poolflow/reserve",
      "A reserve of one MiB: it is deleted when the disk is full, and created again once space is free.")
    page.item("/var/lib/poolflow/backups", "Backups, a folder each, private.")
    page.item(
      "/var/lib/poolflow/outbox/new",
      "Notices for the program that sends them: it takes each by renaming or deleting the file.")
    page.item("/run/poolflow/control.sock", "The control socket.")
    page.section("See also")
    page.paragraph("pfctl(1), poolflow.conf(5), poolflow-post(1), systemd.time(7)")
    return page
  }
}
