internal import FlowControl
internal import FlowModel

/// A document that a command writes with `--json`: the name in its field `schema`, and its type. The JSON Schema and the fields
/// of `--json=FIELD,…` are derived from that type.
package struct JSONDocument: Sendable {
  package typealias Body = Codable & SendableMetatype

  let name: String
  let type: any Body.Type
  /// True if the output is a sequence of documents, one on each line.
  let isLine: Bool

  package init(_ name: String, _ type: any Body.Type, isLine: Bool = false) {
    (self.name, self.type, self.isLine) = (name, type, isLine)
  }

  /// The name and version, `pfctl.list/1`. Removing a field or changing its meaning needs a new version; adding a field does
  /// not.
  var schema: String { "pfctl.\(name)/1" }

  var shapes: JSONShapes {
    get throws { try JSONShapes(of: type) }
  }

  /// - Throws: `NotDeclared` if `body` has another type than declared, a programming error of the command.
  func bytes(of body: some Codable, _ selection: FieldSelection?) throws -> [UInt8] {
    guard Swift.type(of: body) == type else { throw NotDeclared(name: name, type: "\(Swift.type(of: body))") }
    guard let selection else { return try Envelope.document(schema, body, pretty: !isLine) }
    let selected = try selection.selected(from: JSONTree(Envelope.encode(body)), of: shapes)
    return Array((isLine ? try selected.line() : try selected.text()).utf8)
  }

  /// Thrown if a command writes a document that it does not declare.
  struct NotDeclared: Error {
    let name: String
    let type: String
  }
}

/// The fields selected by `--json=FIELD,…`, in the given order.
struct FieldSelection {
  private let fields: [String]

  /// The part of a document that holds the fields.
  private enum FieldLocation {
    /// The document's own fields.
    case document
    /// The fields of its only object, or of the rows of its only list.
    case part(String)
  }

  /// Nil if every field is wanted.
  ///
  /// - Throws: `CommandFailure` for a field that no document of the command has; it lists the valid fields.
  init?(_ text: String?, of command: any Command.Type) throws(CommandFailure) {
    guard let text, !text.isEmpty else { return nil }
    var seen: Set<String> = []
    fields = text.split(separator: ",").map(String.init).filter { seen.insert($0).inserted }
    let name = command.description.name
    guard !command.documents.isEmpty else {
      throw .usage("`pfctl \(name)` does not print a JSON document, so it has no fields to choose from")
    }
    let shapes = Self.shapes(of: command)
    if fields.isEmpty { throw .usage("--json= names no field; the fields are \(Self.known(shapes))") }
    guard !shapes.contains(where: { location(in: $0) != nil }) else { return }
    let all = shapes.flatMap(Self.names)
    guard let unknown = fields.first(where: { !all.contains($0) }) else {
      throw .usage(
        "`pfctl \(name) --json` does not have all these fields in one object; the fields are \(Self.known(shapes))")
    }
    let near = Suggestion.nearest(to: unknown, among: all)
    throw .usage(
      "`pfctl \(name) --json` has no field '\(visible(unknown))'; "
        + (near.map { "did you mean \($0)? The fields are " } ?? "the fields are ") + Self.known(shapes))
  }

  /// Only the selected fields: a list of rows as a list, anything else as one object. Fields without a value are omitted, as in
  /// the document.
  func selected(from tree: JSONTree, of shapes: JSONShapes) -> JSONTree {
    // Another document of the same command may lack some of the fields.
    guard case .part(let name) = location(in: shapes) ?? .document, let part = tree[name] else {
      return selectedFields(tree)
    }
    guard case .list(let rows) = part else { return selectedFields(part) }
    return .list(rows.map(selectedFields))
  }

  private func selectedFields(_ tree: JSONTree) -> JSONTree {
    .object(fields.compactMap { field in tree[field].map { (field, $0) } })
  }

  private func location(in shapes: JSONShapes) -> FieldLocation? {
    ([.document] + [Self.part(of: shapes)].compactMap { $0 }).first { location in
      let names = Self.names(location, in: shapes)
      return fields.allSatisfy(names.contains)
    }
  }

  private static func part(of shapes: JSONShapes) -> FieldLocation? {
    let parts = shapes.fields.filter { $0.shape.object != nil }
    return parts.count == 1 ? .part(parts[0].name) : nil
  }

  private static func names(_ location: FieldLocation, in shapes: JSONShapes) -> [String] {
    switch location {
    case .document: shapes.fields.map(\.name)
    case .part(let name):
      (shapes.fields.first { $0.name == name }?.shape.object.flatMap { shapes.objects[$0] } ?? []).map(\.name)
    }
  }

  /// The selectable field names of a command's documents.
  static func names(of command: any Command.Type) -> [String] { shapes(of: command).flatMap(names) }

  private static func shapes(of command: any Command.Type) -> [JSONShapes] {
    // Every declared type has a schema (`SchemaTests`).
    command.documents.compactMap { try? $0.shapes }
  }

  /// The names of the rows' fields, then of the document's own fields.
  private static func names(in shapes: JSONShapes) -> [String] {
    (part(of: shapes).map { names($0, in: shapes) } ?? []) + names(.document, in: shapes)
  }

  private static func known(_ shapes: [JSONShapes]) -> String {
    let lists = shapes.flatMap { shapes in
      ([part(of: shapes)].compactMap { $0 } + [.document]).map { names($0, in: shapes).joined(separator: ", ") }
    }
    return lists.joined(separator: "; or ")
  }
}
