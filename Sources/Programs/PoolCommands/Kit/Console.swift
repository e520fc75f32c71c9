internal import FoundationEssentials
internal import Glibc
internal import PoolControl
internal import PoolModel

/// Where a command writes: data to standard output, words to standard error. Nothing else in `pfctl` writes to either.
///
/// It is also the last gate before a terminal: whatever a command lets through, what could steer the terminal is written
/// out here. Into a file or a pipe machines' formats go byte by byte as they are.
final class Console {
  enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  let isJSON: Bool
  /// What the command may write with `--json`, and which fields of it are wanted; nil for all.
  private let documents: [JSONDocument]
  private let selection: FieldSelection?
  private var leavesDocumentsOut = false
  let hasLegend: Bool
  let isQuiet: Bool
  /// Nobody wants to hear that it was done.
  private let isSilent: Bool
  /// Rows for a script: every column, in an order that stays.
  let isPlain: Bool
  /// A person reads standard output, and nothing keeps it.
  let outputIsTerminal: Bool
  private let notesAreTerminal: Bool
  /// True where somebody watches standard error, and no program reads the answer.
  let showsProgress: Bool
  /// Columns of the terminal at standard error.
  let notesWidth: Int
  /// Columns of the terminal at standard output; nil where it is none, and nothing is cut.
  let width: Int?
  private let colorsOutput: Bool
  private let colorsNotes: Bool
  private var output: [UInt8] = []
  /// Lines of the terminal; nil where nothing is paged.
  private let pageHeight: Int?
  private let environment: [String: String]
  private var heldLines = 0
  private var wroteDirectly = false
  private var pager: Pager?
  /// Words that wait until the pager has given the terminal back.
  private var heldWords = ""
  private(set) var outputFailed = false

  init(
    arguments: Arguments?, environment: [String: String], json: Bool = false
  ) throws(CommandFailure) {
    isJSON = arguments?.has("json") ?? json
    documents = arguments?.command.documents ?? []
    selection = try arguments.flatMap { arguments throws(CommandFailure) in
      try FieldSelection(arguments["json"], of: arguments.command)
    }
    hasLegend = !(arguments?.has("no-legend") ?? false)
    isQuiet = arguments?.has("quiet") ?? false
    isSilent = isQuiet && arguments.map { $0.command.description.tellsOnlySuccess && !$0.has("dry-run") } ?? false
    isPlain = arguments?.has("plain") ?? false
    self.environment = environment
    outputIsTerminal = isatty(STDOUT_FILENO) == 1
    notesAreTerminal = isatty(STDERR_FILENO) == 1
    let isDumb = environment["TERM"] == "dumb"
    showsProgress = notesAreTerminal && !isDumb && !isJSON && !isPlain && !isQuiet
    notesWidth = Self.terminalWidth(environment, STDERR_FILENO)
    width = outputIsTerminal && !isPlain ? Self.terminalWidth(environment, STDOUT_FILENO) : nil
    let isPaged = outputIsTerminal && !isDumb && !isJSON && !isPlain && !(arguments?.has("no-pager") ?? true)
    pageHeight = isPaged ? Self.terminalHeight(environment) : nil
    let allowed = !isDumb && (environment["NO_COLOR"] ?? "").isEmpty
    switch arguments?["color"] ?? "auto" {
    case "auto":
      colorsOutput = outputIsTerminal && allowed && !isPlain
      colorsNotes = notesAreTerminal && allowed
    case "always":
      colorsOutput = true
      colorsNotes = true
    case "never":
      colorsOutput = false
      colorsNotes = false
    case let other: throw .usage("--color is auto, always or never, not '\(visible(other))'")
    }
  }

  private static func terminalWidth(_ environment: [String: String], _ descriptor: Int32) -> Int {
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }

  private static func terminalHeight(_ environment: [String: String]) -> Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 { return Int(size.ws_row) }
    return environment["LINES"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 24
  }

  // MARK: Data

  /// One line of data, left out with `--quiet` where it tells of success alone. In tables and sentences names were made
  /// visible already; a file's own lines go as they are where no terminal shows them.
  func line(_ text: String = "") { if !isSilent { finding(text) } }

  /// The same, whatever came of it: a warning, a damage.
  func finding(_ text: String) {
    output.append(contentsOf: (outputIsTerminal ? shownOnTerminal(text, colours: colorsOutput) : text).utf8)
    output.append(10)
    heldLines += 1
    if let pageHeight, heldLines >= pageHeight, pager == nil, !wroteDirectly {
      pager = Pager.command(environment).flatMap { Pager($0, environment: environment) }
    }
    if output.count > 64 << 10 { flush() }
  }

