import Testing
import TradeCommands

@testable import FlowCommandKit

private let catalogue = CommandCatalogue.every

/// `pfctl help grammar`, and the commands that must follow it.
struct GrammarTests {
  /// Options that only one noun has, or that are fields of records.
  private static let fields: [Grammar.OptionRule] = [
    fieldsOfAllBuilds,
    stableFields,  // Stables
  ].flatMap { $0 }

  private static let fieldsOfAllBuilds: [Grammar.OptionRule] = [
    // Readings, and fields of a pool and its contacts.
    .init("ph", "N", "pH"), .init("temp", "TEXT", "water temperature"), .init("calcium", "N", "calcium hardness"),
    .init("alkalinity", "N", "total alkalinity"), .init("cya", "N", "cyanuric acid"),
    .init("tds", "N", "dissolved solids"), .init("send", nil, "by mail to the customer"),
    .init("dose", "TEXT", "what was poured"), .init("photo", "FILE", "a picture"),
    .init("volume", "VOLUME", "how much water"),
    .init("fee", "N", "what a month brings"), .init("locate", "LAT,LON", "where it is"),
    .init("region", "TEXT", "whose defaults hold"), .init("customer", "TEXT", "the customer's name"),
    .init("address", "TEXT", "the address"), .init("contact", "TEXT", "whom to ask for"),
    .init("phone", "TEXT", "a number"),
    .init("mail", "ADDRESS", "an e-mail address"), .init("gate", "TEXT", "how the gate opens"),
    .init("arrival", "TEXT", "when a visit is welcome"), .init("tags", "TEXT", "tags"),
    .init("to", "PLACE", "where a store goes"), .init("to", "DATE", "the new date of a stop"),
    // Stock and equipment.
    .init("name", "TEXT", "another name"), .init("catalogue", nil, "the usual chemicals"),
    .init("stock", "AMOUNT", "how much there is"), .init("threshold", "AMOUNT", "below what it is low"),
    .init("cost", "PRICE", "what it costs"), .init("concentration", "N", "percent by weight"),
    .init("unit", "TEXT", "what the label counts in"), .init("manufacturer", "TEXT", "who made it"),
    .init("model", "TEXT", "which one"), .init("serial", "TEXT", "its number"),
    .init("installed", "DATE", "when it was put in"),
    .init("warranty", "DATE", "when its warranty ends"), .init("serviced", "DATE", "when it was last serviced"),
    .init("service", "DATE", "when it is due for service"),
    .init("service", "RULE", "the dates of service of a pool"),
    .init("every", "INTERVAL", "how often work comes back"), .init("done", "TEXT", "work that was done"),
    // Teams, technicians and setup.
    .init("show-both-units", "ON|OFF", "both systems of units"),
    .init("objective", "OBJECTIVE", "what routes are good at"), .init("notifications", "ON|OFF", "all notices"),
    .init("morning-summary", "ON|OFF", "the morning's route"), .init("morning-time", "HH:MM", "when it is told"),
    .init("route-preview", "ON|OFF", "the next day's route"), .init("route-order", "…|…", "whose order holds"),
    .init("day-start", "HH:MM|auto", "when the first stop is reached"), .init("stop-minutes", "N", "what a stop takes"),
    .init("windows", "…|…", "arrival times"), .init("dose-units", "…|…", "units of amounts"),
    .init("dosing", "…|…", "what decides a dose"), .init("lsi-method", "…|…", "what the index is"),
    .init("free-chlorine", "N", "free chlorine"), .init("salt", "N", "salt"),
    .init("freeze-warning", "TEMP|off", "the frost"), .init("rain-hint", "RAIN|off", "the rain"),
    .init("default-volume", "VOLUME|auto", "how much water a new pool has"),
    .init("low-stock", "ON|OFF", "the evening's warning"), .init("weekly-digest", "ON|OFF", "the week in numbers"),
    .init("clock", "CLOCK", "how times are read out"), .init("currency", "CURRENCY", "of fees and costs"),
    .init("without-archive", nil, "the snapshot is enough"), .init("ntfy", "TEXT", "a topic"),
    .init("telegram", "TEXT", "a chat"), .init("matrix", "TEXT", "a room"), .init("slack", "TEXT", "a channel"),
    .init("teams", "TEXT", "a channel"), .init("webhook", "TEXT", "a channel"),
    .init("quiet-hours", "HH:MM-HH:MM", "when nothing is to ring"), .init("wants", "TEXT", "what to hear"),
    .init("archive", "FILE", "the app's backup"), .init("customers", "FILE", "a customer list"),
    .init("profiles", nil, "a list of profiles"), .init("save", nil, "log it as a visit"),
    .init("map", "HEADING=COLUMN", "what a heading means"), .init("preview", nil, "how a list is read"),
    .init("tell", "NAME=CHANNEL:ADDRESS", "who is told where"), .init("relay", "URL", "the mail server"),
    .init("sender", "ADDRESS", "the sender of mail"), .init("ntfy-server", "URL", "the ntfy server"),
    .init("show-access", "…|…", "whether mail shows gate codes"),
    .init("no-test", nil, "send no test"), .init("within", "TIME", "how long to wait for an answer"),
    // Settings of stables that the engine's commands take.
    .init("trade", "TRADE", "what a team lives on"),
    .init("barn-digest", "ON|OFF", "the barn's morning"), .init("barn-week", "ON|OFF", "the week"),
    .init("care-due", "ON|OFF", "care that is due"), .init("blanket", "ON|OFF", "the evening's blankets"),
    .init("feed-am", "ON|OFF", "who was not fed"), .init("feed-pm", "ON|OFF", "who was not fed"),
    .init("blanket-limits", "C,C,C,C,C", "from what cold on"),
    .init("interval-vet", "DAYS|none|usual", "until the next"),
    .init("interval-farrier", "DAYS|none|usual", "until the next"),
    .init("interval-dental", "DAYS|none|usual", "until the next"),
    .init("interval-vaccination", "DAYS|none|usual", "until the next"),
    .init("interval-deworming", "DAYS|none|usual", "until the next"),
    .init("interval-medication", "DAYS|none|usual", "until the next"),
    .init("interval-injury", "DAYS|none|usual", "until the next"),
    .init("interval-other", "DAYS|none|usual", "until the next"),
    // Jobs and reminders.
    .init("catch-up", "TEXT", "how missed slots are caught up"),
    .init("dst-gap", "…|…", "where clocks jump over the time"), .init("dst-fold", "…|…", "where it comes twice"),
    .init("closed", "…|…", "what closed days mean"), .init("jitter", "TEXT", "begin so long after the slot"),
    .init("expires", "TEXT", "how long it is worth sending"), .init("title", "TEXT", "its heading"),
    .init("text", "TEXT", "what it says"), .init("severity", "…|…", "how much it matters"),
    .init("when", "…|…", "on which days"),
    .init("times", "N", "how many times it is sent"), .init("wait", nil, "until there is a verdict"),
    .init("failed", nil, "only what failed"), .init("follow", nil, "go on"), .init("diff", nil, "only what differs"),
    .init("replay", nil, "decide again"), .init("dst-forecast", nil, "the coming clock changes"),
    .init("check", nil, "one line for monitoring"),
    .init("all-teams", nil, "for every team of the daemon"),
    .init("with-observances", nil, "observances count as days off"),
    // Routes, pages, files and the daemon.
    .init("map", nil, "a text map"), .init("order", "…|…", "which order"),
    .init("algorithm", "…|…", "which optimiser"),
    .init("effort", "N", "how much work"), .init("durations", "FILE", "measured driving times"),
    .init("by", "TECHNICIANS", "who takes stops"), .init("max-minutes", "N", "the longest day"),
    .init("max-late", "N", "the latest arrival"),
    .init("sort", "…|…", "what comes first"), .init("losers", nil, "only money losers"),
    .init("kind", "…|…", "which digest"),
    .init("visit", "VISIT", "which visit"), .init("replace", nil, "also where something is lost"),
    .init("full", nil, "to the last byte"), .init("origin", nil, "where a value stands"),
    .init("running", nil, "the effective settings"), .init("defaults", nil, "compared with the defaults"),
    .init("man", "PAGE", "a manual page"),
  ]

