internal import PoolControl
import PoolJobs
internal import PoolModel
internal import PoolSettings
import PoolWork

/// `pfctl config check`: every mistake in the settings on disk; needs no daemon.
enum ConfigCheckCommand: Command {
  static let description = CommandDescription(
    "config check", "every mistake in the settings on disk; needs no daemon", options: [ConfigFiles.option],
    details: ["Exits with 78 where there is a mistake, so that a script can stop before a reload."],
    examples: ["pfctl config check", "pfctl config check --config poolflow.conf"])

  private struct Answer: Encodable {
    struct Problem: Encodable {
      let file: String
      let line: Int
      let column: Int
      let message: String
      let suggestion: String?
    }

    let path: String
    let files: [String]
    let problems: [Problem]
  }

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reading = try ConfigFiles.read(arguments, session)
    let console = session.console
    if console.isJSON {
      try console.document(
        "config-check",
        Answer(
          path: reading.path, files: reading.files,
          problems: reading.problems.map {
            Answer.Problem(
              file: $0.file, line: $0.line, column: $0.column, message: $0.message, suggestion: $0.suggestion)
          }))
    }
    try ConfigFiles.refuseMistakes(of: reading, console)
    guard !console.isJSON else { return }
    for file in reading.files { console.line("\(visible(file)): no mistake") }
    if reading.files.isEmpty { console.line("there is no \(visible(reading.path)); the defaults hold") }
  }
}

/// What the `config` commands share: which files they read, and how mistakes are told.
enum ConfigFiles {
  static let option = CommandDescription.Option(
    "config", "FILE", "the settings to read; those of $CONFIGURATION_DIRECTORY or /etc/poolflow without it")

  static func read(_ arguments: Arguments, _ session: Session) throws -> SettingsReading {
    try read(path: arguments["config"], session)
  }

  static func read(path: String?, _ session: Session) throws -> SettingsReading {
    do {
      return try SettingsReading(configPath: path, environment: session.environment, terminal: false, catalogue: .pools)
    } catch {
      throw CommandFailure.noInput(error.description)
    }
  }

  /// - Throws: `CommandFailure` with exit code 78 once every mistake is told.
  static func refuseMistakes(of reading: SettingsReading, _ console: Console) throws {
    guard !reading.problems.isEmpty else { return }
    for problem in reading.problems { tell("\(problem)", console) }
    let count = Wording.count(reading.problems.count, "mistake")
    throw CommandFailure(
      name: "bad-settings", message: "\(count) in the settings; what a daemon has in force is not touched",
      exitCode: ExitCode.badSettings)
  }

  /// Mistakes with carets, as lines of standard error.
  static func tell(_ text: String, _ console: Console) {
    for line in text.split(separator: "\n") { console.words(visible(String(line))) }
  }
}