  /// One JSON document of those that the command declares, with its schema's name, `pfctl.NAME/1`; a line or a whole.
  func document(_ name: String, _ body: some Codable) throws {
    guard !leavesDocumentsOut else { return }
    guard let document = documents.first(where: { $0.name == name }) else {
      throw JSONDocument.NotDeclared(name: name, type: "\(type(of: body))")
    }
    output.append(contentsOf: try document.bytes(of: body, selection))
    output.append(10)
  }

  func table(_ table: Table) {
    if isSilent { return }
    if isPlain {
      for text in table.plainLines { line(text) }
      return
    }
    let (lines, hidden) = table.fitted(to: width, heading: hasLegend, paint: paint)
    for text in lines { line(text) }
    guard !hidden.isEmpty else { return }
    legend(
      "hidden at this width: \(hidden.map { $0.lowercased() }.joined(separator: ", ")); --plain or a wider terminal "
        + "shows \(hidden.count == 1 ? "it" : "them")")
  }

  func paint(_ text: String, _ style: Style?) -> String {
    guard colorsOutput, let style, !text.isEmpty else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// Does what would write a document, without it: another one tells what it did.
  func withoutDocuments<Result>(_ body: () throws -> Result) rethrows -> Result {
    let count = output.count
    leavesDocumentsOut = true
    defer {
      output.removeLast(max(0, output.count - count))
      leavesDocumentsOut = false
    }
    return try body()
  }

  /// Hands everything to standard output.
  func flush() {
    var rest = output[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(pager?.input ?? STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // A reader who quits the pager has read enough.
        if pager == nil { outputFailed = true }
        break
      }
    }
    if pager == nil, !output.isEmpty { wroteDirectly = true }
    output = []
  }

  /// The last flush: waits for the pager's reader, then says what was kept back.
  func finish() {
    flush()
    pager?.finish()
    pager = nil
    if !heldWords.isEmpty { tell(heldWords) }
    heldWords = ""
  }

  private func say(_ text: String) {
    flush()
    if pager == nil { tell(text) } else { heldWords += text }
  }

  // MARK: Words

  /// A remark for a person; left out with `--json`, `--no-legend` and `--quiet`.
  func legend(_ text: String) {
    guard hasLegend, !isQuiet, !isJSON else { return }
    say(text + "\n")
  }

  /// Words that no option leaves out, but JSON has as data.
  func words(_ text: String) {
    guard !isJSON else { return }
    say(text + "\n")
  }

  /// A question at the terminal, its answer on the same line.
  func prompt(_ text: String) {
    flush()
    tell(text)
  }

  /// Says why the command failed, and on a line of its own what else did not work.
  func failure(
    _ name: String, _ message: String, second: String? = nil, facts: [String: String] = [:], exitCode: Int32
  ) {
    let sentences = [message] + (second.map { [$0] } ?? [])
    finish()
    guard isJSON else {
      let mark = colorsNotes ? "\u{1B}[31mpfctl:\u{1B}[0m " : "pfctl: "
      return tell(sentences.map { mark + visible($0) + "\n" }.joined())
    }
    let report = FailureReport(
      error: name, message: sentences.joined(separator: "; "), facts: facts.isEmpty ? nil : facts, exitCode: exitCode)
    // A report of strings always has a JSON form.
    let bytes = (try? Envelope.document("pfctl.error/1", report, pretty: false)) ?? []
    tell(String(decoding: bytes, as: UTF8.self) + "\n")
  }

  /// Replaces the line of progress; an empty text removes it.
  func progress(_ text: String) {
    guard showsProgress else { return }
    tell(text, after: "\r\u{1B}[K")
  }

  /// - Parameter start: our own, for the terminal to obey.
  private func tell(_ text: String, after start: String = "") {
    let bytes = Array((start + (notesAreTerminal ? shownOnTerminal(text, colours: colorsNotes) : text)).utf8)
    // Nobody is left to tell when standard error is closed.
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// Why a command failed, for programs.
struct FailureReport: Codable {
  let error: String
  let message: String
  let facts: [String: String]?
  let exitCode: Int32

  enum CodingKeys: String, CodingKey {
    case error, message, facts
    case exitCode = "exit_code"
  }
}
