import FlowControl
import Foundation
import Testing

// The pages name commands, files and suites of all trades.
extension Programs.ReadmeTests {
  @Test(arguments: DocumentPage.all)
  func `every command named in a sentence exists with its options`(path: String) throws {
    let scratch = try Scratch()
    let help = try JSONDecoder().decode(
      Help.self, from: Data(try Pfctl.run(["help", "--json"], in: scratch).output.utf8))
    let shared = try Pfctl.run(["help"], in: scratch).output.matches(of: /\n  --([a-z-]+)/).map { String($0.1) }
    #expect(shared.contains("json"))
    let typed =
      try Files.text(Checkout.root + "/.ci/run")
      + DocumentPage("Sources/Documentation/operating.md").lines("sh").joined(separator: "\n")
      + Files.names(in: Checkout.root + "/Tests/Service").map {
        try Files.text("\(Checkout.root)/Tests/Service/\($0)")
      }.joined()
    for span in try DocumentPage(path).spans {
      var words = span.split(separator: " ").map(String.init)
      switch words.removeFirst() {
      case "pfctl", "poolflowctl":
        if words.first == "--instance" { words.removeFirst(2) }
        guard let first = words.first, first != "…" else { continue }
        if first == "help" || first == "--help" { continue }
        let command = help.commands.filter { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
          .max { $0.name.count < $1.name.count }
        let isGroup = words.count == 1 && help.commands.contains { $0.name.hasPrefix("\(first) ") }
        #expect(command != nil || isGroup, "\(path): there is no `\(span)`")
        for word in words where word.hasPrefix("--") && command != nil {
          let name = word.dropFirst(2).prefix { $0 != "=" }
          let isKnown = command?.options.contains { $0.name == name } ?? false
          #expect(isKnown || shared.contains(String(name)), "\(path): `\(span)` has no --\(name)")
        }
      case "man":
        let pages = Files.names(in: Checkout.root + "/config/man")
        #expect(pages.contains { $0.dropLast(2) == words.first ?? "" }, "\(path): `\(span)`")
      case "systemctl", "journalctl", "sudo", "apt", "systemd-analyze":
        #expect(typed.contains(span), "\(path): no test runs `\(span)`")
      case let script where script.hasPrefix("config/") && script.hasSuffix(".sh") || script.hasPrefix(".ci/"):
        try expectScript(span)
      default: continue
      }
    }
  }

  private struct Help: Decodable {
    let commands: [Command]

    struct Command: Decodable {
      let name: String
      let options: [Option]
    }

    struct Option: Decodable {
      let name: String
    }
  }

  @Test(arguments: DocumentPage.all)
  func `every file that a page names exists, and pictures are small`(path: String) throws {
    let text = try DocumentPage(path).text
    let folder = URL(filePath: "\(Checkout.root)/\(path)").deletingLastPathComponent()
    let links = text.split(separator: "](").dropFirst().compactMap { $0.split(separator: ")").first }
    for link in links where !link.hasPrefix("http") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let target = parts[0].isEmpty ? "\(Checkout.root)/\(path)" : folder.appending(path: parts[0]).path
      let file = URL(filePath: target).standardizedFileURL.path
      #expect(Files.exists(file), "\(path): \(link)")
      if parts.count == 2 {
        let sections = try Files.text(file).split(separator: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor)
        #expect(sections.contains(parts[1]), "\(path): \(link) names no section")
      }
      guard link.hasSuffix(".png") else { continue }
      let picture = try Files.bytes(file)
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count <= 60_000, "\(link)")
    }
  }

  /// The anchor that hosts such as GitHub give a heading: `## If a machine dies` has `if-a-machine-dies`.
  private static func anchor(_ heading: Substring) -> String {
    let title = heading.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
    return title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
  }

  @Test(arguments: DocumentPage.all)
  func `every suite that a page names as evidence exists`(path: String) throws {
    let text = try DocumentPage(path).text
    let named = Set(text.matches(of: /[A-Z][A-Za-z]+Tests\b/).map { String($0.output) })
    let files = try FileManager.default.subpathsOfDirectory(atPath: Checkout.root + "/Tests")
    let parts = files.flatMap { $0.split(separator: "/") }
    let known = Set(parts.map { $0.hasSuffix(".swift") ? String($0.dropLast(6)) : String($0) })
    #expect(named.subtracting(known).isEmpty, "\(path): \(named.subtracting(known))")
    #expect(path != "Sources/Documentation/promises.md" || named.count > 40)
  }
}
