import FlowControl
import Foundation
import Testing

extension Programs {
  /// The documentation is tested: its commands work as printed, and the files and suites it names exist.
  ///
  /// This suite runs the `console` blocks in their order. `.ci/run` runs `sh` blocks; `Tests/Service/suite.sh` runs those of
  /// `operating.md`, with `sh first machine` and `sh second machine` on two machines. Blocks of `sh long` take hours: the
  /// same tests run with smaller numbers for every commit.
  @Suite struct ReadmeTests {
    @Test func `the README is at most 100 lines, and links lead from it to every page`() throws {
      let readme = try DocumentPage("README.md")
      #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 100)
      var reached: Set = [readme.path]
      var unread = [readme]
      while let page = unread.popLast() {
        for path in page.linkedPages where reached.insert(path).inserted { unread.append(try DocumentPage(path)) }
      }
      let missed = Set(DocumentPage.all).subtracting(reached)
      #expect(missed.isEmpty, "no link leads to \(missed.sorted())")
      #expect(DocumentPage.all.count >= 8, "\(DocumentPage.all)")
    }

    @Test(arguments: DocumentPage.all)
    func `every code block has a known language and a test that runs it`(path: String) throws {
      let page = try DocumentPage(path)
      for block in page.blocks {
        switch block.language {
        case "text": break
        case "console":
          #expect(block.lines.allSatisfy { $0.hasPrefix("$ pfctl ") }, "\(path): \(block.lines)")
        case "sh":
          let typed = ["README.md", ".github/CONTRIBUTING.md", "Sources/Documentation/operating.md"]
          #expect(typed.contains(path), "no test runs the commands of \(path)")
        case "sh first machine", "sh second machine":
          let script = try Files.text(Checkout.root + "/Tests/Service/other-machine.sh")
          let isTyped = script.contains("typed \"\(block.language.dropFirst(3))\"")
          #expect(path == "Sources/Documentation/operating.md" && isTyped)
        case "sh long": #expect(path != "README.md")
        default: Issue.record("\(path): a block of '\(block.language)'")
        }
      }
      // A block indented by four spaces would not be tested.
      let indented = page.prose.split(separator: "\n").filter { $0.hasPrefix("    ") }
      #expect(indented.isEmpty, "\(path): \(indented)")
    }

    /// A Monday of the demo's records, and a Saturday evening a year and a half later.
    @Test(arguments: DocumentPage.all, ["2026-03-02T14:10:00Z", "2027-08-15T04:30:00Z"])
    func `every command of a tour works in order and has output at any date`(
      path: String, now: String
    ) throws {
      let commands = try DocumentPage(path).tour
      guard !commands.isEmpty else { return }
      let daemon = try Daemon(at: now, empty: true).start()
      let folder = URL(fileURLWithPath: Checkout.pfctl).deletingLastPathComponent().path
      var digests: [String] = []
      for command in commands {
        let answer = try Program.run(
          "/bin/sh", ["-c", "cd '\(Checkout.root)' && \(command)"], in: daemon.scratch,
          environment: ["PATH": "\(folder):/usr/bin:/bin", "POOLFLOW_SOCKET": daemon.socket])
        let all = answer.output + answer.errors
        // `doctor` exits with 1 when it reports a problem; that is an answer, too.
        let isDone = answer.code == 0 || command == "pfctl doctor" && answer.code == ExitCode.attention
        #expect(isDone && !all.isEmpty, "\(path): \(command): \(answer)")
        let last = all.split(separator: "\n").last ?? ""
        let isEmpty = all.firstMatch(of: /^(?i:no |nothing|there is no|0 )/) != nil || last.contains(/\b0 runs\b/)
        #expect(!isEmpty, "\(path): \(command) has nothing to tell: \(all.prefix(300))")
        if command.hasPrefix("pfctl digest"), !command.contains("--format") { digests.append(all) }
      }
      #expect(digests.first?.contains("Today's Route") == true, "the first digest is in English")
    }

    @Test func `the README has ten commands, two scripts and the installation`() throws {
      let readme = try DocumentPage("README.md")
      #expect(readme.blocks.contains { $0.language == "console" && $0.lines.count == 10 })
      let lines = readme.lines("sh")
      #expect(Array(lines.prefix(2)) == ["config/demo.sh", "config/test.sh"])
      let runner = try Files.text(Checkout.root + "/.ci/run")
      for script in lines.prefix(2) {
        #expect(FileManager.default.isExecutableFile(atPath: "\(Checkout.root)/\(script)"), "\(script)")
        #expect(runner.contains("\n\(script)"), ".ci/run does not run \(script)")
      }
      // The remaining lines are the installation; the service suite runs them from the page that begins with the same lines.
      let operating = try DocumentPage("Sources/Documentation/operating.md")
      #expect(Array(lines.dropFirst(2)) == Array(operating.lines("sh").prefix(2)))
    }

    @Test func `commands of other pages are run by their scripts`() throws {
      #expect(try Files.text(Checkout.root + "/.ci/run").contains("page=.github/CONTRIBUTING.md"))
      #expect(
        try Files.text(Checkout.root + "/Tests/Service/suite.sh").contains("page=Sources/Documentation/operating.md"))
    }

    @Test(arguments: DocumentPage.all)
    func `long-running commands exist, and their tests read the given variables`(path: String) throws {
      let tests = try Checkout.swiftTexts(below: "Tests").joined()
      let sources = try Files.text(Checkout.root + "/Package.swift")
      for line in try DocumentPage(path).lines("sh long") {
        for variable in line.matches(of: /(POOLFLOW_[A-Z_]+)=/) {
          #expect(tests.contains("\"\(variable.1)\""), "\(line): no test reads \(variable.1)")
        }
        if let filter = line.firstMatch(of: /--filter '?([A-Za-z|]+)'?/) {
          for suite in filter.1.split(separator: "|") {
            let isRoom = Files.exists("\(Checkout.root)/Tests/\(suite)")
            #expect(isRoom || tests.contains("struct \(suite) "), "\(line): there is no \(suite)")
          }
        } else if let product = line.firstMatch(of: /\.build\/release\/([a-z-]+)/) {
          #expect(sources.contains(".executable(name: \"\(product.1)\""), "\(line)")
        } else {
          try expectScript(line)
        }
      }
    }

    /// Checks that the script at the beginning of `line` exists, and the fuzz target that it names.
    func expectScript(_ line: String) throws {
      let words = line.split(separator: " ").map(String.init)
      let script = try #require(words.first)
      #expect(FileManager.default.isExecutableFile(atPath: "\(Checkout.root)/\(script)"), "\(line)")
      if script == "config/fuzz.sh", words.count > 1 {
        #expect(Files.exists("\(Checkout.root)/Tests/Fuzzing/Corpus/\(words[1])"), "\(line)")
      }
    }

    @Test func `the benchmarks page has only the generated table between its comments`() throws {
      let lines = try DocumentPage("Sources/Documentation/benchmarks.md").text.split(separator: "\n")
      let begin = try #require(lines.firstIndex { $0.hasPrefix("<!-- figures begin") })
      let end = try #require(lines.firstIndex { $0.hasPrefix("<!-- figures end") })
      try #require(begin < end)
      let table = lines[(begin + 1)..<end]
      #expect(table.isEmpty || table.first == "| bench | figure | median (spread) | baseline or bound | kept/BROKEN |")
      #expect(table.allSatisfy { $0.hasPrefix("| ") && $0.hasSuffix(" |") })
      #expect(!table.contains { $0.hasSuffix("| BROKEN |") })
    }
  }
}
