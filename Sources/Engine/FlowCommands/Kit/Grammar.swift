/// The grammar of `pfctl` commands: `pfctl help grammar` prints it, and `GrammarTests` checks every command against it.
enum Grammar {
  /// The verb after a noun.
  struct Verb {
    let word: String
    let meaning: String

    init(_ word: String, _ meaning: String) { (self.word, self.meaning) = (word, meaning) }
  }

  /// An option with a fixed meaning and a fixed placeholder for its value in all commands.
  struct OptionRule {
    /// The kind of value that an option takes.
    enum Value: Equatable {
      case flag
      /// A value with this placeholder in help.
      case named(String)
      /// One of a few keywords, which may differ between commands: `text|html`.
      case choice
    }

    let name: String
    let value: Value
    let meaning: String

    init(_ name: String, _ value: String? = nil, _ meaning: String) {
      self.name = name
      self.value = value.map { $0 == "…|…" ? .choice : .named($0) } ?? .flag
      self.meaning = meaning
    }

    /// `--team TEAM`.
    var usage: String {
      switch value {
      case .flag: "--\(name)"
      case .named(let word): "--\(name) \(word)"
      case .choice: "--\(name) …|…"
      }
    }
  }

  /// Rules of the grammar beyond its vocabulary.
  static let rules: [(String, String)] = [
    (
      "the team",
      "named by --team TEAM; default: $POOLFLOW_TEAM, else the only team. Only `pfctl team …` takes it as an operand. "
        + "Commands about all teams or the whole store have no default team; there --team selects one"
    ),
    (
      "objects",
      "the records that a command acts on; they follow the verb and are never options. Give a name, an id or a unique "
        + "beginning of either (of an id at least four characters); teams, technicians, jobs and sinks need their full "
        + "names"
    ),
    ("values", "follow the objects of every set command: --fee 150 and fee=150 mean the same; all are set or none"),
    (
      "questions",
      "--yes answers a plain question; to confirm what cannot be undone, type the name or give --confirm NAME"
    ),
    (
      "answers",
      "exit code 1: done, but something needs attention; exit code 4: you declined a question; see `pfctl help exit-codes`"
    ),
  ]

  /// Every verb that follows a noun.
  static let verbs: [Verb] = [
    Verb("list", "list all of them, or those that the options select"), Verb("show", "show all details of one"),
    Verb("add", "add a record"), Verb("set", "change values of one"), Verb("reset", "go back to the default"),
    Verb("rename", "give it another name"), Verb("remove", "remove one"),
    Verb("prune", "remove many: those that a rule or the options select"),
    Verb("clear", "remove its contents and keep it"), Verb("undo", "undo the last change"),
    Verb("log", "record what was done"), Verb("plan", "what a team has bought"),
    Verb("create", "create it from the present data"),
    Verb("verify", "check that it has not changed since it was made"),
    Verb("restore", "replace the present data by it"), Verb("export", "write it for other programs"),
    Verb("import", "read it from a file"), Verb("take", "import waiting files"),
    Verb("test", "try it with a test notice"),
    Verb("retry", "try again now"), Verb("release", "deliver what is on hold"),
    Verb("discard", "give up waiting entries"),
    Verb("rotate", "replace secrets by new ones"), Verb("trend", "show its development over time"),
    Verb("usage", "show what it has used"),
    Verb("progress", "show how much is done"), Verb("optimise", "compute the best order"),
    Verb("solve", "compute the best order of a file's stops"),
    Verb("compare", "compare several orders"), Verb("apply", "use the computed order from now on"),
    Verb("move", "change a position in the order"), Verb("pin", "fix a position in the order"),
    Verb("refresh", "compute again"), Verb("check", "find mistakes, change nothing"),
    Verb("board", "show which horses were fed and which were not"), Verb("mark", "record that it is done"),
    Verb("history", "show what was done on past days"), Verb("save", "store it under a name"),
    Verb("drain", "move its work to other nodes until it is resumed"),
    Verb("resume", "end a pause or a drain"), Verb("due", "show what is due and what is overdue"),
    Verb("diff", "show what would change"),
    Verb("explain", "explain its meaning"), Verb("copy", "copy all of it elsewhere; the original stays"),
  ]

  /// The verbs of commands that print nothing on success with `--quiet`.
  static let successVerbs: Set = [
    "add", "set", "reset", "rename", "remove", "prune", "clear", "undo", "log", "mark", "save", "plan", "verify",
    "restore", "import",
    "test", "retry", "release", "discard", "apply", "move", "pin", "refresh", "check", "setup", "run", "cancel",
    "pause",
    "resume", "skip", "remind", "reload", "drain",
  ]

  /// Options that several nouns share.
  static let shared: [OptionRule] = [
    OptionRule("team", "TEAM", "the team"), OptionRule("technician", "TECHNICIAN", "the technician"),
    OptionRule("pool", "POOL", "only this pool's"), OptionRule("job", "JOB", "only this job"),
    OptionRule("sink", "SINK", "only this sink's"),
    OptionRule("state", "STATE", "only entries in this state"), OptionRule("day", "DAY", "a weekday"),
    OptionRule("search", "TEXT", "only entries that contain this text"),
    OptionRule("all", nil, "all entries, not only the default selection"),
    OptionRule("limit", "N", "how many lines at most"), OptionRule("count", "N", "how many"),
    OptionRule("days", "N", "how many days"), OptionRule("at", "TIME", "the time or day that is meant"),
    OptionRule("since", "TIME", "only entries from then on"), OptionRule("from", "TIME", "begin there"),
    OptionRule("until", "TIME", "end there"), OptionRule("month", "MONTH", "a calendar month"),
    OptionRule("format", "…|…", "how it is written"),
    OptionRule("output", "FILE", "write to this file or folder, not to standard output"),
    OptionRule("config", "FILE", "settings to read"), OptionRule("notes", "TEXT", "a note stored with it"),
    OptionRule("dry-run", nil, "show what would happen, and change nothing"), OptionRule("yes", nil, "do not ask"),
    OptionRule("confirm", "NAME", "the name, to confirm without being asked"),
    OptionRule("reveal", nil, "show personal data, too"),
    OptionRule("place", "N", "a position in the day's order, from 1"), OptionRule("zone", "ZONE", "a time zone"),
    OptionRule("language", "LANGUAGE", "a language"),
    OptionRule("units", "UNITS", "a system of units: imperial or metric"),
    OptionRule("date", "DATE", "the day, such as today, yesterday or 2026-03-02"),
    OptionRule("rule", "RULE", "a calendar expression"), OptionRule("type", "KIND", "the kind of record"),
  ]
}