  /// `--to` is where a store goes or the new date of a stop. `--map` maps a column or prints a text map; `--service` is the date of a machine or the rule of a pool; `--feed-am` and `--feed-pm` are a switch or, in setup, a time.
  private static let twoMeanings: Set = [
    "map", "service", "to",
    "feed-am", "feed-pm", "by",  // Stables
  ]

  /// Each option has one meaning, except `twoMeanings`.
  private static let vocabulary = Dictionary(grouping: catalogue.grammar.shared + fields + globals, by: \.name)

  private static let globals = CommandDescription.globalOptions.map {
    Grammar.OptionRule($0.name, $0.value, $0.summary)
  }

  /// Daily commands, and commands that need no noun.
  private static let alone: Set = [
    "setup", "status", "list", "next", "run", "history", "why", "pause", "resume", "skip", "cancel", "events", "cover",
    "simulate", "remind", "lsi", "dose", "blanket", "profit", "health", "digest", "export", "import", "calendar",
    "reload",
    "audit", "nodes",
    "doctor", "bugreport", "completion", "help", "version",
  ]

  private static let nouns: Set = [
    "job", "reminder", "closed", "team", "technician", "pool", "service", "stop", "day", "visit", "inventory",
    "equipment", "work", "lsi", "report",
    "inbox", "backup", "outbox", "sink", "publish", "route", "route matrix", "config",
    "horse", "feed", "feed template", "care", "weather", "store", "nodes",
  ]

