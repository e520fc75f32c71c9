import FlowPlatform
import Foundation
import Testing

/// Rules that every shell script of the repository follows.
@Suite struct ScriptTests {
  /// Each script that has a `trap '…' EXIT`, with the trap's commands.
  private static let traps: [(script: String, words: String)] = {
    let folders = [".ci", "config", "Tests/Service"]
    let paths = folders.flatMap { folder in Files.names(in: Checkout.root + "/" + folder).map { "\(folder)/\($0)" } }
    return paths.filter { $0.hasSuffix(".sh") || $0 == ".ci/run" }.sorted().flatMap { path in
      let text = (try? Files.text(Checkout.root + "/" + path)) ?? ""
      return text.matches(of: /trap '([^']*)' EXIT/).map { (path, String($0.output.1)) }
    }
  }()

  @Test func `an exit trap does not change a script's exit code`() throws {
    #expect(Self.traps.contains { $0.script == ".ci/run" } && Self.traps.count >= 7)
    for (script, words) in Self.traps {
      let scratch = try Scratch()
      // The variables in the trap name processes, programs and folders that no longer exist.
      let names = Set(words.matches(of: /\$\{?#?(\w+)/).map { String($0.output.1) })
      let gone = names.map { "\($0)=(4194305)\n" }.joined()
      for code in [0, 3] {
        let answer = try Program.run(
          "/bin/bash", ["-c", "set -euo pipefail; cd '\(scratch.path)'\n\(gone)trap '\(words)' EXIT; exit \(code)"],
          in: scratch)
        #expect(answer.code == code, "\(script): \(words)")
      }
    }
  }

  /// `set -e` ignores a failure before `&&` (except at the end of a script or function), and exits before `; code=$?` is
  /// evaluated.
  @Test func `no command in a service test script can fail unnoticed`() throws {
    let folder = Checkout.root + "/Tests/Service"
    var read = 0
    for name in Files.names(in: folder).sorted() where name.hasSuffix(".sh") {
      let lines = try Files.text("\(folder)/\(name)").split(separator: "\n", omittingEmptySubsequences: false).map {
        String($0.trimmingCharacters(in: .whitespaces))
      }
      read += lines.count
      for (line, next) in zip(lines, lines.dropFirst()) where !line.hasPrefix("#") {
        #expect(!line.contains("; code=$?"), "\(name): \(line)")
        guard line.contains(" && ") else { continue }
        // The exit code is used: in a condition, before `continue` or `return`, or as the last command of a script or
        // function.
        let isHeard =
          line.contains(/^(if|elif|while|until|check|eventually)\b/) || line.contains(/&& (continue|return)\b/)
          || line.hasSuffix("'") || next == "}"
        #expect(isHeard, "\(name): \(line)")
      }
    }
    #expect(read > 500)
  }

  /// A background suite under systemd, or kill tests, that outlive the run would disturb the next run.
  @Test(arguments: [0, 3]) func `background jobs of .ci/run end with it`(code: Int32) throws {
    let words = try #require(Self.traps.first { $0.script == ".ci/run" }).words
    let scratch = try Scratch()
    // Starts two jobs as `.ci/run` does: it stores the pid of one; both have child processes.
    let answer = try Program.run(
      "/bin/bash",
      [
        "-c",
        """
        set -euo pipefail
        cd '\(scratch.path)'
        timeout 600 bash -c 'echo $$ >first; exec sleep 600' &
        timeout 600 bash -c 'echo $$ >second; exec sleep 600' &
        second=$!
        until [ -s first ] && [ -s second ]; do read -rt 0.02 <> <(:) || true; done
        cat first second
        trap '\(words)' EXIT
        exit \(code)
        """,
      ], in: scratch)
    #expect(answer.code == code)
    let left = answer.output.split(separator: "\n").compactMap { Int32($0) }
    #expect(left.count == 2)
    for process in left { #expect(kill(process, 0) != 0, "process \(process) goes on") }
  }

  /// Each script starts tests with `timeout`, which forms its own process group, so that Ctrl-C and the parent's end do not
  /// reach it; `setpriv --pdeathsig` ends it.
  @Test func `tests started by a script end with it, even if killed`() throws {
    let begun = try Files.names(in: Checkout.root + "/config").filter { $0.hasSuffix(".sh") }.flatMap { name in
      try Files.text("\(Checkout.root)/config/\(name)").matches(of: /.*timeout --kill-after=.*/).map {
        (name, String($0.output))
      }
    }
    #expect(begun.count >= 4)
    let words = "setpriv --pdeathsig TERM timeout --kill-after=10 "
    for (name, line) in begun { #expect(line.contains(words), "\(name): \(line)") }

    let scratch = try Scratch()
    let answer = try Program.run(
      "/bin/bash",
      [
        "-c",
        """
        cd '\(scratch.path)'
        worker() {
          \(words) 600 nice -n 5 bash -c 'echo $$ >round; exec sleep 600'
          echo it goes on
        }
        worker &
        worker=$!
        until [ -s round ]; do read -rt 0.02 <> <(:) || true; done
        kill -KILL "$worker"
        cat round
        """,
      ], in: scratch)
    let round = try #require(Int32(answer.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(answer)")
    try eventually("the round has ended") { kill(round, 0) != 0 }
  }
}
