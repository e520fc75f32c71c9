import Foundation
import Testing
import TradeCommands

@testable import FlowCommandKit

private let catalogue = CommandCatalogue.every

/// Alternative spellings, the refusal of changed ones, and the absence of unknown ones in our own texts.
struct SpellingTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func command(_ name: String) -> CommandDescription? {
    catalogue.descriptions.first { $0.name == name }
  }

  func modern(_ words: [String], _ options: [String: [String]] = [:]) -> TypedLine {
    var line = TypedLine(words: words)
    line.options = options
    line.replaceVariants(in: .every)
    return line
  }

  /// Command lines of version 0.1 with the words of the refusal that name the current form.
  private static let changed: [(old: String, hint: String)] = [
    ("dead list", "`pfctl outbox list --state dead`"), ("profile set Ann --email a@b.c", "`pfctl pool set`"),
    ("visit edit", "did you mean `pfctl visit set`?"), ("digest --for maria", "did you mean --technician?"),
    ("digest --date 2026-03-02", "did you mean --at?"), ("run morning-summary --as-of 7h", "did you mean --at?"),
    ("next --count 3", "did you mean --limit?"), ("calendar Mon --after 7h", "did you mean --from?"),
    ("simulate --to 7h", "did you mean --until?"), ("closed add 2026-07-04 --note x", "did you mean --notes?"),
    ("backup create --reason x", "did you mean --notes?"), ("setup --technician x", "did you mean --tell?"),
    ("setup --from x", "did you mean --sender?"), ("setup --ntfy x", "did you mean --ntfy-server?"),
    ("setup --morning 6:00", "did you mean --morning-time?"), ("route move Ann --to 3", "did you mean --place?"),
    ("route pin Ann --at 3", "did you mean --place?"), ("route show --svg x", "did you mean --format?"),
    ("route solve x.csv --matrix y", "did you mean --durations?"),
    ("pool set Ann --email a@b.c", "did you mean --mail?"),
    ("pool add Ann --latitude 1", "did you mean --locate?"), ("technician set dan quiet=20:00-05:30", "quiet-hours"),
    ("profit desert-blue", "pfctl profit [--team TEAM]"), ("digest desert-blue", "pfctl digest"),
    ("backup export latest x.zip", "--output"), ("bugreport x.zip", "--output"),
  ]

  @Test(arguments: changed)
  func `the refusal of a spelling of version 0_1 names the current one`(old: String, hint: String) {
    let sentence = refusal(old.split(separator: " ").map(String.init))
    #expect(sentence.contains(hint), "\(sentence)")
  }

  @Test func `alternative spellings are no current ones`() {
    for other in catalogue.spellings.commands {
      #expect(!catalogue.descriptions.contains { $0.path == other.other }, "\(other.other)")
      #expect(
        catalogue.descriptions.contains { $0.path.starts(with: other.own) || other.own.starts(with: $0.path) })
      #expect(modern(other.other).words == other.own)
    }
    let names = Set((CommandDescription.globalOptions + catalogue.descriptions.flatMap(\.options)).map(\.name))
    for (other, own) in catalogue.spellings.options {
      #expect(!names.contains(other) && names.contains(own), "\(other)")
    }
  }

  @Test func `a value is set by an option or by KEY=VALUE in every set command`() throws {
    for description in catalogue.descriptions where description.takesSettings {
      let objects = description.objects.map { _ in "a=b" }
      for option in description.settingOptions {
        let line = modern(description.path + objects + ["\(option.name)=x=y z"])
        #expect(
          line.options[option.name] == ["x=y z"] && line.words == description.path + objects, "\(description.name)")
      }
    }
    let both = modern(["team", "set", "a", "language=es"], ["language": ["de"]])
    #expect(both.options["language"]?.count == 2)
    #expect(throws: CommandFailure.self) {
      try Arguments(["team", "set", "a", "language=es", "--language", "de"], in: .every)
    }
    #expect(throws: CommandFailure.self) { try Arguments(["pool", "set", "a", "fee"], in: .every) }
  }

  /// A name that contains a quote would end quotes added by hand.
  @Test func `no suggested command quotes a name by hand`() throws {
    let walk = try #require(
      FileManager.default.enumerator(at: Self.root.appending(path: "Sources"), includingPropertiesForKeys: nil))
    for case let file as URL in walk where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8).replacing(/"\s*\n\s*\+ "/, with: "")
      let found = text.matches(of: /pfctl [^"\n`]*'\\\(/).map { String($0.0) }
      #expect(found.isEmpty, "\(file.lastPathComponent): \(found)")
    }
  }

  private func refusal(_ words: [String]) -> String {
    do throws(CommandFailure) {
      _ = try Arguments(words, in: .every)
      return "taken"
    } catch { return error.message }
  }

  @Test func `other programs' commands are refused with ours`() {
    for (word, hint) in catalogue.otherTools.commands {
      #expect(!catalogue.descriptions.contains { $0.path.first == word }, "\(word)")
      #expect(refusal([word]) == "unknown command '\(word)'; \(hint)")
    }
    let names = Set((CommandDescription.globalOptions + catalogue.descriptions.flatMap(\.options)).map(\.name))
    for own in OtherToolWords.options.values.joined() { #expect(names.contains(own), "\(own)") }
    #expect(refusal(["list", "-o", "json"]) == "`pfctl list` has no option -o; did you mean --json?")
    #expect(refusal(["list", "--output", "json"]) == "`pfctl list` has no option --output; did you mean --json?")
    #expect(refusal(["import", "x.zip", "-n"]) == "`pfctl import` has no option -n; did you mean --dry-run?")
    for (typed, hint) in catalogue.otherTools.elsewhere {
      let words = typed.split(separator: " ").map(String.init)
      let line = [words[0]] + (words[0] == "run" ? ["low-stock"] : []) + ["--\(words[1])"]
      #expect(refusal(line) == "`pfctl \(words[0])` has no option --\(words[1]); \(hint)")
    }
    #expect(refusal(["history", "-n", "5"]) == "`pfctl history` has no option -n; did you mean --limit?")
    #expect(refusal(["list", "-n"]) == "`pfctl list` has no option -n; see `pfctl help list`")
  }

  @Test func `another program's verb suggests ours, and a bare verb asks for its noun`() {
    let verbs = Set(catalogue.grammar.verbs.map(\.word))
    for (other, own) in OtherToolWords.verbs {
      let isOursElsewhere = ["create", "check"].contains(other)
      #expect(own.allSatisfy(verbs.contains) && (isOursElsewhere || !verbs.contains(other)), "\(other)")
    }
    #expect(refusal(["pool", "rm", "x"]) == "unknown command 'pool rm'; did you mean `pfctl pool remove`?")
    #expect(refusal(["pool", "get", "x"]).hasSuffix("did you mean `pfctl pool show`?"))
    #expect(refusal(["team", "create", "x"]).hasSuffix("did you mean `pfctl team add`?"))
    #expect(refusal(["backup", "check"]).hasSuffix("did you mean `pfctl backup verify`?"))
    #expect(refusal(["backup", "make"]).hasSuffix("did you mean `pfctl backup create`?"))
    #expect(refusal(["job", "delete", "x"]).hasSuffix("there are show, set and reset"))
    #expect(refusal(["ls"]).hasSuffix("did you mean `pfctl list`?"))
    #expect(refusal(["rm", "x"]).hasSuffix("a verb follows its noun, such as `pfctl reminder remove`"))
    #expect(refusal(["show"]).hasSuffix("a verb follows its noun, such as `pfctl job show`"))
  }

  @Test func `an unknown option is reported as unknown, not as missing its value`() {
    #expect(refusal(["list", "--silent"]) == "`pfctl list` has no option --silent; did you mean --quiet?")
    #expect(
      refusal(["technician", "set", "maria", "--quiet-hours"])
        == "--quiet-hours needs a value: --quiet-hours HH:MM-HH:MM")
    #expect(refusal(["--bogus"]) == "pfctl has no option --bogus; see `pfctl help`")
    #expect(refusal(["config", "check", "new.conf"]).hasSuffix("; did you mean --config new.conf?"))
  }

  @Test func `--output - means standard output where the command supports it`() throws {
    for words in [["export", "template"], ["digest"], ["route", "export"], ["report", "month"]] {
      let arguments = try Arguments(words + ["--output", "-"], in: .every)
      #expect(!arguments.has("output"), "\(words)")
      #expect(try Arguments(words + ["--output=x.csv"], in: .every)["output"] == "x.csv", "\(words)")
    }
    for words in [["bugreport"], ["backup", "export", "latest"]] {
      #expect(
        refusal(words + ["--output", "-"]).hasSuffix("cannot write to standard output; give --output FILE"), "\(words)")
    }
  }

  @Test func `--quiet is the flag of every command, and hours are --quiet-hours`() throws {
    let set = ["technician", "set", "dan"]
    for flag in [set + ["-q", "--mail", "a@b.c"], ["-q"] + set + ["mail=a@b.c"], set + ["--quiet", "mail=a@b.c"]] {
      let arguments = try Arguments(flag, in: .every)
      #expect(arguments.has("quiet") && arguments["quiet-hours"] == nil, "\(flag)")
    }
    for hours in [set + ["--quiet", "20:00-05:30"], set + ["--quiet=20:00-05:30"], set + ["quiet=20:00-05:30"]] {
      #expect(throws: CommandFailure.self) { try Arguments(hours, in: .every) }
    }
  }

  /// Some numbers and strings crash Foundation's decoder or take minutes: `UntrustedJSON` checks them first.
  @Test func `external JSON is always checked before decoding`() throws {
    // Our own data; calls, checked in `head`; replies of a daemon that pfctl called; output of a child process.
    let known: Set = ["UntrustedJSON.swift", "Envelope.swift", "JSONTree.swift", "Session+StoreCopy.swift"]
    let sources = Self.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      if text.contains("JSONDecoder()") { found.insert(file.lastPathComponent) }
    }
    #expect(found == known)
  }

  @Test func `an option shared by two commands takes a value only if its command declares one`() throws {
    let map = ["Who=customer_name", "Where=address"]
    let list = try Arguments(["import", "x.csv", "--team", "a", "--map", map[0], "--map=\(map[1])"], in: .every)
    #expect(list.all("map") == map && list.operands == ["x.csv"])
    let first = try Arguments(["--map", map[0], "import", "x.csv", "--team", "a"], in: .every)
    #expect(first.all("map") == [map[0]] && first.operands == ["x.csv"])
    let route = try Arguments(["route", "show", "--map", "--team", "a"], in: .every)
    #expect(route.has("map") && route["team"] == "a")
    #expect(throws: CommandFailure.self) { try Arguments(["import", "x.csv", "--team", "a", "--map"], in: .every) }
  }
}
