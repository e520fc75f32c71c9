internal import Glibc
internal import PoolControl

/// Asks before something is done that cannot be undone.
enum Question {
  static let option = CommandDescription.Option("yes", nil, "do not ask")

  /// Returns only where the answer is yes.
  ///
  /// - Parameter text: a whole question, such as `Forget 3 dead letters?`
  /// - Throws: `CommandFailure` where the answer is no, or where nobody can be asked.
  static func ask(_ text: String, _ arguments: Arguments, _ console: Console) throws(CommandFailure) {
    if arguments.has(option.name) { return }
    guard isatty(STDIN_FILENO) == 1, !console.isJSON else {
      throw .usage("\(text) Nobody can be asked here; say --yes if that is meant")
    }
    console.prompt("\(text) [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure(name: "declined", message: "nothing was changed", exitCode: ExitCode.attention)
    }
  }
}
