internal import FlowControl
internal import FlowModel
internal import Glibc

/// Asks for confirmation before something irreversible.
package enum Confirmation {
  package static let option = CommandDescription.Option("yes", nil, "do not ask")

  /// Returns only if the answer is yes.
  ///
  /// - Parameter text: a complete question, such as `Forget 3 dead letters?`
  /// - Throws: `CommandFailure` if the answer is no or standard input is not a terminal.
  package static func ask(_ text: String, _ arguments: Arguments, _ console: Console) throws(CommandFailure) {
    if arguments.has(option.name) { return }
    guard isatty(STDIN_FILENO) == 1, !console.isJSON else {
      throw .usage("\(text) pfctl cannot ask without a terminal; add --yes to confirm")
    }
    console.prompt("\(text) [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure(name: "declined", message: "nothing was changed", exitCode: ExitCode.declined)
    }
  }

  /// For commands that delete data: the name must be typed, so that a habitual yes does not confirm.
  ///
  /// - Parameters:
  ///   - name: the name to be typed.
  ///   - text: the request, such as `Type the name of the team to clear it`.
  /// - Returns: the name from `--confirm` or as typed.
  /// - Throws: `CommandFailure` if the name differs or standard input is not a terminal.
  package static func typed(
    _ name: String, _ text: String, _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) -> String {
    let typed: String
    if let given = arguments["confirm"] {
      typed = given
    } else {
      guard isatty(STDIN_FILENO) == 1, !console.isJSON else {
        throw .usage("pfctl cannot ask without a terminal; add --confirm \(visible(name)) to confirm")
      }
      console.prompt("\(text): ")
      typed = readLine() ?? ""
    }
    guard typed == name else {
      throw CommandFailure(
        name: "declined", message: "'\(visible(typed))' is not \(visible(name)); nothing was changed",
        exitCode: ExitCode.declined)
    }
    return typed
  }
}
