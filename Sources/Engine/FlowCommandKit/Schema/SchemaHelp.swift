internal import FlowControl
internal import FlowModel

/// `pfctl help schema`: lists the JSON formats and prints their JSON Schemas.
enum SchemaHelp {
  /// The topic's name in `pfctl help schema`.
  static let word = "schema"
  static let summary = "the documents for programs, each with its JSON Schema"

  /// The JSON document of the list of formats.
  struct Answer: Codable {
    /// A format in the list.
    struct Schema: Codable {
      let name: String
      let summary: String
    }

    let schemas: [Schema]
  }

  /// - Parameter names: the format to print; empty lists all formats.
  static func show(_ names: [String], of catalogue: CommandCatalogue, on console: Console) throws {
    guard let name = names.first else { return try list(catalogue.schemas, on: console) }
    guard names.count == 1 else { throw CommandFailure.usage("`pfctl help schema` prints one schema at a time") }
    guard let entry = catalogue.schema(named: name) else {
      let near = Suggestion.nearest(to: name, among: catalogue.schemas.flatMap { [$0.name, $0.plainName] })
      throw CommandFailure.usage(
        "there is no schema '\(visible(name))'; "
          + (near.map { "did you mean '\($0)'?" } ?? "`pfctl help schema` lists them"))
    }
    for line in try JSONSchema(entry, descriptions: catalogue.interfaces.comments).tree.text().split(separator: "\n") {
      console.line(String(line))
    }
  }

  private static func list(_ entries: [SchemaEntry], on console: Console) throws {
    if console.isJSON {
      let schemas = entries.map { Answer.Schema(name: $0.name, summary: $0.summary) }
      return try console.document("help-schemas", Answer(schemas: schemas))
    }
    var table = Table([.init("SCHEMA"), .init("IS", minWidth: 20)])
    for entry in entries { table.add([.init(entry.name), .init(entry.summary)]) }
    console.table(table)
    console.note("`pfctl help schema NAME` prints one; the package has them in /usr/share/poolflow/schemas")
  }
}
