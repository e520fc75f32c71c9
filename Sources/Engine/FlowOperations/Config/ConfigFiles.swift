package import FlowCommandKit
internal import FlowControl
internal import FlowModel
package import FlowSettings
internal import FlowWork

/// The settings files on disk, as commands read them, and the output of mistakes.
package enum ConfigFiles {
  static let option = CommandDescription.Option(
    "config", "FILE", "the settings file; default: poolflow.conf in $CONFIGURATION_DIRECTORY or /etc/poolflow")

  static func read(_ arguments: Arguments, _ session: Session) throws -> SettingsReading {
    try read(path: arguments["config"], session)
  }

  package static func read(path: String?, _ session: Session) throws -> SettingsReading {
    do {
      return try SettingsReading(
        configPath: path, environment: session.environment, terminal: false, catalogue: session.catalogue.jobs.every)
    } catch {
      throw CommandFailure.noInput(error.description)
    }
  }

  /// Prints every mistake.
  ///
  /// - Throws: `CommandFailure` with exit code 78 if there is any mistake.
  package static func refuseMistakes(of reading: SettingsReading, _ console: Console) throws {
    guard !reading.problems.isEmpty else { return }
    for problem in reading.problems { tell("\(problem)", console) }
    let count = TextFormat.count(reading.problems.count, "mistake")
    throw CommandFailure(
      name: "bad-settings", message: "\(count) in the settings; a running daemon keeps its effective settings",
      exitCode: ExitCode.badSettings)
  }

  /// Prints a mistake, with its caret line, to standard error.
  static func tell(_ text: String, _ console: Console) {
    for line in text.split(separator: "\n") { console.words(visible(String(line))) }
  }

  /// The folder of a file, without a slash at its end; `.` for a plain name.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
