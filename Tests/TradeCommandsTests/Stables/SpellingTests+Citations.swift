import Foundation
import Testing
import TradeCommands

@testable import FlowCommandKit

private let catalogue = CommandCatalogue.every

// Pages and messages of the engine suggest commands of all trades.
extension SpellingTests {
  /// Every command line that our texts tell users to type, with its location.
  private func citations() throws -> [(place: String, words: [String])] {
    var found: [(String, [String])] = []
    let folders = ["Sources", "units", "config", "README.md", ".github"].map { Self.root.appending(path: $0) }
    var files: [URL] = []
    for folder in folders {
      if folder.pathExtension == "md" { files.append(folder) }
      let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = walk?.nextObject() as? URL { files.append(file) }
    }
    // Generated files are checked with their descriptions; the changelog describes its own version.
    let kinds: Set = ["swift", "md", "varlink", "catalog", "conf", "sh", "service", "path", "timer"]
    for file in files
    where kinds.contains(file.pathExtension) && !file.lastPathComponent.hasSuffix("Spellings.swift") {
      var text = try String(contentsOf: file, encoding: .utf8)
      // Join a string literal over several lines.
      text = text.replacing(/"\s*\n\s*\+ (\([a-z.]+\) )?"/, with: "").replacing(
        /\\\(([^()]|\([^()]*\))*\)/, with: "\u{0}"
      )
      .replacing(/\n(\/\/\/|#) ?/, with: " ")
      let quoted = text.matches(of: /`pfctl ([^`]+)`/).map { String($0.1) }
      let typed = text.matches(of: /\n(?:\$|    ) ?pfctl ([^\n`]+)/).map { String($0.1) }
      for line in quoted + typed {
        // A placeholder or shell syntax ends the command line.
        let words = line.replacing(/'[^']*'/, with: "X").split(whereSeparator: \.isWhitespace).map(String.init)
        let own = words.prefix { word in
          let isGlued = (word.contains("\u{0}") && word != "\u{0}") || word.contains("\\(")
          return !isGlued && !["…", "|", ">", "&&", "#"].contains(word) && !word.hasPrefix("#") && !word.hasPrefix("…")
            && !word.hasPrefix("[")
        }
        if !own.isEmpty { found.append((file.lastPathComponent, Array(own))) }
      }
    }
    return found
  }

  @Test func `no text of ours suggests an unknown spelling`() throws {
    let citations = try citations()
    #expect(citations.count > 150, "\(citations.count)")
    let nouns = Set(catalogue.descriptions.map { $0.path[0] })
    for (place, cited) in citations {
      var words: [String] = []
      var options: [String] = []
      var rest = cited[...]
      let known = CommandDescription.globalOptions + catalogue.descriptions.flatMap(\.options)
      while let word = rest.popFirst() {
        guard word.hasPrefix("--"), word.count > 2 else {
          words.append(word)
          continue
        }
        let name = String(word.dropFirst(2).prefix { $0 != "=" })
        options.append(name)
        let isValued = known.first { $0.name == name }.map { $0.value != nil } ?? false
        if isValued, !word.contains("=") { _ = rest.popFirst() }
      }
      let line = "\(place): pfctl \(cited.joined(separator: " "))"
      guard let first = words.first else { continue }
      guard let command = catalogue.command(of: modern(words).words) else {
        if first == "\u{0}" || (words.count > 1 && words[1] == "\u{0}") { continue }
        // A noun alone stands for all its commands.
        #expect(words.count == 1 && (nouns.contains(first) || first == "\u{0}"), "\(line)")
        continue
      }
      let description = catalogue.description(of: command)
      for option in options where option != "KEY" {
        let all = description.options + CommandDescription.globalOptions
        #expect(all.contains { $0.name == option }, "\(line)")
      }
      if !description.operands.contains(where: { $0.count == .any }) {
        #expect(words.count <= description.path.count + description.operands.count, "\(line)")
      }
    }
  }
}
