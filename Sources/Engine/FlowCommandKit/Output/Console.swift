internal import FlowControl
internal import FlowModel
internal import FoundationEssentials
internal import Glibc

/// The output of a command: data to standard output, messages to standard error. No other code in `pfctl` writes to either.
///
/// On a terminal, every control character is escaped, so that no text from the store can steer the terminal. Machine formats
/// written to a file or a pipe stay byte for byte.
package final class Console {
  /// ANSI text attributes.
  package enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  package let isJSON: Bool
  /// The documents that the command may write with `--json`, and the selected fields; nil selects all.
  private let documents: [JSONDocument]
  private let selection: FieldSelection?
  private var suppressesDocuments = false
  let hasLegend: Bool
  package let isQuiet: Bool
  /// `--quiet`: success messages are dropped.
  private let omitsSuccess: Bool
  /// Tables for a script: tab-separated, every column, in a fixed order.
  package let isPlain: Bool
  /// True if standard output is a terminal.
  package let outputIsTerminal: Bool
  private let notesAreTerminal: Bool
  /// True if standard error is a terminal and no program reads the answer.
  package let showsProgress: Bool
  /// The width in columns of the terminal at standard error.
  let notesWidth: Int
  /// The width in columns of the terminal at standard output; nil if it is not a terminal, and then nothing is cut.
  package let width: Int?
  private let colorsOutput: Bool
  private let colorsNotes: Bool
  private var output: [UInt8] = []
  /// The height in lines of the terminal; nil disables the pager.
  private let pageHeight: Int?
  private let environment: [String: String]
  private var bufferedLines = 0
  private var wroteDirectly = false
  private var pager: Pager?
  /// Messages held back until the pager has released the terminal.
  private var bufferedNotes = ""
  private(set) var outputFailed = false

  package init(
    arguments: Arguments?, environment: [String: String], json: Bool = false
  ) throws(CommandFailure) {
    isJSON = arguments?.has("json") ?? json
    documents = arguments?.command.documents ?? []
    selection = try arguments.flatMap { arguments throws(CommandFailure) in
      try FieldSelection(arguments["json"], of: arguments.command)
    }
    hasLegend = !(arguments?.has("no-legend") ?? false)
    isQuiet = arguments?.has("quiet") ?? false
    omitsSuccess = isQuiet && arguments.map { $0.command.description.printsOnlySuccess && !$0.has("dry-run") } ?? false
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

  /// Writes one line of data; `--quiet` drops it for commands that only report success. Tables and sentences have escaped names
  /// already; raw lines are escaped only for a terminal.
  package func line(_ text: String = "") { if !omitsSuccess { finding(text) } }

  /// Writes one line of data that `--quiet` never drops, such as a warning or a damage report.
  package func finding(_ text: String) {
    output.append(contentsOf: (outputIsTerminal ? terminalText(text, colours: colorsOutput) : text).utf8)
    output.append(10)
    bufferedLines += 1
    if let pageHeight, bufferedLines >= pageHeight, pager == nil, !wroteDirectly {
      pager = Pager.command(environment).flatMap { Pager($0, environment: environment) }
    }
    if output.count > 64 << 10 { flush() }
  }

  /// Writes a JSON document that the command declares, with its schema name `pfctl.NAME/1`, pretty-printed or as one line.
  package func document(_ name: String, _ body: some Codable) throws {
    guard !suppressesDocuments else { return }
    guard let document = documents.first(where: { $0.name == name }) else {
      throw JSONDocument.NotDeclared(name: name, type: "\(type(of: body))")
    }
    output.append(contentsOf: try document.bytes(of: body, selection))
    output.append(10)
  }

  package func table(_ table: Table) {
    if omitsSuccess { return }
    if isPlain {
      for text in table.plainLines { line(text) }
      return
    }
    let (lines, hidden) = table.fitted(to: width, heading: hasLegend, paint: paint)
    for text in lines { line(text) }
    guard !hidden.isEmpty else { return }
    note(
      "hidden at this width: \(hidden.map { $0.lowercased() }.joined(separator: ", ")); --plain or a wider terminal "
        + "shows \(hidden.count == 1 ? "it" : "them")")
  }

  package func paint(_ text: String, _ style: Style?) -> String {
    guard colorsOutput, let style, !text.isEmpty else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// Runs `body` without its JSON document; the caller writes its own instead.
  package func suppressingDocuments<Result>(_ body: () throws -> Result) rethrows -> Result {
    let count = output.count
    suppressesDocuments = true
    defer {
      output.removeLast(max(0, output.count - count))
      suppressesDocuments = false
    }
    return try body()
  }

  /// Writes the buffered output to standard output.
  package func flush() {
    var rest = output[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(pager?.input ?? STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // A reader who quits the pager is not a write error.
        if pager == nil { outputFailed = true }
        break
      }
    }
    if pager == nil, !output.isEmpty { wroteDirectly = true }
    output = []
  }

  /// The last flush: waits for the pager to exit, then writes the messages held back.
  package func finish() {
    flush()
    pager?.finish()
    pager = nil
    if !bufferedNotes.isEmpty { writeToStandardError(bufferedNotes) }
    bufferedNotes = ""
  }

  private func writeNote(_ text: String) {
    flush()
    if pager == nil { writeToStandardError(text) } else { bufferedNotes += text }
  }

  // MARK: Messages

  /// Writes a note for a person; dropped with `--json`, `--no-note` and `--quiet`.
  package func note(_ text: String) {
    guard hasLegend, !isQuiet, !isJSON else { return }
    writeNote(text + "\n")
  }

  /// Writes a message to standard error that no option drops except `--json`, where the data holds the same information.
  package func words(_ text: String) {
    guard !isJSON else { return }
    writeNote(text + "\n")
  }

  /// Prints a question; the answer is typed on the same line.
  package func prompt(_ text: String) {
    flush()
    writeToStandardError(text)
  }

  /// Prints why the command failed and, on a second line, `secondMessage`.
  package func failure(
    _ name: String, _ message: String, secondMessage: String? = nil, facts: [String: String] = [:], exitCode: Int32
  ) {
    let sentences = [message] + (secondMessage.map { [$0] } ?? [])
    finish()
    guard isJSON else {
      let mark = colorsNotes ? "\u{1B}[31mpfctl:\u{1B}[0m " : "pfctl: "
      return writeToStandardError(sentences.map { mark + visible($0) + "\n" }.joined())
    }
    let report = FailureReport(
      error: name, message: sentences.joined(separator: "; "), facts: facts.isEmpty ? nil : facts, exitCode: exitCode)
    // A report of strings can always be encoded as JSON.
    let bytes = (try? Envelope.document("pfctl.error/1", report, pretty: false)) ?? []
    writeToStandardError(String(decoding: bytes, as: UTF8.self) + "\n")
  }

  /// Replaces the progress line; an empty text removes it.
  package func progress(_ text: String) {
    guard showsProgress else { return }
    writeToStandardError(text, after: "\r\u{1B}[K")
  }

  /// - Parameter start: trusted control sequences, written unescaped before the text.
  private func writeToStandardError(_ text: String, after start: String = "") {
    let bytes = Array((start + (notesAreTerminal ? terminalText(text, colours: colorsNotes) : text)).utf8)
    // If standard error is closed, the error cannot be reported anywhere.
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// The JSON form of a failure.
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
