internal import FlowControl
internal import FlowModel

/// Writes a page that the daemon rendered to a file or to standard output. `--json` prints it as a document in both cases.
package enum ReportOutput {
  package static func show(_ text: String, named name: String, asked arguments: Arguments, on console: Console) throws {
    if let path = arguments["output"] {
      try OutputFile.write(text, to: path)
      guard console.isJSON else { return console.note("written to '\(visible(path))'") }
    }
    if console.isJSON { return try console.document(name, Answer(text: text)) }
    // Split by bytes: in Swift, the CR LF of an iCalendar line is a single `Character`.
    for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
      console.line(String(decoding: line, as: UTF8.self))
    }
  }

  /// Refuses `--output` for text formats, which are drawn for a terminal.
  package static func refuseFile(of arguments: Arguments) throws(CommandFailure) {
    guard arguments["output"] != nil else { return }
    throw .usage("--output needs --format svg or html; text goes to standard output, which the shell can redirect")
  }

  /// The JSON document of a page.
  package struct Answer: Codable {
    package let text: String
  }
}
