import Foundation

/// A documentation page: the README, the pages beside the sources, and CONTRIBUTING.
struct DocumentPage {
  /// The path from the checkout's root, such as `Sources/Documentation/operating.md`.
  let path: String
  let blocks: [Block]
  /// The text outside code blocks.
  let prose: String
  /// The code spans in the prose.
  let spans: [String]
  let text: String

  /// A fenced code block.
  struct Block {
    /// The language after the opening backticks, such as `sh`; empty if none is given.
    let language: String
    let lines: [String]
  }

  init(_ path: String) throws {
    self.path = path
    text = try Files.text("\(Checkout.root)/\(path)")
    var blocks: [Block] = []
    var prose = ""
    var open: (language: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let block = open {
        if line == "```" {
          blocks.append(Block(language: block.language, lines: block.lines))
          open = nil
        } else {
          open = (block.language, block.lines + [line])
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      } else {
        prose += line + "\n"
      }
    }
    guard open == nil else { throw CannotStart(description: "\(path): a block has no end") }
    self.blocks = blocks
    self.prose = prose
    spans = prose.matches(of: /`([^`\n]+)`/).map { String($0.1) }
  }

  /// The commands after `$ ` in `console` blocks.
  var tour: [String] {
    blocks.filter { $0.language == "console" }.flatMap(\.lines).filter { $0.hasPrefix("$ ") }.map {
      String($0.dropFirst(2))
    }
  }

  /// The lines of all blocks of a language, without comments.
  func lines(_ language: String) -> [String] {
    blocks.filter { $0.language == language }.flatMap(\.lines).map {
      String($0.prefix(upTo: $0.firstRange(of: "  #")?.lowerBound ?? $0.endIndex)).trimmingCharacters(in: .whitespaces)
    }
  }

  /// The paths of the pages that this page links to, relative to the checkout's root.
  var linkedPages: [String] {
    let folder = URL(filePath: "\(Checkout.root)/\(path)").deletingLastPathComponent()
    return text.matches(of: /\]\(([^)#]+\.md)(?:#[^)]*)?\)/).map { String($0.1) }.filter { !$0.hasPrefix("http") }.map {
      String(folder.appending(path: $0).standardizedFileURL.path.dropFirst(Checkout.root.count + 1))
    }
  }

  /// Every page of the checkout; the modules' own README cards and test snapshots contain no commands to run.
  static let all: [String] = {
    let documentation = "Sources/Documentation/"
    let folders = ["", ".github/", documentation, "\(documentation)decisions/", "Tests/", "config/", "units/"]
    return folders.flatMap { folder in
      Files.names(in: "\(Checkout.root)/\(folder)").filter { $0.hasSuffix(".md") }.map { folder + $0 }
    }
  }()
}
