internal import PoolControl
internal import PoolModel

/// `pfctl completion`: prints a completion script for a shell.
enum CompletionCommand: Command {
  static let description = CommandDescription(
    "completion", "a script that teaches a shell to complete pfctl's commands, teams and jobs",
    operands: [.init("bash|zsh|fish"), .init("WORD", .any)],
    details: [
      "bash: put it at /usr/share/bash-completion/completions/pfctl, or source it. zsh: as _pfctl in a folder of $fpath.",
      "fish: at ~/.config/fish/completions/pfctl.fish. The scripts ask `pfctl completion words -- WORD…` for what fits.",
    ], examples: ["pfctl completion bash", "pfctl completion words -- team show ''"])

  static let documents: [JSONDocument] = []

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let shell = arguments.operand(0) ?? ""
    if shell == "words" { return answer(Array(arguments.operands.dropFirst()), session) }
    guard let script = CompletionScripts.all[shell], arguments.operands.count == 1 else {
      throw CommandFailure.usage("there are scripts for bash, zsh and fish, not for '\(visible(shell))'")
    }
    for line in script.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      console.line(String(line))
    }
  }

  private static func answer(_ words: [String], _ session: Session) {
    let names = CompletionNames(session)
    switch Completion(names: { names.candidates($0) }).answer(words) {
    case .files: session.console.line(":files")
    case .words(let candidates):
      for candidate in candidates {
        let summary = candidate.summary.isEmpty ? "" : "\t" + visible(candidate.summary)
        session.console.line(visible(candidate.word) + summary)
      }
    }
  }
}
