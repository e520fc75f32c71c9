package import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowSettings
import FlowWork

/// `pfctl config check`: lists every mistake in the settings files; needs no daemon.
package enum ConfigCheckCommand: Command {
  package static let description = CommandDescription(
    "config check", "list every mistake in the settings on disk; needs no daemon", options: [ConfigFiles.option],
    details: [
      "Exits with 78 if there is a mistake, so that a script can stop before a reload.",
      "If the daemon runs and --config is not given, the daemon checks the files as at a reload, too: only it can see "
        + "whether the credentials that sinks sign with exist. The command then also lists teams in post.conf that do "
        + "not exist.",
    ],
    examples: ["pfctl config check", "pfctl config check --config poolflow.conf"])

  /// The JSON document of `pfctl config check`.
  private struct Answer: Codable {
    /// A mistake with its position.
    struct Problem: Codable {
      let file: String
      let line: Int
      let column: Int
      let message: String
      let suggestion: String?
    }

    let path: String
    let files: [String]
    let problems: [Problem]
    /// One sentence for each setting that is valid but probably not intended.
    let warnings: [String]?
  }

  package static let documents: [JSONDocument] = [.init("config-check", Answer.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let reading = try ConfigFiles.read(arguments, session)
    let console = session.console
    // Computed before any output, so that `--json` prints a single document.
    let refusal = reading.problems.isEmpty && arguments["config"] == nil ? daemonsRefusal(of: reading, session) : nil
    if let refusal, console.isJSON { throw refusal }
    let warnings = BoardTeamCheck.warnings(beside: reading.path, session)
    if console.isJSON {
      try console.document(
        "config-check",
        Answer(
          path: reading.path, files: reading.files,
          problems: reading.problems.map {
            Answer.Problem(
              file: $0.file, line: $0.line, column: $0.column, message: $0.message, suggestion: $0.suggestion)
          }, warnings: warnings.isEmpty ? nil : warnings))
    }
    try ConfigFiles.refuseMistakes(of: reading, console)
    guard !console.isJSON else { return }
    if let refusal {
      ConfigFiles.tell(refusal.facts["problems"] ?? "", console)
      throw refusal
    }
    for file in reading.files { console.line("\(visible(file)): no mistake") }
    for warning in warnings { console.words("! \(visible(warning))") }
    if reading.files.isEmpty { console.line("\(visible(reading.path)) does not exist; the defaults apply") }
  }
}

extension ConfigCheckCommand {
  /// The error with which the running daemon would refuse these files; nil if it accepts them or no daemon reads them.
  private static func daemonsRefusal(of reading: SettingsReading, _ session: Session) -> ControlError? {
    do {
      let daemon = try session.runningDaemon()
      guard try daemon.ask(DaemonCall.Settings()).path == reading.path else { return nil }
      _ = try daemon.ask(DaemonCall.CheckSettings())
    } catch let error as ControlError where error.kind == .badSettings {
      return error
    } catch {
      // No daemon is running, or its version does not know this call.
    }
    return nil
  }
}
