package import PoolModel

/// The documentation of a settings key; `pfctl config explain` and the manual page poolflow.conf(5) are generated from
/// it.
package struct SettingsKey: Codable, Sendable {
  /// The section, or kind of section, that the key belongs to.
  package enum Section: String, Codable, Sendable, CaseIterable {
    case daemon = "Daemon"
    case store = "Store"
    case backup = "Backup"
    case job = "Job NAME"
    case sink = "Sink NAME"

    /// True if `[name]` is a section of this kind.
    package func holds(_ name: String) -> Bool {
      switch self {
      case .daemon, .store, .backup: name == rawValue
      case .job: name.hasPrefix("Job ")
      case .sink: name.hasPrefix("Sink ")
      }
    }
  }

  package let section: Section
  package let name: String
  /// The placeholder for the value, such as `PATH` or `json|text`.
  package let value: String
  /// The default; nil if it depends on the machine, as `details` explains.
  package let standard: String?
  /// The kinds of sink that have this key; empty for all.
  package let kinds: [SinkKind]
  /// False if a change takes effect only when the daemon restarts.
  package let appliesAtReload: Bool
  /// One line without a full stop.
  package let summary: String
  package let details: [String]
  /// An example of a valid value.
  package let example: String

  private enum CodingKeys: String, CodingKey {
    case section, name, value, kinds, summary, details, example
    case standard = "default"
    case appliesAtReload = "applies_at_reload"
  }

  /// True if sinks of this kind have the key.
  package func concerns(_ kind: SinkKind) -> Bool { kinds.isEmpty || kinds.contains(kind) }

  package static let all = basics + stores + backups + sinkFilters + sinkManners

  private static let stores: [SettingsKey] = [
    SettingsKey(
      section: .store, name: "Engine", value: "sqlite|postgresql", standard: "sqlite", kinds: [],
      appliesAtReload: false, summary: "what keeps the records",
      details: [
        "sqlite: a file in the state directory, with nothing to install or look after. postgresql: a database of a server "
          + "(version \(Limits.oldestPostgresVersion) or newer) that somebody looks after already; libpq must be installed (Debian's "
          + "package libpq5). What is there is brought over by `pfctl store copy` while the daemon is stopped; the two are "
          + "never mixed.",
        "With postgresql the records and photos are in the database; the drop folder, archives and marks stay in the state "
          + "directory. A copy of the whole is made by pg_dump or pgBackRest.",
      ], example: "postgresql"),
    SettingsKey(
      section: .store, name: "Connection", value: "STRING", standard: nil, kinds: [], appliesAtReload: false,
      summary: "where the PostgreSQL server is, as libpq takes it",
      details: [
        "service=NAME, key=value words or a URI. A password in it is refused: it goes into a passfile, a service file or a "
          + "credential. Over a network add sslmode=verify-full; for a server with standbys name all hosts and "
          + "target_session_attrs=read-write. The database belongs to poolflow alone, and its user owns it."
      ], example: "service=poolflow"),
    SettingsKey(
      section: .store, name: "Credential", value: "NAME", standard: nil, kinds: [], appliesAtReload: false,
      summary: "the systemd credential that holds the password for the server",
      details: [
        "A file of $CREDENTIALS_DIRECTORY, as LoadCredential=store-password:/etc/poolflow/store-password brings it there. "
          + "It is read at the start."
      ], example: "store-password"),
    SettingsKey(
      section: .store, name: "Node", value: "NAME", standard: nil, kinds: [], appliesAtReload: false,
      summary: "what this daemon is called among several of one PostgreSQL database: each works some of the teams",
      details: [
        "%H is the machine's own name. Each answers and changes whatever it is asked, but for one that stands by (it is drained, or "
          + "its clock is wrong): it answers questions alone, and `systemctl reload` fails there, while a restart reads its "
          + "settings. Where one has left, died, or said nothing for \(Limits.nodeHeartbeatTimeout.inWords), the others work its teams, and "
          + "what was due meanwhile is made up for as after a restart. All of them log in as one user of the server, and have the "
          + "same settings and clocks less than \(Limits.maxClockSkew.inWords) from the server's.",
        "Without it a daemon has the database to itself, and a second one is refused.",
      ], example: "%H"),
  ]

  private static let backups: [SettingsKey] = [
    SettingsKey(
      section: .backup, name: "Time", value: "HH:MM|off", standard: "02:15", kinds: [], appliesAtReload: true,
      summary: "when the nightly backup begins, by the machine's clock",
      details: [
        "It is the job backup of `pfctl list`. A night that was slept through is made up for at the next start; one that "
          + "fails is tried again every hour, and the operator is told. off: backups are made by `pfctl backup create` "
          + "and `pfctl run backup` alone."
      ], example: "03:30"),
    SettingsKey(
      section: .backup, name: "Keep", value: "RULE", standard: "\(Retention.standard)", kinds: [],
      appliesAtReload: true, summary: "how many backups are kept: the newest of so many days, weeks and months",
      details: [
        "A day, a week (from Monday) or a month without a backup takes nobody's place. The newest backup that is known "
          + "to be whole always stays, whatever the rule says."
      ], example: "14 daily, 8 weekly, 12 monthly"),
    SettingsKey(
      section: .backup, name: "Directory", value: "PATH", standard: nil, kinds: [], appliesAtReload: true,
      summary: "a second folder that gets a copy of every backup",
      details: [
        "On another disk or machine. It must exist: a mount that is missing is not papered over. Each copy is read "
          + "again in full once it is there. Without it backups lie in the state directory alone."
      ], example: "/srv/poolflow/backups"),
  ]

  private static let basics: [SettingsKey] = [
    SettingsKey(
      section: .daemon, name: "StateDirectory", value: "PATH", standard: nil, kinds: [], appliesAtReload: false,
      summary: "where the store, photos and the daemon's own drop folder live",
      details: [
        "Without it $STATE_DIRECTORY, which systemd sets; else /var/lib/poolflow for root and $XDG_STATE_HOME/poolflow "
          + "(~/.local/state/poolflow) for a user. --state-dir wins over both."
      ], example: "/var/lib/poolflow"),
    SettingsKey(
      section: .daemon, name: "Socket", value: "PATH", standard: nil, kinds: [], appliesAtReload: false,
      summary: "the control socket that pfctl speaks to",
      details: [
        "Without it control.sock in $RUNTIME_DIRECTORY, which systemd sets; else in /run/poolflow for root and in "
          + "$XDG_RUNTIME_DIR/poolflow for a user. --socket wins over both."
      ], example: "/run/poolflow/control.sock"),
    SettingsKey(
      section: .daemon, name: "PlanLimits", value: "on|off", standard: "off", kinds: [], appliesAtReload: true,
      summary: "whether a team's plan limits what it may do",
      details: [
        "off: every team may do everything, whatever its plan. on: for an operator who sells plans; the free plan holds five "
          + "pools and no profit analysis, no route optimisation and no nightly archives. A plan never keeps a team from "
          + "putting its own records back."
      ], example: "on"),
    SettingsKey(
      section: .daemon, name: "MetricsFile", value: "PATH", standard: nil, kinds: [], appliesAtReload: true,
      summary: "a text file of metrics for Prometheus, written anew every minute",
      details: [
        "For the textfile collector of node_exporter: last success, next slot, lateness, duration and failures of each "
          + "job, depth and age of the outbox. Without it nothing is written. Its folder must exist."
      ], example: "/var/lib/node_exporter/textfile/poolflow.prom"),
    SettingsKey(
      section: .daemon, name: "Inbox", value: "PATH", standard: nil, kinds: [], appliesAtReload: true,
      summary: "a folder into which archives and customer lists are dropped to be imported",
      details: [
        "In it a folder for each team, called like the team; a technician who has archives of his or her own has a folder "
          + "in that. They must exist, and the daemon's user must be able to rename in them. A file called .zip, .csv, "
          + ".tsv or .txt is imported as by `pfctl import`, once it has not changed between two looks: within two minutes, "
          + "or at once with `pfctl inbox take`. An archive replaces what was there without a question.",
        "The file ends as NAME.CLAIM.done or NAME.CLAIM.refused, with NAME.CLAIM.result beside it: JSON that says what was "
          + "done, or why not. What was imported goes after \(Limits.inboxRetention.inWords). Without this key nothing is taken "
          + "from anywhere.",
      ], example: "/srv/poolflow/inbox"),
    SettingsKey(
      section: .job, name: "Rule", value: "RULE", standard: nil, kinds: [], appliesAtReload: true,
      summary: "when this kind of work is due, for every team that chose no rule of its own",
      details: [
        "A calendar expression by each team's clocks, such as `Fri 16:00`, or a line of cron behind cron:. A team's own "
          + "`pfctl job set` stands over it, and so does a morning-time that it set; what goes by the end of a trial has no "
          + "rule. For the server's own work it goes by the machine's clock; the backup has [Backup] Time."
      ], example: "Fri 16:00"),
    SettingsKey(
      section: .job, name: "CatchUp", value: "POLICY", standard: nil, kinds: [], appliesAtReload: true,
      summary: "what becomes of slots that were slept through: latest TIME, all N or none",
      details: [
        "latest 5h: the newest runs if it is at most so old. all 10: the newest ten run, oldest first. none: nothing late "
          + "runs. Without it each kind has its own, which `pfctl job show` tells."
      ], example: "latest 3h"),
    SettingsKey(
      section: .job, name: "DaylightGap", value: "after|skip", standard: "after", kinds: [], appliesAtReload: true,
      summary: "what becomes of a clock time that does not exist",
      details: ["after: it runs at the first instant after the gap. skip: not at all that day."], example: "skip"),
    SettingsKey(
      section: .job, name: "DaylightFold", value: "first|second|both", standard: "first", kinds: [],
      appliesAtReload: true, summary: "what becomes of a clock time that comes twice",
      details: ["Rules that name a range or a repetition of times follow real time whatever this says."],
      example: "second"),
    SettingsKey(
      section: .job, name: "Closed", value: "observe|ignore", standard: "observe", kinds: [], appliesAtReload: true,
      summary: "what a kind of work makes of days on which a team is closed",
      details: [
        "With ignore they are days like any other; technicians who are away stay away. A stable's jobs ignore closed days "
          + "until they are told to observe them: horses eat on every day."
      ], example: "ignore"),
    SettingsKey(
      section: .job, name: "Expires", value: "TIME", standard: nil, kinds: [], appliesAtReload: true,
      summary: "how long after its slot a notice of this kind is worth sending",
      details: ["A notice that could not be delivered until then is given up. From 1min to 31d."], example: "5h"),
    SettingsKey(
      section: .job, name: "Jitter", value: "TIME", standard: "0", kinds: [], appliesAtReload: true,
      summary: "how far the runs of this kind of work are spread after their slots",
      details: [
        "NAME is a kind of work, such as morning-summary. Each team's run begins so long after its slot that all of "
          + "them fill this time evenly, always at the same moment for the same team, and never past the next slot. "
          + "At most \(Limits.longestJitter.inWords): 90s, 10min, 1h."
      ], example: "10min"),
    SettingsKey(
      section: .sink, name: "Type", value: "stdout|journal|file-drop|publish", standard: "file-drop", kinds: [],
      appliesAtReload: true, summary: "what kind of place it is",
      details: [
        "stdout: one line a notice on the daemon's standard output. journal: structured entries, found with "
          + "`journalctl POOLFLOW_TEAM=desert-blue`. file-drop: one JSON file a notice, complete and exactly once. "
          + "publish: a folder of pages and calendars for a web server, a secret address for each technician and team.",
        "What is published follows the records, not the notices: today's page is always about today, also where nothing "
          + "was told. `pfctl publish list` tells the addresses.",
      ], example: "file-drop"),
    SettingsKey(
      section: .sink, name: "Directory", value: "PATH", standard: nil, kinds: [.fileDrop, .publish],
      appliesAtReload: true,
      summary: "the folder whose new/ receives the files, or that a web server serves",
      details: [
        "It must exist: a mount that is missing is not papered over. Without it the daemon makes its own for a "
          + "file-drop: outbox in the state directory for the sink drop, outbox-NAME for another.",
        "A publish sink must name one, which no other daemon writes to. Its pages lie in p/, each person's in a folder "
          + "with a secret name; the web server needs to read them and nothing else of the daemon's.",
      ], example: "/srv/poolflow/outbox"),
    SettingsKey(
      section: .sink, name: "BaseURL", value: "URL", standard: nil, kinds: [.publish], appliesAtReload: true,
      summary: "where the web server shows the folder",
      details: ["`pfctl publish list` then tells whole addresses, to be sent to people. Use https."],
      example: "https://routes.example.net"),
    SettingsKey(
      section: .sink, name: "Format", value: "auto|json|text|reference", standard: "auto", kinds: [.standardOutput],
      appliesAtReload: true, summary: "what a line is",
      details: [
        "json: one CloudEvent a line, for programs. text: lines for people. Both hold the names and addresses of customers.",
        "reference: which notice it is and how many lines it has, with no name of a customer; `pfctl outbox show` shows the "
          + "notice. auto: reference where standard output is the journal, json elsewhere.",
      ], example: "text"),
    SettingsKey(
      section: .sink, name: "MaxFiles", value: "N", standard: "\(Limits.dropFolderFiles)", kinds: [.fileDrop],
      appliesAtReload: true, summary: "the files in new/ at which the sink waits for whoever collects them",
      details: ["From 1 to \(Limits.dropFolderFiles). A sink that waits says so in `pfctl status`, and loses nothing."],
      example: "5000"),
  ]
}
