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
  private var documents: CommandDocuments
  let hasLegend: Bool
  package let isQuiet: Bool
  /// `--quiet`: success messages are dropped.
  private let omitsSuccess: Bool
  /// Tables for a script: tab-separated, every column, in a fixed order.
  package let isPlain: Bool
  private let output: TerminalStream
  private let notes: TerminalStream
  /// True if standard error is a terminal and no program reads the answer.
  package let showsProgress: Bool
  private var buffer: [UInt8] = []
  private var paging: Paging
  private(set) var outputFailed = false

  /// True if standard output is a terminal.
  package var outputIsTerminal: Bool { output.isTerminal }
  /// The width in columns of the terminal at standard output; nil if nothing is cut, as for a file, a pipe or `--plain`.
  package var width: Int? { output.isTerminal && !isPlain ? output.width : nil }
  /// The width in columns of the terminal at standard error.
  var notesWidth: Int { notes.width }

  package init(
    arguments: Arguments?, environment: [String: String], json: Bool = false
  ) throws(CommandFailure) {
    isJSON = arguments?.has("json") ?? json
    documents = try CommandDocuments(arguments)
    hasLegend = !(arguments?.has("no-legend") ?? false)
    isQuiet = arguments?.has("quiet") ?? false
    omitsSuccess = isQuiet && arguments.map { $0.command.description.printsOnlySuccess && !$0.has("dry-run") } ?? false
    isPlain = arguments?.has("plain") ?? false
    let color = try TerminalStream.Color(arguments?["color"] ?? "auto")
    output = TerminalStream(STDOUT_FILENO, environment, color, isPlain: isPlain)
    notes = TerminalStream(STDERR_FILENO, environment, color, isPlain: false)
    let isDumb = environment["TERM"] == "dumb"
    showsProgress = notes.isTerminal && !isDumb && !isJSON && !isPlain && !isQuiet
    let isPaged = output.isTerminal && !isDumb && !isJSON && !isPlain && !(arguments?.has("no-pager") ?? true)
    paging = Paging(height: isPaged ? output.height : nil, environment: environment)
  }

  // MARK: Data

  /// Writes one line of data; `--quiet` drops it for commands that only report success. Tables and sentences have escaped names
  /// already; raw lines are escaped only for a terminal.
  package func line(_ text: String = "") { if !omitsSuccess { finding(text) } }

  /// Writes one line of data that `--quiet` never drops, such as a warning or a damage report.
  package func finding(_ text: String) {
    buffer.append(contentsOf: output.escaped(text).utf8)
    buffer.append(10)
    paging.count()
    if buffer.count > 64 << 10 { flush() }
  }

  /// Writes a JSON document that the command declares, with its schema name `pfctl.NAME/1`, pretty-printed or as one line.
  package func document(_ name: String, _ body: some Codable) throws {
    guard let bytes = try documents.bytes(name, body) else { return }
    buffer.append(contentsOf: bytes)
    buffer.append(10)
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
    guard output.showsColors, let style, !text.isEmpty else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// Runs `body` without its JSON document; the caller writes its own instead.
  package func suppressingDocuments<Result>(_ body: () throws -> Result) rethrows -> Result {
    let count = buffer.count
    documents.areSuppressed = true
    defer {
      buffer.removeLast(max(0, buffer.count - count))
      documents.areSuppressed = false
    }
    return try body()
  }

  /// Writes the buffered output to standard output.
  package func flush() {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(paging.pager?.input ?? STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // A reader who quits the pager is not a write error.
        if paging.pager == nil { outputFailed = true }
        break
      }
    }
    if paging.pager == nil, !buffer.isEmpty { paging.wroteDirectly = true }
    buffer = []
  }

  /// The last flush: waits for the pager to exit, then writes the messages held back.
  package func finish() {
    flush()
    let held = paging.finish()
    if !held.isEmpty { writeToStandardError(held) }
  }

  private func writeNote(_ text: String) {
    flush()
    if paging.pager == nil { writeToStandardError(text) } else { paging.heldNotes += text }
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
      let mark = notes.showsColors ? "\u{1B}[31mpfctl:\u{1B}[0m " : "pfctl: "
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
    let bytes = Array((start + notes.escaped(text)).utf8)
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
