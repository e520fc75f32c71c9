/// A noun of `pfctl`: it has a manual page `pfctl-NAME(1)` and a paragraph in the index, pfctl(1).
struct ManualNoun: Sendable {
  let name: String
  /// One line without a full stop.
  let summary: String
  /// The first words of its commands: the noun itself, and verbs without a noun, such as `pause`.
  let words: [String]
  /// Paragraphs printed before the commands.
  let introduction: [String]

  init(_ name: String, _ summary: String, words: [String], _ introduction: String...) {
    self.name = name
    self.summary = summary
    self.words = words
    self.introduction = introduction
  }

  /// Its commands, sorted by the order of `words`, then by the catalogue.
  var commands: [CommandDescription] {
    words.flatMap { word in CommandCatalogue.descriptions.filter { $0.path[0] == word } }
  }

  /// `pfctl-team.1`.
  var page: String { "pfctl-\(name).1" }
  /// `pfctl-team(1)`.
  var reference: String { "pfctl-\(name)(1)" }

  /// A heading in the manual's index and in the command list of help.
  struct Chapter: Sendable {
    let title: String
    let nouns: [ManualNoun]

    var commands: [CommandDescription] { nouns.flatMap(\.commands) }
  }

  static let all = chapters.flatMap(\.nouns)

  /// The noun with that name, or the noun of the command that starts with `word`.
  static func named(_ word: String) -> ManualNoun? {
    all.first { $0.name == word } ?? all.first { $0.words.contains(word) }
  }

  static let chapters = [
    Chapter(title: "How things stand", nouns: [service]), Chapter(title: "Jobs", nouns: [job]),
    Chapter(title: "Reminders and days off", nouns: [reminder, closed]),
    Chapter(title: "Teams and their people", nouns: [setup, team, technician]),
    Chapter(title: "Pools and visits", nouns: [pool, visit]),
    Chapter(title: "Water, stock and equipment", nouns: [water, inventory, equipment]),
    Chapter(title: "Stables", nouns: [horse, feed, care, weather]),
    Chapter(title: "Routes", nouns: [route]), Chapter(title: "Pages for people", nouns: [digest, publish]),
    Chapter(title: "Delivery", nouns: [outbox, sink]),
    Chapter(title: "Files and backups", nouns: [imports, export, backup, store]),
    Chapter(title: "Settings and help", nouns: [config, help]),
  ]

  private static let setup = ManualNoun(
    "setup", "set up a team whose technicians get their morning routes", words: ["setup"],
    "It only runs other commands, and prints each of them as it runs it.")

  private static let team = ManualNoun(
    "team", "teams: their zone, language, plan and settings; clear or remove them", words: ["team"],
    "A team is a business, or a part of one, with its own time zone, language, units, plan and stock. It gets its "
      + "notices at its own local time; bad records of one team never affect another team.",
    "A new team is on a trial for seven days, as in the app. A plan limits a team only if the operator sets PlanLimits = "
      + "on in poolflow.conf(5): the free plan then allows five pools and no profit analysis.")

  private static let technician = ManualNoun(
    "technician", "technicians and offices: their addresses and the notices they get", words: ["technician"],
    "Each technician gets only their own stops, and nothing meant for the office. Addresses leave the daemon only in the "
      + "files of sinks with Sensitive = yes; poolflow-post(1) delivers the notices from there.")

  private static let job = ManualNoun(
    "job", "jobs: what runs when, what ran and why, and how to pause or skip it",
    words: [
      "list", "next", "run", "history", "why", "job", "pause", "resume", "skip", "cancel", "simulate", "calendar",
    ],
    "A job is one kind of work for one team, such as its morning-summary, or for the server, such as backup. Its rule is "
      + "a calendar expression in the team's zone; the job runs exactly once for each time of the rule, even if the "
      + "clock jumps or the daemon crashes.",
    "While a team's morning summary is on, its low-stock reminder is suppressed and the morning summary lists the low "
      + "stock: history gives the reason for each suppressed notice.")

  private static let reminder = ManualNoun(
    "reminder", "reminders with the team's own text, once or by a rule", words: ["remind", "reminder"],
    "A reminder is a job like the others: why, history, pause and skip accept reminder-NAME.")

  private static let closed = ManualNoun(
    "closed", "days on which a team is closed, or a technician away", words: ["closed"],
    "A closed day has no route. The evening before, one notice lists the stops that need another day.")

  private static let pool = ManualNoun(
    "pool", "pools: customer, address, day, water, equipment and cost", words: ["pool"],
    "A pool is named by its customer's name, by its id, of which tables show eight characters, or by a unique beginning "
      + "of either (of an id at least four characters).")

  private static let visit = ManualNoun(
    "visit", "visits: readings, doses and photos, logged and corrected", words: ["visit"],
    "A visit takes the poured chemicals from the stock, and returns them if it is edited, undone or removed. A refused "
      + "input changes nothing.")

  private static let water = ManualNoun(
    "water", "the saturation index of water, and the chemicals to pour", words: ["lsi", "dose"],
    "lsi and dose take readings from the command line and need no daemon. Each night the index of every pool whose "
      + "readings changed is computed; the morning summary and pfctl health list the pools that crossed a limit.")

