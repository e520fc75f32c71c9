import Foundation
import Testing

@testable import PoolCommands

struct ManualTests {
  private static let config = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "config")

  @Test(arguments: ManPages.names)
  func `the manual in the checkout is what the descriptions say today`(name: String) throws {
    let committed = try String(contentsOf: Self.config.appending(path: "man/\(name)"), encoding: .utf8)
    #expect(committed == ManPages.page(name), "make it anew: pfctl help --man \(name) >config/man/\(name)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the completion in the checkout is what pfctl prints today`(shell: String) throws {
    let committed = try String(contentsOf: Self.config.appending(path: "completions/pfctl.\(shell)"), encoding: .utf8)
    #expect(
      committed == CompletionScripts.all[shell],
      "make it anew: pfctl completion \(shell) >config/completions/pfctl.\(shell)")
  }

  @Test func `every command has an example that is one of its own command lines`() throws {
    for description in Catalogue.descriptions {
      #expect(!description.examples.isEmpty, "\(description.name)")
      for example in description.examples {
        #expect(example.hasPrefix("pfctl \(description.name)"), "\(example)")
      }
    }
  }

  @Test func `text of the manual cannot be taken for a request, and lines stay within eighty bytes`() {
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
