import Foundation
import PoolPlatform
import Testing

/// What holds for every script of the project, whatever it does.
@Suite struct ScriptTests {
  /// A file and the words of a trap on its end.
  private static let traps: [(script: String, words: String)] = {
    let folders = [".ci", "config", "Tests/Service"]
    let paths = folders.flatMap { folder in Files.names(in: Checkout.root + "/" + folder).map { "\(folder)/\($0)" } }
    return paths.filter { $0.hasSuffix(".sh") || $0 == ".ci/run" }.sorted().flatMap { path in
      let text = (try? Files.text(Checkout.root + "/" + path)) ?? ""
      return text.matches(of: /trap '([^']*)' EXIT/).map { (path, String($0.output.1)) }
    }
  }()

  @Test func `what a script tidies up at its end does not change whether it succeeded`() throws {
    #expect(Self.traps.contains { $0.script == ".ci/run" } && Self.traps.count >= 7)
    for (script, words) in Self.traps {
      let scratch = try Scratch()
      // Nothing is left of what it names: no process of that number, no program, no folder.
      let names = Set(words.matches(of: /\$\{?#?(\w+)/).map { String($0.output.1) })
      let gone = names.map { "\($0)=(4194305)" }.joined(separator: "; ")
      for code in [0, 3] {
        let answer = try Program.run(
          "/bin/bash", ["-c", "set -euo pipefail; cd '\(scratch.path)'; \(gone); trap '\(words)' EXIT; exit \(code)"],
          in: scratch)
        #expect(answer.code == code, "\(script): \(words)")
      }
    }
  }
}
