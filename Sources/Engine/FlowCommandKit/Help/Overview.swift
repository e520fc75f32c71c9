internal import FlowControl

/// `pfctl` without arguments: the most common commands and where to find the rest, on at most fifteen lines.
enum Overview: Command {
  static let description = CommandDescription("", "the most used commands, and where to find the others")

  static let documents = HelpCommand.documents

  /// The beginnings of command lines, each with its purpose.
  static let commands: [(line: String, summary: String)] = [
    ("setup", "set up a team: its pools, its morning time, who gets which notices"),
    ("status", "how the daemon is doing"),
    ("list", "every job with its next and last run"),
    ("why JOB", "why it ran, did not run, or sent nothing"),
    ("digest", "the morning summary as it would be sent"),
    ("pool list", "the pools of a team, by day and technician"),
    ("visit log POOL", "what was measured and poured"),
    ("backup create", "back up the store now"),
    ("doctor", "find problems, and show what to do about them"),
  ]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    if console.isJSON { return try HelpCommand.document(CommandCatalogue.descriptions, on: console) }
    console.line("pfctl schedules, inspects and explains the work of poolflowd.")
    console.line()
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
