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
      "--team TEAM everywhere; without it the team of $POOLFLOW_TEAM, else the only team there is. `pfctl team …` alone has it "
        + "as its object. Where all teams are looked at, or the whole store is meant, --team narrows to one and none is taken "
        + "for granted"
    ),
    (
      "objects",
      "what a command is about: behind the verb, never an option; a name, an id, or the beginning of either that is no other's, "
        + "of an id four characters or more; teams, technicians, jobs and sinks by their whole names"
    ),
    ("values", "behind the objects of every set: --fee 150 and fee=150 mean the same; all are taken or none"),
    (
      "questions",
      "a plain question is answered by --yes; what cannot be undone has its name typed, or said by --confirm NAME"
    ),
    (
      "answers",
      "exit 1 is done, and something needs attention; exit 4 is asked, and you said no: see `pfctl help exit-codes`"
    ),
  ]

  /// Every verb that follows a noun.
  static let verbs: [Verb] = [
    Verb("list", "all of them, or those that the options leave"), Verb("show", "one of them with everything"),
    Verb("add", "put a record in"), Verb("set", "change values of one"), Verb("reset", "back to what holds without it"),
    Verb("rename", "another name for the same"), Verb("remove", "take one away"),
    Verb("prune", "take many away: those that a rule or the options leave"),
    Verb("clear", "take away all that is in it; itself it stays"), Verb("undo", "take the last change back"),
    Verb("log", "put down what was done"), Verb("plan", "what a team has bought"),
    Verb("create", "make a whole out of what is there"), Verb("verify", "prove that it is still what it was"),
    Verb("restore", "put it in the place of what is there"), Verb("export", "write it for other programs"),
    Verb("import", "take it from a file"), Verb("take", "import what waits"),
    Verb("test", "try it with something marked"),
    Verb("retry", "try again now"), Verb("release", "let go what is held"), Verb("discard", "give up what waits"),
    Verb("rotate", "new secrets for old ones"), Verb("trend", "how it went over time"),
    Verb("usage", "what it has used"),
    Verb("progress", "how far it is"), Verb("optimise", "work the best order out"),
    Verb("solve", "the same for a file"),
    Verb("compare", "beside each other"), Verb("apply", "what was worked out becomes what holds"),
    Verb("move", "another place in the order"), Verb("pin", "keep a place in the order"),
    Verb("refresh", "compute anew"), Verb("check", "look for mistakes, change nothing"),
    Verb("board", "who was fed today, and who was not"), Verb("mark", "say that it is done"),
    Verb("history", "what was done on days that have ended"), Verb("save", "keep it under a name"),
    Verb("drain", "take its work away until it is resumed"),
    Verb("resume", "the end of a pause, or of a drain"), Verb("due", "what comes next, and what is late"),
    Verb("diff", "what would change"),
    Verb("explain", "what it means"), Verb("copy", "all of it to another place; what is there stays"),
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
    OptionRule("team", "TEAM", "whose, or which team's"), OptionRule("technician", "TECHNICIAN", "whose of the team's"),
    OptionRule("pool", "POOL", "only this pool's"), OptionRule("job", "JOB", "only this job"),
    OptionRule("sink", "SINK", "only this sink's"),
    OptionRule("state", "STATE", "only what is in this state"), OptionRule("day", "DAY", "a weekday"),
    OptionRule("search", "TEXT", "only what has this text"),
    OptionRule("all", nil, "everything, not only what is usual"),
    OptionRule("limit", "N", "how many lines at most"), OptionRule("count", "N", "how many of them are meant"),
    OptionRule("days", "N", "how many days"), OptionRule("at", "TIME", "the moment or day it is about"),
    OptionRule("since", "TIME", "only what is on record from then on"), OptionRule("from", "TIME", "begin there"),
    OptionRule("until", "TIME", "end there"), OptionRule("month", "MONTH", "a calendar month"),
    OptionRule("format", "…|…", "how it is written"),
    OptionRule("output", "FILE", "to a file or folder instead of standard output"),
    OptionRule("config", "FILE", "settings to read"), OptionRule("notes", "TEXT", "words that stay with it"),
    OptionRule("dry-run", nil, "say what would happen, and change nothing"), OptionRule("yes", nil, "do not ask"),
    OptionRule("confirm", "NAME", "its name once more, in place of typing it"),
    OptionRule("reveal", nil, "personal data, too"),
    OptionRule("place", "N", "a place in a day's order, from 1"), OptionRule("zone", "ZONE", "a time zone"),
    OptionRule("language", "LANGUAGE", "a language"),
    OptionRule("units", "UNITS", "a system of units: imperial or metric"),
    OptionRule("date", "DATE", "the day it is about: today, yesterday, 2026-03-02"),
    OptionRule("rule", "RULE", "a calendar expression"), OptionRule("type", "KIND", "what kind of thing it is"),
  ]
}
