import Foundation
import Testing
import TradeCommands

@testable import FlowCommandKit

private let catalogue = CommandCatalogue.every

struct ManualTests {
  static let config = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "config")

  @Test func `each command is on one noun's page, and the index names all commands`() {
    let words = catalogue.nouns.flatMap(\.words)
    #expect(Set(words).count == words.count, "a word on two pages")
    #expect(Set(words) == Set(catalogue.descriptions.map { $0.path[0] }))
    let index = (ManPages(.every).page("pfctl.1") ?? "").replacing("\\-", with: "-").replacing("\n", with: " ")
    for noun in catalogue.nouns {
      #expect(index.contains("\"\(noun.reference)\""), "\(noun.name)")
      for command in catalogue.commands(of: noun) { #expect(index.contains(command.name), "\(command.name)") }
    }
  }

  @Test(arguments: catalogue.nouns.map(\.name))
  func `a noun's page contains its commands with options and examples`(name: String) throws {
    let noun = try #require(catalogue.noun(named: name))
    let page = try #require(ManPages(.every).page(noun.page))
    #expect(!catalogue.commands(of: noun).isEmpty && !noun.introduction.isEmpty)
    for command in catalogue.commands(of: noun) {
      // Compare with the text as the page escapes it.
      func holds(_ macro: String, _ text: String) -> Bool {
        var one = ManPage("x", section: 1, "y")
        if macro == ".SS" { one.subsection(text) } else { one.item(text, "") }
        return page.contains(one.text.split(separator: "\n").last { $0.hasPrefix(macro) } ?? "nowhere")
      }
      #expect(holds(".SS", command.usage), "\(command.name)")
      for option in command.options { #expect(holds(".B", option.usage), "\(command.name) \(option.usage)") }
      let examples = page.replacing("\\-", with: "-").replacing("\\(aq", with: "'").replacing("\\(ti", with: "~")
      for example in command.examples { #expect(examples.contains(example), "\(example)") }
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the committed completion scripts equal the generated ones`(shell: String) throws {
    let committed = try String(contentsOf: Self.config.appending(path: "completions/pfctl.\(shell)"), encoding: .utf8)
    #expect(
      committed == CompletionScripts.all[shell],
      "regenerate it: pfctl completion \(shell) >config/completions/pfctl.\(shell)")
  }

  @Test func `every command has an example of its own`() throws {
    for description in catalogue.descriptions {
      #expect(!description.examples.isEmpty, "\(description.name)")
      for example in description.examples {
        #expect(example.hasPrefix("pfctl \(description.name)"), "\(example)")
      }
    }
  }

  @Test func `manual text is escaped, and lines have at most eighty bytes`() {
    var page = ManPage("x", section: 1, "y")
    page.section("Z")
    page.paragraph(".TH 'a' \\ — end " + String(repeating: "word ", count: 40))
    page.example([".dot"])
    let lines = page.text.split(separator: "\n").drop { $0 != ".SH \"Z\"" }.dropFirst()
    #expect(lines.first?.hasPrefix("\\&.TH \\(aqa\\(aq \\e \\[u2014] end word") == true)
    #expect(lines.contains("\\&.dot"))
    #expect(lines.allSatisfy { $0.utf8.count <= 80 })
  }
}
