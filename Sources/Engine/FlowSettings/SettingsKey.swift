package import FlowModel
internal import FlowWork

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

  package static let all =
    daemon.map(\.key) + jobs + sinkBasics.map(\.key) + stores.map(\.key) + backups.map(\.key) + sinkFilters.map(\.key)
    + sinkManners.map(\.key)

  static let stores: [Setting<Settings.StoreSettings>] = [
    SettingsKey(
      section: .store, name: "Engine", value: "sqlite|postgresql", standard: "sqlite", kinds: [],
      appliesAtReload: false, summary: "the database engine that stores the records",
      details: [
        "sqlite: a file in the state directory, with nothing to install or maintain. postgresql: a database of a server "
          + "(version \(Limits.oldestPostgresVersion) or newer) that you already maintain; libpq must be installed (Debian's "
          + "package libpq5). `pfctl store copy` copies existing records while the daemon is stopped; two stores are "
          + "never merged.",
        "With postgresql the records and photos are in the database; the drop folder, archives and marks stay in the state "
          + "directory. Back up the whole database with pg_dump or pgBackRest.",
      ], example: "postgresql"
    )
    .sets(\.engine, expected: "an engine is"),
    SettingsKey(
      section: .store, name: "Connection", value: "STRING", standard: nil, kinds: [], appliesAtReload: false,
      summary: "how to connect to the PostgreSQL server (a connection string of libpq)",
      details: [
        "service=NAME, key=value pairs or a URI. A password in it is refused: put it into a passfile, a service file or a "
          + "credential. Over a network add sslmode=verify-full; for a server with standbys name all hosts and "
          + "target_session_attrs=read-write. Use a database for poolflow only, owned by its user."
      ], example: "service=poolflow"
    )
    .setting { line, store, _, problems in
      do throws(ConnectionString.Mistake) {
        store.connection = try ConnectionString(line.value)
      } catch {
        problems.append(.badConnection(line, error))
      }
    },
    SettingsKey(
      section: .store, name: "Credential", value: "NAME", standard: nil, kinds: [], appliesAtReload: false,
      summary: "the systemd credential that holds the password for the server",
      details: [
        "A file in $CREDENTIALS_DIRECTORY, put there by LoadCredential=store-password:/etc/poolflow/store-password. "
          + "It is read at the start."
      ], example: "store-password"
    )
    .setsOptional(
      \.credential, expected: "it must be the name of a credential, such as store-password"
    ) { Settings.SinkSettings.isName($0) && !$0.isEmpty ? $0 : nil },
    SettingsKey(
      section: .store, name: "Node", value: "NAME", standard: nil, kinds: [], appliesAtReload: false,
      summary: "the name of this daemon if several share one PostgreSQL database and divide the teams",
      details: [
        "%H is the machine's own name. Every node answers all calls, except one on standby (it is drained, or "
          + "its clock is wrong): it answers only queries, and `systemctl reload` fails there, while a restart reads its "
          + "settings. If a node has left, died, or sent no heartbeat for \(Limits.nodeHeartbeatTimeout.inWords), the others run its teams and "
          + "catch up on missed jobs as after a restart. All nodes must log in as the same user of the server, and have the "
          + "same settings and clocks that differ by less than \(Limits.maxClockSkew.inWords) from the server's.",
        "Without this key a daemon uses the database exclusively, and a second daemon is refused.",
      ], example: "%H"
    )
    .setsOptional(
      \.node,
      expected:
        "it must be a name of up to \(Limits.nodeNameLength) letters, digits, dots, dashes or underscores, or %H"
    ) { $0 == "%H" || (Settings.SinkSettings.isName($0) && $0.count <= Limits.nodeNameLength) ? $0 : nil },
  ]

  static let backups: [Setting<Settings>] = [
    SettingsKey(
      section: .backup, name: "Time", value: "HH:MM|off", standard: "02:15", kinds: [], appliesAtReload: true,
      summary: "when the nightly backup begins, by the machine's clock",
      details: [
        "It is the job backup of `pfctl list`. A backup missed while the daemon was down is made at the next start; one that "
          + "fails is retried every hour, and the operator is notified. off: backups are made only by `pfctl backup create` "
          + "and `pfctl run backup`."
      ], example: "03:30"
    )
    .sets(\.backupTime, expected: "it must be a time of day such as 02:15, or off") { text in
      text == "off" ? .some(nil) : (try? TimeOfDay(typed: text)).map { .some($0) }
    },
    SettingsKey(
      section: .backup, name: "Keep", value: "RULE", standard: "\(Retention.standard)", kinds: [],
      appliesAtReload: true, summary: "how many backups are kept: the newest of each of so many days, weeks and months",
      details: [
        "A day, a week (from Monday) or a month without a backup does not count. The newest backup that is known "
          + "to be intact is always kept, whatever the rule says."
      ], example: "14 daily, 8 weekly, 12 monthly"
    )
    .sets(
      \.backupRetention, expected: "it must keep at least one backup; write it like \(Retention.standard)"
    ) { Retention($0) },
    SettingsKey(
      section: .backup, name: "Directory", value: "PATH", standard: nil, kinds: [], appliesAtReload: true,
      summary: "a second folder that gets a copy of every backup",
      details: [
        "On another disk or machine. It must exist: if its mount is missing, the copy fails. Each copy is read "
          + "back in full after it is written. Without this key backups are only in the state directory."
      ], example: "/srv/poolflow/backups"
    )
    .setsPath(\.backupDirectory),
  ]

  static let daemon: [Setting<Settings>] = [
    SettingsKey(
      section: .daemon, name: "StateDirectory", value: "PATH", standard: nil, kinds: [], appliesAtReload: false,
      summary: "the folder of the store, photos and the daemon's own drop folder",
      details: [
        "Default: $STATE_DIRECTORY, which systemd sets; else /var/lib/poolflow for root and $XDG_STATE_HOME/poolflow "
          + "(~/.local/state/poolflow) for a user. --state-dir overrides both."
      ], example: "/var/lib/poolflow"
    )
    .setsPath(\.stateDirectory),
    SettingsKey(
      section: .daemon, name: "Socket", value: "PATH", standard: nil, kinds: [], appliesAtReload: false,
      summary: "the control socket that pfctl connects to",
      details: [
        "Default: control.sock in $RUNTIME_DIRECTORY, which systemd sets; else in /run/poolflow for root and in "
          + "$XDG_RUNTIME_DIR/poolflow for a user. --socket overrides both."
      ], example: "/run/poolflow/control.sock"
    )
    .setsPath(\.socketPath),
    SettingsKey(
      section: .daemon, name: "PlanLimits", value: "on|off", standard: "off", kinds: [], appliesAtReload: true,
      summary: "whether a team's plan limits what it may do",
      details: [
        "off: every team may do everything, whatever its plan. on: for an operator who sells plans; the free plan allows five "
          + "pools and no profit analysis, no route optimisation and no nightly archives. No plan prevents a team from "
          + "restoring its own records."
      ], example: "on"
    )
    .sets(\.planLimits, true: "on", false: "off"),
    SettingsKey(
      section: .daemon, name: "MetricsFile", value: "PATH", standard: nil, kinds: [], appliesAtReload: true,
      summary: "a text file of metrics for Prometheus, rewritten every minute",
      details: [
        "For the textfile collector of node_exporter: last success, next slot, lateness, duration and failures of each "
          + "job, depth and age of the outbox. Without it nothing is written. Its folder must exist."
      ], example: "/var/lib/node_exporter/textfile/poolflow.prom"
    )
    .setsPath(\.metricsFile),
    SettingsKey(
      section: .daemon, name: "Inbox", value: "PATH", standard: nil, kinds: [], appliesAtReload: true,
      summary: "a folder into which archives and customer lists are dropped to be imported",
      details: [
        "It holds a folder for each team, named like the team; a technician with separate archives has a folder "
          + "inside it. Create these folders and let the daemon's user rename files in them. A file named .zip, .csv, "
          + ".tsv or .txt is imported as by `pfctl import`, once two scans find it unchanged: within two minutes, "
          + "or at once with `pfctl inbox take`. An archive replaces the team's records without asking.",
        "The file is then renamed to NAME.CLAIM.done or NAME.CLAIM.refused; NAME.CLAIM.result next to it is JSON that says what was "
          + "done, or why not. Imported files are deleted after \(Limits.inboxRetention.inWords). Without this key nothing is imported "
          + "automatically.",
      ], example: "/srv/poolflow/inbox"
    )
    .setsPath(\.inbox),
  ]

  private static let jobs: [SettingsKey] = [
    SettingsKey(
      section: .job, name: "Rule", value: "RULE", standard: nil, kinds: [], appliesAtReload: true,
      summary: "when this kind of work is due, for every team that chose no rule of its own",
      details: [
        "A calendar expression in each team's time zone, such as `Fri 16:00`, or a line of cron after cron:. A team's own "
          + "`pfctl job set` or morning-time overrides it; jobs that depend on the end of a trial have no "
          + "rule. The server's own jobs use the machine's time zone; the backup has [Backup] Time."
      ], example: "Fri 16:00"),
    SettingsKey(
      section: .job, name: "CatchUp", value: "POLICY", standard: nil, kinds: [], appliesAtReload: true,
      summary: "which slots missed while the daemon was down run later: latest TIME, all N or none",
      details: [
        "latest 5h: the newest slot runs if it is at most 5 h old. all 10: the newest ten run, oldest first. none: no missed slot "
          + "runs. The default depends on the job: see `pfctl job show`."
      ], example: "latest 3h"),
    SettingsKey(
      section: .job, name: "DaylightGap", value: "after|skip", standard: "after", kinds: [], appliesAtReload: true,
      summary: "when a job runs whose clock time does not exist",
      details: ["after: it runs at the first instant after the gap. skip: it does not run that day."], example: "skip"),
    SettingsKey(
      section: .job, name: "DaylightFold", value: "first|second|both", standard: "first", kinds: [],
      appliesAtReload: true, summary: "when a job runs whose clock time comes twice",
      details: ["Rules with a range or a repetition of times follow real time whatever this says."],
      example: "second"),
    SettingsKey(
      section: .job, name: "Closed", value: "observe|ignore", standard: "observe", kinds: [], appliesAtReload: true,
      summary: "whether this kind of work runs on days when a team is closed",
      details: [
        "With ignore, the jobs run as on other days; absences of technicians still count. A stable's jobs ignore closed days "
          + "by default, because horses eat every day."
      ], example: "ignore"),
    SettingsKey(
      section: .job, name: "Expires", value: "TIME", standard: nil, kinds: [], appliesAtReload: true,
      summary: "how long after its slot a notice of this kind is worth sending",
      details: ["A notice that could not be delivered by then is given up. From 1min to 31d."], example: "5h"),
    SettingsKey(
      section: .job, name: "Jitter", value: "TIME", standard: "0", kinds: [], appliesAtReload: true,
      summary: "the time after the slot over which the runs of all teams are spread",
      details: [
        "NAME is a kind of work, such as morning-summary. The runs of all teams are spread evenly "
          + "over this time, always at the same moment for the same team, and never past the next slot. "
          + "At most \(Limits.longestJitter.inWords): 90s, 10min, 1h."
      ], example: "10min"),
  ]

  static let sinkBasics: [Setting<Settings.SinkSettings>] = [
    SettingsKey(
      section: .sink, name: "Type", value: "stdout|journal|file-drop|publish", standard: "file-drop", kinds: [],
      appliesAtReload: true, summary: "the kind of sink",
      details: [
        "stdout: one line a notice on the daemon's standard output. journal: structured entries, found with "
          + "`journalctl POOLFLOW_TEAM=desert-blue`. file-drop: one JSON file a notice, complete and exactly once. "
          + "publish: a folder of pages and calendars for a web server, a secret address for each technician and team.",
        "Published pages follow the records, not the notices: today's page is always about today, even if no notice "
          + "was sent. `pfctl publish list` shows the addresses.",
      ], example: "file-drop"
    )
    .sets(\.kind, expected: "a sink is"),
    SettingsKey(
      section: .sink, name: "Directory", value: "PATH", standard: nil, kinds: [.fileDrop, .publish],
      appliesAtReload: true,
      summary: "the folder whose new/ gets the files, or that a web server serves",
      details: [
        "It must exist: if its mount is missing, the sink waits. Without this key the daemon creates its own for a "
          + "file-drop: outbox in the state directory for the sink drop, outbox-NAME for another.",
        "A publish sink must name a folder that no other daemon writes to. Its pages are in p/, each person's in a folder "
          + "with a secret name; the web server needs read access to these pages only.",
      ], example: "/srv/poolflow/outbox"
    )
    .setsPath(\.directory),
    SettingsKey(
      section: .sink, name: "BaseURL", value: "URL", standard: nil, kinds: [.publish], appliesAtReload: true,
      summary: "the address at which the web server serves the folder",
      details: ["`pfctl publish list` then shows complete addresses, to be sent to people. Use https."],
      example: "https://routes.example.net"
    )
    .setsOptional(
      \.baseURL, expected: "it must be an address such as https://routes.example.net, without ? and #"
    ) { Settings.SinkSettings.baseURL($0) },
    SettingsKey(
      section: .sink, name: "Format", value: "auto|json|text|reference", standard: "auto", kinds: [.standardOutput],
      appliesAtReload: true, summary: "the format of a line",
      details: [
        "json: one CloudEvent a line, for programs. text: lines for people. Both contain the names and addresses of customers.",
        "reference: the id of the notice and its number of lines, without names of customers; `pfctl outbox show` shows the "
          + "notice. auto: reference where standard output is the journal, json elsewhere.",
      ], example: "text"
    )
    .sets(\.format, expected: "a format is"),
    SettingsKey(
      section: .sink, name: "MaxFiles", value: "N", standard: "\(Limits.dropFolderFiles)", kinds: [.fileDrop],
      appliesAtReload: true,
      summary: "the number of files in new/ at which the sink stops and waits until some are collected",
      details: ["From 1 to \(Limits.dropFolderFiles). `pfctl status` shows a sink that waits; no notice is lost."],
      example: "5000"
    )
    .setsOptional(\.maxFiles, expected: "it must be a number from 1 to \(Limits.dropFolderFiles)") { text in
      Int(text).flatMap { (1...Limits.dropFolderFiles).contains($0) ? $0 : nil }
    },
  ]
}
