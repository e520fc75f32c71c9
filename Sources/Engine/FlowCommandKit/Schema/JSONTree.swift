internal import FlowControl
import FlowModel
internal import FoundationEssentials

/// A JSON value with ordered members; `JSONEncoder` can only sort members by name.
package indirect enum JSONTree {
  case object([(name: String, value: JSONTree)])
  case list([JSONTree])
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case null

  /// - Parameter json: one JSON value; its members are sorted by name.
  package init(_ json: [UInt8]) throws {
    self = try JSONDecoder().decode(DecodedTree.self, from: Data(json)).tree
  }

  package subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The value as indented JSON without a final line break.
  package func text(indented depth: Int = 0) throws -> String {
    let (inner, outer) = (String(repeating: "  ", count: depth + 1), String(repeating: "  ", count: depth))
    func block(_ marks: (String, String), _ lines: [String]) -> String {
      lines.isEmpty
        ? marks.0 + marks.1
        : "\(marks.0)\n" + lines.map { inner + $0 }.joined(separator: ",\n") + "\n\(outer)\(marks.1)"
    }
    return switch self {
    case .object(let members):
      block(("{", "}"), try members.map { "\(try Self.scalar($0.name)): \(try $0.value.text(indented: depth + 1))" })
    case .list(let values):
      // Print a short list of scalars on one line.
      if values.allSatisfy(\.isScalar), values.count < 12 {
        "[\(try values.map { try $0.text() }.joined(separator: ", "))]"
      } else {
        block(("[", "]"), try values.map { try $0.text(indented: depth + 1) })
      }
    case .text(let text): try Self.scalar(text)
    case .integer(let number): try Self.scalar(number)
    case .number(let number): try Self.scalar(number)
    case .boolean(let value): try Self.scalar(value)
    case .null: "null"
    }
  }

  /// The value as JSON on one line.
  package func line() throws -> String {
    switch self {
    case .object(let members):
      "{\(try members.map { "\(try Self.scalar($0.name)):\(try $0.value.line())" }.joined(separator: ","))}"
    case .list(let values): "[\(try values.map { try $0.line() }.joined(separator: ","))]"
    default: try text()
    }
  }

  private var isScalar: Bool {
    switch self {
    case .object, .list: false
    default: true
    }
  }

  private static func scalar(_ value: some Encodable) throws -> String {
    String(decoding: try Envelope.encode(value), as: UTF8.self)
  }

  /// Decodes any JSON value.
  private struct DecodedTree: Decodable {
    let tree: JSONTree

    init(from decoder: any Decoder) throws {
      // Try strings first: most values are strings, and each failed attempt costs an error.
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        tree = .text(text)
      } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
        tree = .object(
          try object.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
            ($0.stringValue, try object.decode(DecodedTree.self, forKey: $0).tree)
          })
      } else if var list = try? decoder.unkeyedContainer() {
        var values: [JSONTree] = []
        while !list.isAtEnd { values.append(try list.decode(DecodedTree.self).tree) }
        tree = .list(values)
      } else {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
          tree = .null
        } else if let flag = try? value.decode(Bool.self) {
          tree = .boolean(flag)
        } else if let number = try? value.decode(Int64.self) {
          tree = .integer(number)
        } else {
          tree = .number(try value.decode(Double.self))
        }
      }
    }
  }

  /// An arbitrary object key.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
