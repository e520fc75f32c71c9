internal import FlowControl

/// A topic of `pfctl help` that is not a command; pfctl(1) prints the same text.
struct HelpTopic: Sendable {
  let name: String
  /// One line without a full stop.
  let summary: String
  let introduction: String
  /// Each term with its explanation.
  let entries: [(String, String)]
  let closing: [String]

  package static func all(_ catalogue: CommandCatalogue) -> [HelpTopic] {
    [topic(of: catalogue.grammar), exitCodes(catalogue.recordNames), errors(catalogue.interfaces), times, formats]
  }

  /// The names of these topics, and `schema` and `phrases`, which print data of their own.
  static let names = all(CommandCatalogue([])).map(\.name) + [SchemaHelp.word, PhraseHelp.word]

  private static func topic(of grammar: Grammar) -> HelpTopic {
    HelpTopic(
      name: "grammar", summary: "how commands are built, and what each of their words means",
      introduction:
        grammar.introduction,
      entries: grammar.rules.map { ($0.term, $0.meaning) } + grammar.verbs.map { ("NOUN \($0.word)", $0.meaning) }
        + grammar.shared.map { ($0.usage, $0.meaning) },
      closing: [
        "Other spellings are always accepted: route optimize, --catalog, --colour, and stock for inventory. The refusal of "
          + "a word of version 0.1 that changed names the new one."
      ])
  }

  /// The error names of the control interfaces and of pfctl itself.
  private static func errors(_ interfaces: InterfaceCatalogue) -> HelpTopic {
    HelpTopic(
      name: "errors", summary: "the names of errors, for programs",
      introduction:
        "With --json a failure is one document, whose field `error` has a name that never changes; a Varlink client gets "
        + "the same names. The exit code of pfctl is in brackets:",
      entries: interfaces.errors.map { ($0.kind.rawValue, "\(withoutFullStop($0.meaning)) [\($0.exitCode)]") }
        + CommandFailure.names.map { ($0.name, "\($0.meaning) [\($0.exitCode)]") },
      closing: ["Names without a dot are pfctl's own errors: it did not call the daemon, or the daemon did not answer."]
    )
  }

  private static func withoutFullStop(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  private static func exitCodes(_ records: String) -> HelpTopic {
    HelpTopic(
      name: "exit-codes", summary: "the exit codes of pfctl",
      introduction: "pfctl exits with the codes of sysexits.h, the same with and without --json:",
      entries: [
        (ExitCode.done, "done"),
        (
          ExitCode.attention,
          "done, but something needs attention: a finding of doctor, a warning of status --check, a backup that lacks a "
            + "team's archive"
        ),
        (ExitCode.critical, "status --check: critical"),
        (ExitCode.unknown, "status --check: unknown, because no daemon answers"),
        (ExitCode.declined, "you declined a question, or typed a wrong name: nothing was changed"),
        (ExitCode.usage, "wrong command line or value, or a name that matches several records"),
        (ExitCode.badData, "a file was refused because of its contents; nothing was changed"),
        (ExitCode.noInput, "a file does not exist or cannot be read"),
        (ExitCode.notFound, "not found: no such \(records) …"),
        (ExitCode.unavailable, "no daemon answers"),
        (ExitCode.internalFault, "an internal error of the daemon, or a run that failed"),
        (ExitCode.cannotCreate, "it exists already"),
        (ExitCode.inputOutput, "reading or writing failed"),
        (ExitCode.tryAgain, "busy, or no answer in time: try again"),
        (ExitCode.protocolMismatch, "the daemon and pfctl have different versions"),
        (ExitCode.notPermitted, "not permitted"),
        (ExitCode.badSettings, "the settings have mistakes; the daemon keeps its effective settings"),
        (ExitCode.interrupted, "interrupted by Ctrl-C"),
      ].map { ("\($0 < 10 ? " " : "")\($0)", $1) },
      closing: [])
  }

  private static let times = HelpTopic(
    name: "times", summary: "how times are written and shown",
    introduction:
      "Times are shown in the zone of the team they belong to, in JSON as RFC 3339 in UTC. Every command accepts these "
      + "forms; without a team they are in UTC:",
    entries: [
      ("now", "this moment"),
      ("today, tomorrow, yesterday", "a day in the team's zone; its beginning if a time is needed"),
      ("mon, friday", "the next day with this name, after today"),
      ("tomorrow 18:00, mon 07:00", "a time in the team's zone on that day"),
      ("07:00, 6:30am, 6 PM", "that time today; every time of day accepts these forms"),
      (
        "+2h, -7d",
        "this long from now, or ago: s, m, h, d or w; days and weeks keep the clock time. --since also accepts 7d for 7 "
          + "days ago, --until 2h for 2 hours from now"
      ),
      ("2026-03-02", "a day in the team's zone"),
      ("2026-03-02 07:00", "a time in the team's zone"),
      ("2026-03-02T07:00:00-07:00", "RFC 3339 with an offset or Z"),
      ("Mon..Fri 07:00", "a calendar expression in the syntax of systemd: see `pfctl help calendar`"),
    ],
    closing: [
      "A job whose clock time does not exist on a day runs right after the gap; if the time comes twice, the job runs "
        + "the first time. `pfctl next` shows this beside the slot."
    ])

  private static let formats = HelpTopic(
    name: "formats", summary: "tables, --plain and --json",
    introduction: "Data goes to standard output, messages to standard error.",
    entries: [
      ("table", "fitted to the terminal; complete if the output is not a terminal"),
      ("--plain", "the same rows, separated by tabs: no heading, no colour, nothing cut"),
      (
        "--json",
        "one document whose field `schema` names it, such as pfctl.list/1; later versions may add fields, but remove none"
      ),
      ("--json=FIELD,…", "only these fields, in this order: for a list those of each row, else those of the document"),
      ("--no-legend", "no headings and no closing notes"),
      (
        "-q, --quiet",
        "only requested data, warnings and errors: no success messages, no progress"
      ),
      ("--color", "when to use colours: auto, always or never; NO_COLOR and TERM=dumb turn them off"),
      ("PAGER", "output longer than the terminal is shown in $PAGER, or in less; --no-pager turns it off"),
    ],
    closing: [
      "With --json an error is one document on standard error: schema pfctl.error/1, error (a name that never changes), "
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