  /// A report is named after its subject.
  private static let reports: Set = ["report visit", "report month", "report horse"]

  /// Operands that belong to a team and can be named only with it.
  private static let ofTeam: Set = [
    "HORSE", "CARE", "TEMPLATE", "POOL", "VISIT", "ITEM", "EQUIPMENT", "CUSTOMER", "DAYS", "ID", "WORK", "JOB",
    "JOB|RUN",
    "JOB|RUN|NOTICE",
  ]

  private func matches(_ option: CommandDescription.Option, _ word: Grammar.OptionRule) -> Bool {
    switch word.value {
    case .flag: option.value == nil
    case .named(let name): option.value == name
    case .choice: option.value?.contains("|") ?? false
    }
  }

  @Test func `every command is a noun and a verb, or one word`() {
    for description in catalogue.descriptions where !Self.reports.contains(description.name) {
      if description.path.count == 1 {
        #expect(Self.alone.contains(description.name), "\(description.name)")
      } else {
        #expect(Self.nouns.contains(description.path.dropLast().joined(separator: " ")), "\(description.name)")
        #expect(catalogue.grammar.verbs.contains { $0.word == description.path.last }, "\(description.name)")
      }
    }
    let verbs = Set(catalogue.descriptions.filter { $0.path.count > 1 }.compactMap(\.path.last))
    for verb in catalogue.grammar.verbs { #expect(verbs.contains(verb.word), "nothing does '\(verb.word)'") }
    #expect(Set(catalogue.grammar.verbs.map(\.word)).count == catalogue.grammar.verbs.count)
  }

  @Test func `an option has one meaning and one placeholder in every command`() {
    var used: Set<String> = []
    for description in catalogue.descriptions {
      for option in description.options {
        used.insert(option.name)
        guard let words = Self.vocabulary[option.name] else {
          Issue.record("pfctl \(description.name) has --\(option.name), which is no word of the grammar")
          continue
        }
        #expect(words.count == (Self.twoMeanings.contains(option.name) ? 2 : 1), "--\(option.name)")
        #expect(
          words.contains { matches(option, $0) }, "pfctl \(description.name) --\(option.name) \(option.value ?? "")")
        #expect(!Self.globals.contains { $0.name == option.name }, "\(description.name): --\(option.name)")
      }
      #expect(Set(description.options.map(\.name)).count == description.options.count, "\(description.name)")
    }
    for word in catalogue.grammar.shared + Self.fields {
      #expect(used.contains(word.name), "nothing takes --\(word.name)")
    }
    for word in catalogue.grammar.shared {
      let nouns = Set(
        catalogue.descriptions.filter { $0.options.contains { $0.name == word.name } }.map { $0.path[0] })
      #expect(!nouns.isEmpty, "\(word.name)")
    }
  }

  @Test func `a command that --quiet silences changes or verifies something`() {
    let ends = Set(catalogue.descriptions.compactMap(\.path.last))
    #expect(Grammar.successVerbs.isSubset(of: ends))  // Stables
    let answers: Set = [
      "list", "show", "export", "create", "copy", "take", "optimise", "rotate", "history", "why", "status",
    ]
    #expect(Grammar.successVerbs.isDisjoint(with: answers) && ends.isSuperset(of: answers))
  }

