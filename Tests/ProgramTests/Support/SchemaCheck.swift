import Foundation
import Testing

/// Collects documents, events and replies, and checks them against the schemas printed by `pfctl help schema`.
final class SchemaCheck {
  private let scratch: Scratch
  private let folder: String
  private var count = 0

  init() throws {
    scratch = try Scratch()
    folder = try scratch.folder("written")
  }

  /// - Parameter kind: `json` for a document, `line` for JSON lines, `event` for a CloudEvent.
  func add(_ text: String, as kind: String = "json") throws {
    count += 1
    try scratch.write("written/\(count).\(kind)", text.utf8)
  }

  /// Validates everything with Python's `jsonschema`.
  ///
  /// - Returns: the names of the schemas used.
  func names() throws -> Set<String> {
    let script = Checkout.root + "/Tests/ProgramTests/Fixtures/schemas.py"
    let words = [script, Checkout.pfctl, folder]
    let answer = try PythonTools.run(words, in: scratch)
    #expect(answer.code == 0, "\(answer.errors.prefix(4_000))")
    return Set(answer.output.split(separator: "\n").map(String.init))
  }
}
