internal import FlowControl

/// A command line as typed, before the command is known.
struct TypedLine {
  var words: [String]
  var options: [String: [String]] = [:]
  /// The options that were written KEY=VALUE.
  private(set) var settings: Set<String> = []
  /// Deprecation warnings for old spellings, one line each.
  var warnings: [String] = []

  init(words: [String]) {
    self.words = words
  }

  /// Replaces old and alternative spellings by the current ones; an invalid line stays invalid.
  mutating func replaceOldWords() {
    SpellingVariant.replaceCommand(in: &self)
    DeprecatedSyntax.replaceCommand(in: &self)
    guard let description = CommandCatalogue.command(of: words)?.description else { return }
    if description.takesSettings { takeSettings(behind: description.path.count + description.objects.count) }
    DeprecatedSyntax.replaceOptions(of: description, in: &self)
    DeprecatedSyntax.replaceOperands(of: description, in: &self)
    SpellingVariant.replaceValues(in: &self)
  }

  /// Turns KEY=VALUE into `--KEY VALUE`.
  private mutating func takeSettings(behind count: Int) {
    var rest: [String] = []
    for (index, word) in words.enumerated() {
      guard index >= count, let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        rest.append(word)
        continue
      }
      let key = String(word[..<equals])
      options[key, default: []].append(String(word[word.index(after: equals)...]))
      settings.insert(key)
    }
    words = rest
  }

  fileprivate mutating func rename(_ option: String, to new: String) {
    guard let values = options.removeValue(forKey: option) else { return }
    options[new] = values
    if settings.remove(option) != nil { settings.insert(new) }
  }

  fileprivate mutating func replace(_ beginning: [String], by words: [String]) {
    self.words.replaceSubrange(..<beginning.count, with: words)
  }
}

/// Permanent synonyms: British and American spelling, and second names that the trade uses.
enum SpellingVariant {
  /// Synonyms for the beginning of a command.
  static let commands: [(other: [String], own: [String])] =
    [
      (["route", "optimize"], ["route", "optimise"]), (["stock"], ["inventory"]),
      (["export", "inventory"], ["export", "stock"]),
    ]
    // The daily commands for jobs have no noun: `job list` means `list`.
    + ["list", "next", "run", "history", "why", "pause", "resume", "skip"].map { (["job", $0], [$0]) }

  static let options = ["catalog": "catalogue", "colour": "color"]

  static let values: [(option: String, other: String, own: String)] = [("type", "stabiliser", "stabilizer")]

  /// `words` with its beginning replaced by the current spelling.
  static func own(_ words: [String]) -> [String] {
    var line = TypedLine(words: words)
    replaceCommand(in: &line)
    return line.words
  }

  fileprivate static func replaceCommand(in line: inout TypedLine) {
    guard let alias = commands.first(where: { line.words.starts(with: $0.other) }) else { return }
    line.replace(alias.other, by: alias.own)
  }

  fileprivate static func replaceValues(in line: inout TypedLine) {
    for value in values {
      line.options[value.option] = line.options[value.option]?.map { $0 == value.other ? value.own : $0 }
    }
  }
}

/// Command names and options of other programs: they are refused, and the error names the equivalent of pfctl.
enum OtherToolWord {
  private static let service = "use systemd for that, such as `systemctl restart poolflowd`, or poolflowd@NAME"
  private static let standing =
    "`pfctl pause` pauses a job and `pfctl resume` ends that; systemd starts and stops the daemon"
  private static let overview =
    "`pfctl list` shows every job with its next and last run, `pfctl status` the daemon"
  private static let records = "`pfctl history` shows what ran, `pfctl why` explains one run step by step"
  private static let package = "upgrade the package like any other, such as with `apt upgrade`"
  private static let check = "`pfctl status --check` shows it by its exit code"
  private static let search = "`pfctl pool list --search TEXT` finds pools"
  private static let journal =
    "`journalctl -u poolflowd` shows the daemon's log; `pfctl history` and `pfctl why` show what ran and why"

  /// The hint for an unknown command.
  static let commands = [
    "start": service, "stop": service, "restart": service, "enable": standing, "disable": standing, "mask": standing,
    "log": journal, "logs": journal, "journal": journal, "tail": journal,
    "ps": overview, "top": overview, "list-units": overview, "schedule": overview, "schedules": overview,
    "workflow": records, "workflows": records,
    "trigger": "`pfctl run` runs a job now", "daemon-reload": "`pfctl reload` reloads the settings",
    "upgrade": package, "self-update": package,
    "check": "`pfctl config check` finds mistakes in the settings, `pfctl backup verify` in a backup",
    "cat": "`pfctl config show` prints the settings", "search": search, "find": search,
    "dump": "`pfctl backup export` copies a backup to another folder",
    "metrics": "the daemon writes metrics to a file for Prometheus: `pfctl config explain MetricsFile`",
    "validate": "`pfctl config check` finds mistakes in the settings",
    "snapshots": "`pfctl backup list` shows the backups",
    "restore": "`pfctl backup restore` does that",
    "init": "`pfctl setup` sets up a team step by step",
    "is-active": check, "is-failed": check,
    "list-timers": "`pfctl next` shows the coming runs", "users": "`pfctl technician list` shows who gets notices",
    "forget": "`pfctl backup prune` removes old backups",
    "man": "the manual is `man pfctl`", "errors": "`pfctl help errors` lists them",
    "schema": "`pfctl help schema` lists them",
  ]

