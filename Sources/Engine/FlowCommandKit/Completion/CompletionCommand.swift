internal import FlowControl
internal import FlowModel

/// `pfctl completion`: prints a completion script for a shell.
package enum CompletionCommand: Command {
  package static let description = CommandDescription(
    "completion", "print a shell script that completes pfctl's commands, teams and jobs",
    operands: [.init("bash|zsh|fish"), .init("WORD", .any)],
    details: [
      "bash: save it as /usr/share/bash-completion/completions/pfctl, or source it. zsh: save it as _pfctl in a folder "
        + "of $fpath.",
      "fish: save it as ~/.config/fish/completions/pfctl.fish. The scripts call `pfctl completion words -- WORD…` for "
        + "the possible next words.",
    ], examples: ["pfctl completion bash", "pfctl completion words -- team show ''"])

  package static let documents: [JSONDocument] = []

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let shell = arguments.operand(0) ?? ""
    if shell == "words" { return answer(Array(arguments.operands.dropFirst()), session) }
    guard let script = CompletionScripts.all[shell], arguments.operands.count == 1 else {
      throw CommandFailure.usage("no script for '\(visible(shell))'; choose bash, zsh or fish")
    }
    for line in script.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      console.line(String(line))
    }
  }

  private static func answer(_ words: [String], _ session: Session) {
    let names = CompletionNames(session)
    switch Completion(session.catalogue, names: { names.candidates($0, of: $1) }).answer(words) {
    case .files: session.console.line(":files")
    case .words(let candidates):
      for candidate in candidates {
        let summary = candidate.summary.isEmpty ? "" : "\t" + visible(candidate.summary)
        session.console.line(visible(candidate.word) + summary)
      }
    }
  }
}
