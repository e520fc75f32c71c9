import Foundation
import Testing

/// `Sources/Documentation/features.md` lists every feature of both apps, and the tests that it names exist.
struct FeaturesTests {
  /// The number of features in each of the app's twelve groups.
  private static let groups = [12, 14, 10, 6, 5, 12, 9, 11, 5, 14, 6, 10]

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  struct Row {
    let number: String
    let verdict: String
    let place: String
    let test: String

    /// True for a feature of the second app.
    var isOfStables: Bool { number.hasPrefix("S.") }
  }

  func rows() throws -> [Row] {
    let page = try String(contentsOf: Self.root.appending(path: "Sources/Documentation/features.md"), encoding: .utf8)
    return page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 7, cells[1].wholeMatch(of: /(\d+|S)\.\d+/) != nil else { return nil }
      #expect(!cells[2].isEmpty)
      return Row(number: cells[1], verdict: cells[3], place: cells[4], test: cells[5])
    }
  }

  @Test func `each of the app's features is on the page once, in order`() throws {
    let wanted = Self.groups.enumerated().flatMap { group, count in (1...count).map { "\(group + 1).\($0)" } }
    #expect(wanted.count == 114)
    #expect(try rows().filter { !$0.isOfStables }.map(\.number) == wanted)
  }

  @Test func `a working or replaced feature names an existing test, an app's names none`() throws {
    try expectTests(of: rows().filter { !$0.isOfStables })
  }

  /// Expects each feature that works or is replaced to name an existing test, and an app's feature to name none.
  func expectTests(of rows: [Row]) throws {
    let tests = Self.root.appending(path: "Tests")
    var suites: [String: [String]] = [:]
    for case let file as URL in try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      // `SetupTests+Stables.swift` has tests of `SetupTests`.
      let suite = file.deletingPathExtension().lastPathComponent.prefix { $0 != "+" }
      if suite.hasSuffix("Tests") { suites[String(suite), default: []].append(text) }
    }
    for row in rows {
      switch row.verdict {
      case "app's": #expect(row.test.isEmpty, "\(row.number)")
      case "works", "replaced":
        let parts = row.test.split(separator: "·", omittingEmptySubsequences: false).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(parts.count == 2, "\(row.number)")
        let texts = suites[parts.first ?? ""] ?? []
        #expect(texts.contains { $0.contains("func `\(parts.last ?? "")") }, "\(row.number): \(row.test)")
        #expect(row.verdict == "works" || !row.place.isEmpty, "\(row.number) says what takes its place")
      default: Issue.record("\(row.number): '\(row.verdict)'")
      }
    }
  }
}