  /// Other programs' verbs and their equivalents; the first one that the noun has is suggested.
  static let verbs = [
    "delete": ["remove"], "rm": ["remove"], "del": ["remove"], "create": ["add"], "new": ["add", "create"],
    "make": ["create", "add"], "edit": ["set"], "update": ["set"], "modify": ["set"], "get": ["show", "list"],
    "info": ["show"], "describe": ["show"], "ls": ["list"], "mv": ["rename", "move"],
    "view": ["show"], "cat": ["show"], "search": ["list"], "find": ["list"], "check": ["verify"], "forget": ["prune"],
    "dump": ["export"],
  ]

  /// A hint with the noun's equivalent of `word`, or, if no noun was typed, with a command that ends in that verb; nil if
  /// neither exists.
  static func verb(_ word: String, behind beginning: String, among next: [String]) -> String? {
    if let own = verbs[word]?.first(where: next.contains) { return "did you mean `pfctl \(beginning)\(own)`?" }
    guard beginning.isEmpty else { return nil }
    let own = verbs[word]?.first ?? word
    guard let command = CommandCatalogue.descriptions.first(where: { $0.path.count > 1 && $0.path.last == own }) else {
      return nil
    }
    return "a verb follows its noun, such as `pfctl \(command.name)`"
  }

  /// Other programs' options and their equivalents; the first one that the command has is suggested.
  static let options = [
    "o": ["json"], "output": ["json"], "format": ["json"], "n": ["dry-run", "limit", "count"], "y": ["yes"],
    "force": ["yes"], "s": ["quiet"], "silent": ["quiet"], "no-headers": ["no-legend"], "template": ["json"],
    "jq": ["json"], "lines": ["limit"], "iterations": ["limit"], "L": ["limit"], "a": ["all"],
  ]

  /// Options that belong to another command, keyed by `COMMAND OPTION`.
  static let elsewhere = [
    "run dry-run": "`pfctl simulate` shows what would be sent, `pfctl digest` one page of it",
    "reload dry-run": "`pfctl config diff` shows what it would change",
    "history follow": "`pfctl events --follow` shows events as they happen",
    "list follow": "`pfctl events --follow` shows events as they happen",
  ]
}

/// Spellings of the previous version, still accepted in this one: each use prints the current spelling.
///
/// All old spellings are in this type. Empty its tables for the next version.
enum DeprecatedSyntax {
  /// The version that changed these spellings.
  static let since = "0.2"

  /// A renamed command.
  struct Command {
    let old: String
    let new: String
    /// Options that replace information in the old command's name.
    var adding: [(name: String, value: String)] = []
    /// True: applies only with an operand; false: only without; nil: both.
    var hasOperand: Bool?

    var replacement: String { new + adding.map { " --\($0.name) \($0.value)" }.joined() }
  }

  /// A renamed option.
  struct Option {
    let old: String
    let new: String
    /// The commands that had the old option.
    let commands: Set<String>
    var adding: [(name: String, value: String)] = []

    init(_ old: String, _ new: String, in commands: Set<String>, adding: [(name: String, value: String)] = []) {
      (self.old, self.new, self.commands, self.adding) = (old, new, commands, adding)
    }
  }

  /// An operand that became an option.
  struct Operand {
    let index: Int
    let option: String
    let value: String
    let commands: Set<String>
  }

  static let commands: [Command] = [
    Command(old: "dead list", new: "outbox list", adding: [("state", "dead")]),
    Command(old: "dead retry", new: "outbox retry", adding: [("state", "dead")]),
    Command(old: "dead purge", new: "outbox remove", hasOperand: true),
    Command(old: "dead purge", new: "outbox prune", adding: [("state", "dead")], hasOperand: false),
    Command(old: "profile set", new: "pool set"),
    Command(old: "visit edit", new: "visit set"),
  ]

