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
    "setup", "from nothing to a team whose technicians are told their mornings", words: ["setup"],
    "It does nothing that the other commands cannot do, and prints each of them as it runs it.")

  private static let team = ManualNoun(
    "team", "teams: their zone, language, plan and settings, and their end", words: ["team"],
    "A team is a business, or a part of one, with a time zone, a language, units, a plan and a stock of its own. What is "
      + "told to it is told at its own local time; what one team's records hold is never another team's trouble.",
    "A new team is on a trial for seven days, as in the app. A plan limits a team only where the operator sets PlanLimits = "
      + "on in poolflow.conf(5): the free plan then holds five pools and no profit analysis.")

  private static let technician = ManualNoun(
    "technician", "technicians and offices: how they are reached, and with what", words: ["technician"],
    "Each technician is told their own stops, and nothing of the office's. Addresses leave the daemon only in the files of "
      + "sinks that say Sensitive = yes; poolflow-post(1) brings them from there.")

  private static let job = ManualNoun(
    "job", "jobs: what runs when, what ran, why, and how to hold it up",
    words: [
      "list", "next", "run", "history", "why", "job", "pause", "resume", "skip", "cancel", "simulate", "calendar",
    ],
    "A job is one kind of work for one team, such as its morning-summary, or for the server, such as backup. Its rule is a "
      + "calendar expression in the team's zone; each time that a rule names runs once, whatever the clock or a crash does.",
    "While a team's morning summary is on, its low-stock reminder stays silent and the morning carries the low stock: "
      + "history gives the reason of every silence.")

  private static let reminder = ManualNoun(
    "reminder", "reminders in a team's own words, once or by a rule", words: ["remind", "reminder"],
    "A reminder is a job like others: why, history, pause and skip take reminder-NAME.")

  private static let closed = ManualNoun(
    "closed", "days on which a team is closed, or a technician away", words: ["closed"],
    "A closed day has no route. Its eve tells once which stops need another day.")

  private static let pool = ManualNoun(
    "pool", "pools: whose, where, when, with what water, and what they cost", words: ["pool"],
    "A pool is named by its customer's name or its id, of which tables show eight letters, or by the beginning of either "
      + "where that is no other's: of an id four letters or more.")

  private static let visit = ManualNoun(
    "visit", "visits: readings, doses and photos, logged and corrected", words: ["visit"],
    "A visit takes what it poured from the stock, and gives it back where it is edited, undone or removed. Nothing is "
      + "changed by an input that is refused.")

  private static let water = ManualNoun(
    "water", "the saturation index of water, and what to pour", words: ["lsi", "dose"],
    "lsi and dose take readings from the command line and need no daemon. Each night the index of every pool whose "
      + "readings changed is computed; the morning and pfctl health tell which crossed a limit.")

  private static let inventory = ManualNoun(
    "inventory", "the chemicals that a team has in stock", words: ["inventory"],
    "Amounts may name their unit (12oz, 2lb 3oz, 900g, 2.5L). A bare number counts ounces; of a metric team millilitres "
      + "of what is poured by volume, else grams.")

  private static let equipment = ManualNoun(
    "equipment", "the machines at a pool: their kind, service and warranty", words: ["equipment"],
    "Service that is overdue is told in the morning, at the pool's stop.")

  private static let horse = ManualNoun(
    "horse", "the horses of a stable, for teams of that trade", words: ["horse"],
    "A stable is a team made with --trade stable. A horse is named by its name, whatever its case, by its id, of which "
      + "tables show eight letters, or by the beginning of either where that is no other's.")

  private static let feed = ManualNoun(
    "feed", "the feed board: what horses get, what was fed, what was missed", words: ["feed"],
    "A mark belongs to the local day on which it is made, and the first mark of a slot stands. At midnight the board of the "
      + "day is closed, and what was open counts as missed.")

  private static let care = ManualNoun(
    "care", "the care of horses: done, planned, due, and what it costs", words: ["care"],
    "Kinds of care are vet, farrier, dental, vaccination, deworming, medication, injury and other. Costs are exact decimals, "
      + "rounded only where they are shown.")

  private static let weather = ManualNoun(
    "weather", "forecasts from files, and the blankets that horses need", words: ["weather", "blanket"],
    "The daemon has no network: a forecast is a file, which a timer or a person brings. The newest alone decides.")

  private static let route = ManualNoun(
    "route", "the order of a day's stops, and better ones", words: ["route"],
    "The morning tells the order that was set. Every night a better one is looked for; it is proposed with what it saves, "
      + "or applied where the team says route-order=best. Pinned and moved stops keep their places.")

  private static let digest = ManualNoun(
    "digest", "what is said: digests, reports, profit and health", words: ["digest", "report", "profit", "health"],
    "Nothing here is sent or changed. Digests and reports are text, JSON, one HTML page for telephone and paper, or a "
      + "calendar.")

  private static let outbox = ManualNoun(
    "outbox", "notices on their way, and those that were given up", words: ["outbox"],
    "A notice is committed together with the run that made it, and has one entry for each sink that is to carry it. What "
      + "was given up stays as a dead letter until it is tried again or forgotten.")

  private static let sink = ManualNoun(
    "sink", "the places that notices are put", words: ["sink"],
    "A sink is a section of poolflow.conf(5). One that is sick holds back no other, and is told of through the others.")

  private static let publish = ManualNoun(
    "publish", "secret addresses of published pages and calendars", words: ["publish"],
    "A sink of Type = publish keeps a folder for any web server: today's and tomorrow's page, the week, and a calendar of "
      + "two weeks ahead, for each technician, with an index for the office.")

  private static let imports = ManualNoun(
    "import", "the app's backups and customer lists, by command or by inbox", words: ["import", "inbox"],
    "An import is whole or nothing; the same file a second time changes nothing. A technician's archive is imported with "
      + "--technician NAME; without it a pool belongs to the technician whom its tag tech:NAME names, else to the team's "
      + "default.",
    "With Inbox = FOLDER in poolflow.conf(5), what is dropped into a team's folder there is imported once, with the "
      + "answer beside it.")

  private static let export = ManualNoun(
    "export", "pools, visits and stock as CSV", words: ["export"],
    "A spreadsheet runs nothing in these files, and pools can be imported again; e-mail addresses and gate codes are not in "
      + "them.")

  private static let backup = ManualNoun(
    "backup", "backups of all teams, restored for proof before they count", words: ["backup"],
    "Each night a backup is made, and restored for proof before it gets its name. It holds the whole store and an archive "
      + "of each team that the app reads, too.")

  private static let store = ManualNoun(
    "store", "the records as a whole, and what keeps them", words: ["store"],
    "SQLite keeps them in a file of the state directory, which is enough for one machine and thousands of teams. A "
      + "PostgreSQL server (14 or newer) that somebody looks after already can keep them instead: [Store] in "
      + "poolflow.conf(5).")

  private static let service = ManualNoun(
    "service", "how the daemon is doing, and what is wrong with it",
    words: ["status", "events", "doctor", "nodes", "audit", "bugreport", "reload"],
    "Where one team's records cannot be read or written, the other teams have their mornings all the same; status --check, "
      + "doctor and one notice to the operator say which team, which work and why, until it is mended.")

  private static let config = ManualNoun(
    "config", "the settings in force and on disk", words: ["config"],
    "The files are described in poolflow.conf(5). A mistake stops a start, or refuses a reload, and is shown at its line."
  )

  private static let help = ManualNoun(
    "help", "help, completion and the version", words: ["help", "completion", "version"],
    "Help is also about a noun: pfctl help team lists the commands of teams.")
}