  private static let inventory = ManualNoun(
    "inventory", "the chemicals that a team has in stock", words: ["inventory"],
    "Amounts may name their unit (12oz, 2lb 3oz, 900g, 2.5L). A number without a unit is in ounces; for a metric team in "
      + "millilitres for liquids, else in grams.")

  private static let equipment = ManualNoun(
    "equipment", "the machines at a pool: their kind, service and warranty", words: ["equipment"],
    "The morning summary shows overdue service at the pool's stop.")

  private static let horse = ManualNoun(
    "horse", "the horses of a stable, for teams with trade stable", words: ["horse"],
    "A stable is a team made with --trade stable. A horse is named by its name in any case, by its id, of which tables "
      + "show eight characters, or by a unique beginning of either.")

  private static let feed = ManualNoun(
    "feed", "the feed board: what horses get, which feeds were given, which were missed", words: ["feed"],
    "A mark belongs to the local day on which it is made, and the first mark of a slot counts. At midnight the board of "
      + "the day is closed, and slots that are still open count as missed.")

  private static let care = ManualNoun(
    "care", "the care of horses: done, planned, due, and its cost", words: ["care"],
    "Kinds of care are vet, farrier, dental, vaccination, deworming, medication, injury and other. Costs are exact "
      + "decimals, rounded only for display.")

  private static let weather = ManualNoun(
    "weather", "weather forecasts from files, and blankets for horses", words: ["weather", "blanket"],
    "The daemon does not use the network: a timer or a person imports forecasts from files. Only the newest forecast is "
      + "used.")

  private static let route = ManualNoun(
    "route", "the order of a day's stops, and better orders", words: ["route"],
    "The morning summary uses the order that was set. Every night a better one is computed; it is proposed with the time "
      + "it saves, or applied if the team has route-order=best. Pinned and moved stops keep their positions.")

  private static let digest = ManualNoun(
    "digest", "texts and figures: digests, reports, profit and health",
    words: ["digest", "report", "profit", "health"],
    "These commands send and change nothing. Digests and reports are text, JSON, one HTML page for telephone and paper, "
      + "or a calendar.")

  private static let outbox = ManualNoun(
    "outbox", "notices on their way to sinks, and those that were given up", words: ["outbox"],
    "A notice is committed together with the run that made it, and has one entry for each sink that delivers it. An "
      + "entry that was given up becomes a dead letter, which stays until it is retried or removed.")

  private static let sink = ManualNoun(
    "sink", "the destinations of notices", words: ["sink"],
    "A sink is a section of poolflow.conf(5). An unhealthy sink does not delay the others, and is reported through them."
  )

  private static let publish = ManualNoun(
    "publish", "secret addresses of published pages and calendars", words: ["publish"],
    "A sink of Type = publish writes a folder for any web server: for each technician today's and tomorrow's page, the "
      + "week, and a calendar of the next two weeks, with an index for the office.")

  private static let imports = ManualNoun(
    "import", "import the app's backups and customer lists, by command or by inbox", words: ["import", "inbox"],
    "An import is complete or changes nothing; importing the same file again changes nothing. A technician's archive is "
      + "imported with --technician NAME; without it a pool belongs to the technician named by its tag tech:NAME, else "
      + "to the team's default.",
    "With Inbox = FOLDER in poolflow.conf(5), each file that is dropped into a team's folder there is imported once, and "
      + "the result is written beside it.")

  private static let export = ManualNoun(
    "export", "pools, visits and stock as CSV", words: ["export"],
    "Formulas in these files are disabled, and pools can be imported again; e-mail addresses and gate codes are not in them."
  )

  private static let backup = ManualNoun(
    "backup", "backups of all teams, each checked by a test restore", words: ["backup"],
    "Each night a backup is made, and checked by a test restore before it gets its name. It has the whole store and an "
      + "archive of each team that the app can read, too.")

  private static let store = ManualNoun(
    "store", "the store of all records, and its database engine", words: ["store"],
    "SQLite stores them in a file of the state directory, which is enough for one machine and thousands of teams. A "
      + "PostgreSQL server (14 or newer) that you already run can store them instead: [Store] in poolflow.conf(5).")

  private static let service = ManualNoun(
    "service", "the state of the daemon, and its problems",
    words: ["status", "events", "doctor", "nodes", "audit", "bugreport", "reload"],
    "If one team's records cannot be read or written, the other teams still get their notices; status --check, doctor "
      + "and one notice to the operator name the team, the work and the reason, until it is repaired.")

  private static let config = ManualNoun(
    "config", "the daemon's effective settings and those on disk", words: ["config"],
    "The files are described in poolflow.conf(5). With a mistake the daemon does not start, or refuses a reload, and the "
      + "mistake is shown with its line."
  )

  private static let help = ManualNoun(
    "help", "help, completion and the version", words: ["help", "completion", "version"],
    "Help also accepts a noun: pfctl help team lists the commands of teams.")
}
