import FlowCommandKit

extension ManualNoun {
  fileprivate static let service = ManualNoun(
    "service", "the state of the daemon, and its problems",
    words: ["status", "events", "doctor", "nodes", "audit", "bugreport", "reload"],
    "If one team's records cannot be read or written, the other teams still get their notices; status --check, doctor "
      + "and one notice to the operator name the team, the work and the reason, until it is repaired.")

  fileprivate static let job = ManualNoun(
    "job", "jobs: what runs when, what ran and why, and how to pause or skip it",
    words: [
      "list", "next", "run", "history", "why", "job", "pause", "resume", "skip", "cancel", "simulate", "calendar",
    ],
    "A job is one kind of work for one team, such as its morning-summary, or for the server, such as backup. Its rule is "
      + "a calendar expression in the team's zone; the job runs exactly once for each time of the rule, even if the "
      + "clock jumps or the daemon crashes.",
    "While a team's morning summary is on, its low-stock reminder is suppressed and the morning summary lists the low "
      + "stock: history gives the reason for each suppressed notice.")

  fileprivate static let reminder = ManualNoun(
    "reminder", "reminders with the team's own text, once or by a rule", words: ["remind", "reminder"],
    "A reminder is a job like the others: why, history, pause and skip accept reminder-NAME.")

  fileprivate static let closed = ManualNoun(
    "closed", "days on which a team is closed, or a technician away", words: ["closed"],
    "A closed day has no route. The evening before, one notice lists the stops that need another day.")

  fileprivate static let setup = ManualNoun(
    "setup", "set up a team whose technicians get their morning routes", words: ["setup"],
    "It only runs other commands, and prints each of them as it runs it.")

  fileprivate static let team = ManualNoun(
    "team", "teams: their zone, language, plan and settings; clear or remove them", words: ["team"],
    "A team is a business, or a part of one, with its own time zone, language, units, plan and stock. It gets its "
      + "notices at its own local time; bad records of one team never affect another team.",
    "A new team is on a trial for seven days, as in the app. A plan limits a team only if the operator sets PlanLimits = "
      + "on in poolflow.conf(5): the free plan then allows five pools and no profit analysis.")

  fileprivate static let technician = ManualNoun(
    "technician", "technicians and offices: their addresses and the notices they get", words: ["technician"],
    "Each technician gets only their own stops, and nothing meant for the office. Addresses leave the daemon only in the "
      + "files of sinks with Sensitive = yes; poolflow-post(1) delivers the notices from there.")

  fileprivate static let digest = ManualNoun(
    "digest", "texts and figures: digests, reports, profit and health",
    words: ["digest", "report"],
    "These commands send and change nothing. Digests and reports are text, JSON, one HTML page for telephone and paper, "
      + "or a calendar.")

  fileprivate static let publish = ManualNoun(
    "publish", "secret addresses of published pages and calendars", words: ["publish"],
    "A sink of Type = publish writes a folder for any web server: for each technician today's and tomorrow's page, the "
      + "week, and a calendar of the next two weeks, with an index for the office.")

  fileprivate static let outbox = ManualNoun(
    "outbox", "notices on their way to sinks, and those that were given up", words: ["outbox"],
    "A notice is committed together with the run that made it, and has one entry for each sink that delivers it. An "
      + "entry that was given up becomes a dead letter, which stays until it is retried or removed.")

  fileprivate static let sink = ManualNoun(
    "sink", "the destinations of notices", words: ["sink"],
    "A sink is a section of poolflow.conf(5). An unhealthy sink does not delay the others, and is reported through them."
  )

  fileprivate static let imports = ManualNoun(
    "import", "import the app's backups and customer lists, by command or by inbox", words: ["import", "inbox"],
    "An import is complete or changes nothing; importing the same file again changes nothing. A technician's archive is "
      + "imported with --technician NAME; without it a pool belongs to the technician named by its tag tech:NAME, else "
      + "to the team's default.",
    "With Inbox = FOLDER in poolflow.conf(5), each file that is dropped into a team's folder there is imported once, and "
      + "the result is written beside it.")

  fileprivate static let export = ManualNoun(
    "export", "pools, visits and stock as CSV", words: ["export"],
    "Formulas in these files are disabled, and pools can be imported again; e-mail addresses and gate codes are not in them."
  )

  fileprivate static let backup = ManualNoun(
    "backup", "backups of all teams, each checked by a test restore", words: ["backup"],
    "Each night a backup is made, and checked by a test restore before it gets its name. It has the whole store and an "
      + "archive of each team that the app can read, too.")

  fileprivate static let store = ManualNoun(
    "store", "the store of all records, and its database engine", words: ["store"],
    "SQLite stores them in a file of the state directory, which is enough for one machine and thousands of teams. A "
      + "PostgreSQL server (14 or newer) that you already run can store them instead: [Store] in poolflow.conf(5).")

  fileprivate static let config = ManualNoun(
    "config", "the daemon's effective settings and those on disk", words: ["config"],
    "The files are described in poolflow.conf(5). With a mistake the daemon does not start, or refuses a reload, and the "
      + "mistake is shown with its line."
  )

  fileprivate static let help = ManualNoun(
    "help", "help, completion and the version", words: ["help", "completion", "version"],
    "Help also accepts a noun: pfctl help team lists the commands of teams.")
}

extension [ListPart<ManualNoun.Chapter>] {
  /// The chapters of the engine's commands.
  static var engine: Self {
    [
      .init(
        10,
        [
          .init(title: "How things stand", nouns: [.service]),
          .init(title: "Jobs", nouns: [.job]),
          .init(title: "Reminders and days off", nouns: [.reminder, .closed]),
          .init(title: "Teams and their people", nouns: [.setup, .team, .technician]),
        ]),
      .init(
        50,
        [
          .init(title: "Pages for people", nouns: [.digest, .publish]),
          .init(title: "Delivery", nouns: [.outbox, .sink]),
          .init(title: "Files and backups", nouns: [.imports, .export, .backup, .store]),
          .init(title: "Settings and help", nouns: [.config, .help]),
        ]),
    ]
  }
}