  @Test func `option names that differ by one character are listed exceptions`() {
    // --unit is a counted unit, --units a team's system; --team selects a team, --teams is a Microsoft Teams address; --day is
    // a weekday, --days a number; --customer is a name, --customers a list.
    let known: Set = [
      ["unit", "units"], ["team", "teams"], ["day", "days"], ["customer", "customers"], ["horse", "horses"],
    ]
    let names = Self.vocabulary.keys.sorted()
    for (index, name) in names.enumerated() {
      for other in names[(index + 1)...] where other == name + "s" || name == other + "s" {
        #expect(known.contains([name, other]) || known.contains([other, name]), "--\(name) and --\(other)")
      }
    }
  }

  @Test func `the team is an option, except in team commands, where it comes first`() {
    for description in catalogue.descriptions {
      let hasOption = description.options.contains { $0.name == "team" }
      if description.path[0] == "team" {
        #expect(!hasOption, "\(description.name)")
        if description.name == "team list" { continue }
        #expect(
          description.operands.first?.name == (description.name == "team add" ? "NAME" : "TEAM"), "\(description.name)")
        continue
      }
      #expect(!description.operands.contains { $0.name == "TEAM" }, "\(description.name)")
      let isOfTeam =
        description.operands.contains { Self.ofTeam.contains($0.name) }
        || ["technician", "reminder", "report", "route", "pool"].contains(description.path[0])
      if isOfTeam, !["route solve"].contains(description.name) {
        #expect(hasOption, "\(description.name) needs --team")
      }
    }
  }

  @Test func `objects are operands, and a required option is never an object`() {
    for description in catalogue.descriptions {
      let required = Set(description.options.filter(\.isRequired).map(\.name))
      #expect(
        required.isSubset(of: ["zone", "volume", "place", "from", "to", "reason", "technician", "by", "every"]),
        "\(description.name): \(required)")
    }
  }

  @Test func `remove takes one object, prune takes many, each with one kind of confirmation`() {
    for description in catalogue.descriptions {
      let names = Set(description.options.map(\.name))
      #expect(!names.isSuperset(of: ["yes", "confirm"]), "\(description.name)")
      // A command that asks for a typed name also has a dry run.
      if names.contains("confirm") { #expect(names.contains("dry-run"), "\(description.name)") }
      switch description.path.last {
      case "remove" where description.name != "route matrix remove":
        #expect(
          description.objects.allSatisfy { $0.count == .one } && !description.objects.isEmpty, "\(description.name)")
      case "prune": #expect(description.objects.isEmpty && names.contains("yes"), "\(description.name)")
      case "list": #expect(description.objects.count <= 1, "\(description.name)")
      case "set": #expect(description.takesSettings && !description.settingOptions.isEmpty, "\(description.name)")
      default: break
      }
    }
  }

  @Test func `a summary starts with a word that can be capitalised and has no full stop`() {
    let literals = Set(
      ["pH", "en", "imperial", "metric", "auto", "geojson", "html", "trial", "paid", "kept", "route", "bash"])
    for meaning in HelpTopic.all(catalogue).flatMap(\.entries).map(\.1) + catalogue.grammar.shared.map(\.meaning) {
      #expect(!literals.contains(String(meaning.prefix { $0.isLetter })), "'\(meaning)'")
    }
    for description in catalogue.descriptions + [Overview.description] {
      let summaries = [description.summary] + description.options.map(\.summary)
      for summary in summaries + CommandDescription.globalOptions.map(\.summary) {
        let first = String(summary.prefix { !$0.isWhitespace && $0 != "," && $0 != ":" && $0 != ";" })
        // RFC 3339 and format names are capitalised already.
        #expect(!literals.contains(first) && first.first?.isNumber != true, "\(description.name): '\(summary)'")
        #expect(
          first.dropFirst() == first.dropFirst().lowercased() || first == first.uppercased()
            || first.first?.isUppercase == true, "\(description.name): '\(summary)'")
        #expect(!summary.hasSuffix("."), "\(description.name): '\(summary)'")
      }
    }
  }

  @Test func `every command is in one help chapter, and the overview's commands exist`() {
    let names = catalogue.descriptions.map(\.name)
    #expect(Set(names).count == names.count && names.count > 100)
    #expect(catalogue.chapters.flatMap { catalogue.commands(of: $0) }.map(\.name).sorted() == names.sorted())
    for command in catalogue.overview {
      let words = command.line.split(separator: " ").map(String.init)
      #expect(catalogue.command(of: words) != nil, "\(command.line)")
    }
    // The overview prints three lines before the commands and three after them.
    #expect(catalogue.overview.count + 5 <= 15)
  }
}
