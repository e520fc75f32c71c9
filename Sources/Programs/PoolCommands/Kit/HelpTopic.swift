internal import PoolControl

/// A topic of `pfctl help` that is not a command; pfctl(1) prints the same text.
struct HelpTopic: Sendable {
  let name: String
  /// One line without a full stop.
  let summary: String
  let introduction: String
  /// Each term with its explanation.
  let entries: [(String, String)]
  let closing: [String]

  static let all = [grammar, exitCodes, errors, times, formats]
  /// The names of these topics, and `schema`, which prints documents of its own.
  static let names = all.map(\.name) + [SchemaHelp.word]

  private static let grammar = HelpTopic(
    name: "grammar", summary: "how commands are made, and what each word of them means",
    introduction:
      "A command is a noun and a verb, then its objects in their order, then options: pfctl pool show 'Steve Baird' --team "
      + "desert-blue. What is asked every day is one word. The same word means the same in every command:",
    entries: Grammar.rules + Grammar.verbs.map { ("NOUN \($0.word)", $0.meaning) }
      + Grammar.shared.map { ($0.usage, $0.meaning) },
    closing: [
      "Other spellings are taken for good: route optimize, --catalog, --colour, and stock for inventory. Words of the version "
        + "before are taken for one version, with a line on standard error that says what they are called today."
    ])

  /// The error names of the control interfaces and of pfctl itself.
  private static let errors = HelpTopic(
    name: "errors", summary: "the names of errors, for programs",
    introduction:
      "With --json a failure is one document, whose field `error` has a name that stays; a Varlink client gets the same names. "
      + "What pfctl then exits with stands in brackets:",
    entries: ControlError.Kind.allCases.map { ($0.rawValue, "\(withoutFullStop($0.meaning)) [\($0.exitCode)]") }
      + CommandFailure.names.map { ($0.name, "\($0.meaning) [\($0.exitCode)]") },
    closing: ["Names without a dot are pfctl's own: nothing was asked of the daemon, or it did not answer."])

  private static func withoutFullStop(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  private static let exitCodes = HelpTopic(
    name: "exit-codes", summary: "what pfctl exits with",
    introduction: "pfctl exits with the codes of sysexits.h, the same with and without --json:",
    entries: [
      (ExitCode.done, "done"),
      (
        ExitCode.attention,
        "done, and something needs attention: a finding of doctor, a warning of status --check, a backup without some team's archive"
      ),
      (ExitCode.critical, "status --check: critical"),
      (ExitCode.unknown, "status --check: unknown, because no daemon answers"),
      (ExitCode.declined, "you were asked and said no, or typed another name: nothing was changed"),
      (ExitCode.usage, "the command line, or a value in it; a name that could be several"),
      (ExitCode.badData, "a file was read and refused; nothing was changed"),
      (ExitCode.noInput, "a file is not there or cannot be read"),
      (ExitCode.notFound, "what is named is not there: no such team, pool, item, run, notice, sink …"),
      (ExitCode.unavailable, "no daemon answers"),
      (ExitCode.internalFault, "a fault of the daemon, or a run that failed"),
      (ExitCode.cannotCreate, "it is there already"),
      (ExitCode.inputOutput, "reading or writing failed"),
      (ExitCode.tryAgain, "busy, or no answer in time: try again"),
      (ExitCode.protocolMismatch, "daemon and pfctl are of different versions"),
      (ExitCode.notPermitted, "not permitted"),
      (ExitCode.badSettings, "the settings have mistakes; those in force stay"),
      (ExitCode.interrupted, "interrupted by Ctrl-C"),
    ].map { ("\($0 < 10 ? " " : "")\($0)", $1) },
    closing: [])

  private static let times = HelpTopic(
    name: "times", summary: "how times are written and shown",
    introduction:
      "Times are shown in the zone of the team they belong to, in JSON as RFC 3339 in UTC. Every command reads them alike; without a team they go by UTC:",
    entries: [
      ("now", "this moment"),
      ("today, tomorrow, yesterday", "a day of the team's calendar, its first moment where a time is wanted"),
      ("mon, friday", "the next day of this name, today not counted"),
      ("tomorrow 18:00, mon 07:00", "a time of the team's clocks on that day"),
      ("07:00, 6:30am, 6 PM", "that time today; every time of day may be written so"),
      (
        "+2h, -7d",
        "so long from now, or ago: s, m, h, d or w; days and weeks keep the clock time. --since and --until take "
          + "2h and 7d, too: ago, and from now"
      ),
      ("2026-03-02", "a day of the team's calendar"),
      ("2026-03-02 07:00", "a time of the team's clocks"),
      ("2026-03-02T07:00:00-07:00", "RFC 3339 with an offset or Z"),
      ("Mon..Fri 07:00", "a calendar expression, as systemd writes them: see `pfctl help calendar`"),
    ],
    closing: [
      "A clock time that does not exist runs at the first instant after the gap; one that comes twice runs the first "
        + "time. `pfctl next` says so beside the slot."
    ])

  private static let formats = HelpTopic(
    name: "formats", summary: "tables, --plain and --json",
    introduction: "Data goes to standard output, words to standard error.",
    entries: [
      ("table", "sized to the terminal; whole where the output is none"),
      ("--plain", "the same rows with a tab between cells: no heading, no colour, nothing cut"),
      ("--json", "one document whose field `schema` names it, such as pfctl.list/1; fields are only ever added"),
      ("--json=FIELD,…", "only these fields, in this order: of a list each row's, else the document's"),
      ("--no-legend", "no headings and no closing words"),
      (
        "-q, --quiet",
        "only what was asked for: tables, answers, warnings and errors; of what was done not a word, no progress"
      ),
      ("--color", "colours are auto, always or never; NO_COLOR and TERM=dumb turn them off"),
      ("PAGER", "longer output than the terminal goes through $PAGER, or less; --no-pager turns it off"),
    ],
    closing: [
      "With --json an error is one document on standard error: schema pfctl.error/1, error (a name that stays), "
        + "message, exit_code. Control characters in names are written out as \\u{1B}.",
      "`pfctl help errors` has the names of errors, `pfctl help schema` a JSON Schema of every document.",
    ])

  func show(on console: Console) {
    for line in TextFormat.wrapped(introduction, width: HelpText.width) { console.line(line) }
    HelpText.columns(entries, on: console)
    for line in closing.flatMap({ TextFormat.wrapped($0, width: HelpText.width) }) { console.line(line) }
  }
}

/// Help in columns of readable width.
enum HelpText {
  static let width = 76
  /// A longer term gets a line of its own.
  private static let maxTermWidth = 40

  /// Prints terms and their meanings in two columns.
  static func columns(_ rows: [(word: String, meaning: String)], on console: Console) {
    let left = rows.map(\.word.count).max() ?? 0
    if left > maxTermWidth {
      for row in rows {
        console.line("  \(row.word)")
        for line in TextFormat.wrapped(row.meaning, width: width - 6) { console.line("      \(line)") }
      }
      return
    }
    for row in rows {
      let lines = TextFormat.wrapped(row.meaning, width: max(width - left - 4, 32))
      for (index, line) in lines.enumerated() {
        let word = index == 0 ? row.word : ""
        console.line("  \(word)\(String(repeating: " ", count: left - word.count + 2))\(line)")
      }
    }
  }
}
