internal import Glibc
internal import PoolControl

/// A question before something that cannot be taken back.
enum Confirmation {
  static let option = CommandDescription.Option("yes", nil, "do it without asking")

  /// - Throws: exit 64 where nobody can be asked, 75 where the answer was not yes.
  static func ask(_ question: String, _ arguments: Arguments, _ session: Session) throws(CommandFailure) {
    if arguments.has("yes") { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw .usage("`pfctl \(arguments.command.description.name)` asks first, and nobody is there to answer: add --yes")
    }
    session.console.words("\(question) [y/N]")
    let answer = readLine()?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure(name: "declined", message: "nothing was changed", exitCode: ExitCode.tryAgain)
    }
  }
}
