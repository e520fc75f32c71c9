internal import FlowControl
import FlowModel

/// Writes a JSON Schema, draft 2020-12.
///
/// Within a version fields are only added, so objects may have additional properties; required fields and enum values stay.
struct JSONSchema {
  private let entry: SchemaEntry
  private let root: JSONShape
  private let fields: [JSONField]
  private let objects: [String: [JSONField]]

  /// The descriptions of fields, by `TYPE.FIELD`.
  private let words: [String: String]

  /// - Parameter descriptions: the comments of the interfaces (see `InterfaceDescription.comments`).
  package init(_ entry: SchemaEntry, descriptions: [String]) throws {
    self.entry = entry
    let shapes = try entry.shapes()
    root = shapes.root
    var fields = shapes.fields
    var objects = shapes.objects
    for part in entry.additionalParts {
      let shapes = try part.shapes()
      fields.append(
        JSONField(name: part.name, shape: part.isMap ? .map(shapes.root) : shapes.root, isRequired: false))
      objects.merge(shapes.objects) { first, _ in first }
    }
    (self.fields, self.objects) = (fields, objects)
    words = Self.words(in: descriptions)
  }

  var tree: JSONTree {
    var members: [(name: String, value: JSONTree)] = [
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      ("$id", .text("urn:poolflow:schema:\(entry.name)")),
      ("title", .text(entry.name)),
      ("description", .text(entry.summary.prefix(1).uppercased() + entry.summary.dropFirst() + ".")),
    ]
    var name = ""
    if case .object(let type) = root { name = type }
    members += object(fields, of: name, withName: entry.namesItself)
    let rest = objects.filter { $0.key != name }.sorted { $0.key < $1.key }
    if !rest.isEmpty {
      members.append(
        ("$defs", .object(rest.map { ($0.key, .object(described($0.key) + object($0.value, of: $0.key))) })))
    }
    return .object(members)
  }

  private func object(
    _ fields: [JSONField], of type: String, withName: Bool = false
  ) -> [(name: String, value: JSONTree)] {
    var properties: [(name: String, value: JSONTree)] = []
    if withName { properties.append(("schema", .object([("const", .text(entry.name))]))) }
    for field in fields {
      var value = schema(field.shape)
      if type == rootName, let constant = entry.constants[field.name] { value = [("const", .text(constant))] }
      properties.append((field.name, .object(value + described("\(type).\(field.name)"))))
    }
    let required = (withName ? ["schema"] : []) + fields.filter(\.isRequired).map(\.name)
    return [
      ("type", .text("object")), ("properties", .object(properties)), ("required", .list(required.map(JSONTree.text))),
      ("additionalProperties", .boolean(true)),
    ]
  }

  private var rootName: String { if case .object(let name) = root { name } else { "" } }

  private func schema(_ shape: JSONShape) -> [(name: String, value: JSONTree)] {
    func type(_ name: String) -> (name: String, value: JSONTree) { ("type", .text(name)) }
    return switch shape {
    case .boolean: [type("boolean")]
    case .integer: [type("integer")]
    case .number: [type("number")]
    case .string: [type("string")]
    case .words(let words): [type("string"), ("enum", .list(words.map(JSONTree.text)))]
    case .numbers(let numbers): [type("integer"), ("enum", .list(numbers.map { .integer(Int64($0)) }))]
    case .list(let element): [type("array"), ("items", .object(schema(element)))]
    case .map(let element): [type("object"), ("additionalProperties", .object(schema(element)))]
    case .object(let name): [("$ref", .text("#/$defs/\(name)"))]
    }
  }

  private func described(_ name: String) -> [(name: String, value: JSONTree)] {
    words[name].map { [("description", .text($0))] } ?? []
  }

  private static func words(in descriptions: [String]) -> [String: String] {
    var words: [String: String] = [:]
    for line in descriptions.joined(separator: "\n").split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2 else { continue }
      // Interfaces that share a type repeat it; the first one describes it.
      if words[String(parts[0])] == nil { words[String(parts[0])] = String(parts[1]) }
    }
    return words
  }
}
