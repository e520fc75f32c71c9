internal import FlowControl

/// `pfctl` without arguments: the most common commands and where to find the rest, on at most fifteen lines.
package enum Overview: Command {
  package static let description = CommandDescription("", "the most used commands, and where to find the others")

  package static let documents = HelpCommand.documents

  /// The beginning of a command line, with its purpose.
  package struct Line: Sendable {
    package let line: String
    package let summary: String

    package init(_ line: String, _ summary: String) { (self.line, self.summary) = (line, summary) }
  }

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    if console.isJSON { return try HelpCommand.document(session.catalogue.descriptions, on: console) }
    console.line("pfctl schedules, inspects and explains the work of poolflowd.")
    console.line()
    let commands = session.catalogue.overview
    let width = commands.map(\.line.count).max() ?? 0
    for command in commands {
      let padding = String(repeating: " ", count: width - command.line.count + 2)
      console.line("  \(console.paint("pfctl " + command.line, .bold))\(padding)\(command.summary)")
    }
    console.line()
    console.line("Every command: pfctl help. One of them: pfctl help COMMAND, or COMMAND --help.")
    console.line("How commands are built: pfctl help grammar. The manual: man pfctl.")
  }
}
