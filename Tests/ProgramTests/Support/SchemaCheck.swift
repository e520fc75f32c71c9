import Foundation
import Testing

/// Documents, events and answers as they were written, to be held against the schemas that `pfctl help schema` prints.
final class SchemaCheck {
  private let scratch: Scratch
  private let folder: String
  private var count = 0

  init() throws {
    scratch = try Scratch()
    folder = try scratch.folder("written")
  }

  /// - Parameter kind: `json` for a document, `line` for one a line, `event` for a CloudEvent.
  func add(_ text: String, as kind: String = "json") throws {
    count += 1
    try scratch.write("written/\(count).\(kind)", text.utf8)
  }

  /// The names of the schemas that everything fits, by Python's `jsonschema`.
  func names() throws -> Set<String> {
    let script = Checkout.root + "/Tests/ProgramTests/Fixtures/schemas.py"
    let words = [script, Checkout.pfctl, folder]
    let answer = try PythonTools.run(words, in: scratch)
    #expect(answer.code == 0, "\(answer.errors.prefix(4_000))")
    return Set(answer.output.split(separator: "\n").map(String.init))
  }
}