  static let options: [Option] = [
    Option("for", "technician", in: ["digest", "remind", "reminder add", "reminder set"]),
    Option("date", "at", in: ["digest"]), Option("as-of", "at", in: ["run"]),
    Option("count", "limit", in: ["next", "calendar"]), Option("after", "from", in: ["calendar"]),
    Option("to", "until", in: ["simulate"]),
    Option("to", "place", in: ["route move"]), Option("at", "place", in: ["route pin"]),
    Option("svg", "output", in: ["route show", "pool trend"], adding: [("format", "svg")]),
    Option("matrix", "durations", in: ["route solve"]),
    Option("note", "notes", in: ["closed add", "pause"]), Option("reason", "notes", in: ["backup create"]),
    Option("email", "mail", in: ["pool set"]),
    Option("technician", "tell", in: ["setup"]), Option("from", "sender", in: ["setup"]),
    Option("ntfy", "ntfy-server", in: ["setup"]), Option("morning", "morning-time", in: ["setup"]),
    Option(flag, "quiet-hours", in: ["technician add", "technician set"]),
  ]

  /// An option that took a value before 0.2 and is a flag of every command today.
  private static let flag = "quiet"

  /// The value of the old option; nil if the flag is meant.
  static func value(of name: String, _ given: String?, before next: String?, in words: [String]) -> String? {
    guard name == flag, words.first == "technician" else { return nil }
    if let given { return given.isEmpty ? "none" : given }
    return next.flatMap { $0.first?.isNumber == true || $0 == "none" ? $0 : nil }
  }

  static let operands: [Operand] = [
    Operand(
      index: 0, option: "team", value: "TEAM",
      commands: [
        "profit", "health", "digest", "report month", "route show", "route optimise", "route compare", "route apply",
        "route undo", "route move", "route pin", "route progress", "route export", "route matrix remove",
      ]),
    Operand(index: 1, option: "output", value: "FILE", commands: ["backup export"]),
    Operand(index: 0, option: "output", value: "FILE", commands: ["bugreport"]),
  ]

  /// Two old options that became one.
  static let degrees = (north: "latitude", east: "longitude", both: "locate", commands: ["pool add", "pool set"])

  /// The names of all old options: each takes a value, which the parser must know before it knows the command.
  static let valued = Set(options.map(\.old)).union([degrees.north, degrees.east])

  /// A hint for the first word of an old command, typed alone: the commands that replaced it.
  static func hint(for noun: String) -> String? {
    guard let command = commands.first(where: { $0.old.hasPrefix(noun + " ") }) else { return nil }
    return
      "its commands are those of `pfctl \(words(command.new)[0])` since \(since): see `pfctl help \(words(command.new)[0])`"
  }

  // MARK: Replacing old spellings

  fileprivate static func replaceCommand(in line: inout TypedLine) {
    let command = commands.first { command in
      let path = words(command.old)
      guard line.words.starts(with: path) else { return false }
      return command.hasOperand.map { $0 == (line.words.count > path.count) } ?? true
    }
    guard let command else { return }
    line.replace(words(command.old), by: words(command.new))
    for option in command.adding where line.options[option.name] == nil { line.options[option.name] = [option.value] }
    line.warnings.append(
      "`pfctl \(command.old)` is called `pfctl \(command.replacement)` since \(since); the next version no longer accepts the "
        + "old form")
  }

  private static func words(_ name: String) -> [String] { name.split(separator: " ").map(String.init) }

  fileprivate static func replaceOptions(of description: CommandDescription, in line: inout TypedLine) {
    let old = options.filter { option in
      option.commands.contains(description.name) && line.options[option.old] != nil && line.options[option.new] == nil
        && (option.old != flag || line.settings.contains(flag) || line.options[flag] != [""])
    }
    for option in old {
      line.rename(option.old, to: option.new)
      for added in option.adding where line.options[added.name] == nil { line.options[added.name] = [added.value] }
      line.warnings.append(
        "`--\(option.old)` of `pfctl \(description.name)` is called `--\(option.new)` since \(since); the next version "
          + "no longer accepts the old name")
    }
    if degrees.commands.contains(description.name) { joinDegrees(in: &line) }
  }

  fileprivate static func replaceOperands(of description: CommandDescription, in line: inout TypedLine) {
    let given = line.words.count - description.path.count
    for operand in operands where operand.commands.contains(description.name) {
      guard given == description.objects.count + 1, line.options[operand.option] == nil else { continue }
      line.options[operand.option] = [line.words.remove(at: description.path.count + operand.index)]
      line.warnings.append(
        "`pfctl \(description.name)` takes \(operand.value) as `--\(operand.option) \(operand.value)` since \(since); "
          + "the next version no longer accepts the old form")
    }
  }

  private static func joinDegrees(in line: inout TypedLine) {
    guard let north = line.options[degrees.north]?.first, let east = line.options[degrees.east]?.first else { return }
    (line.options[degrees.north], line.options[degrees.east]) = (nil, nil)
    line.options[degrees.both] = ["\(north),\(east)"]
    line.warnings.append(
      "`--\(degrees.north)` and `--\(degrees.east)` are `--\(degrees.both) LAT,LON` since \(since); the next version no "
        + "longer accepts the old options")
  }
}
