internal import FlowControl
internal import FlowNotices

/// A JSON format for other programs: its versioned name, its description and its type.
package struct SchemaEntry: Sendable {
  /// The value of the field `schema`; for an event, its type.
  package let name: String
  /// One line without a full stop.
  package let summary: String
  /// True if the document has its name in a field `schema`.
  let namesItself: Bool
  package let shapes: @Sendable () throws -> JSONShapes
  /// Optional fields besides those of the type.
  var additionalParts: [Part] = []
  /// Fields of the type with a fixed value.
  var constants: [String: String] = [:]

  /// A document that is no command's `--json`, but has its name in a field `schema`.
  package init(
    document name: String, _ summary: String, shapes: @escaping @Sendable () throws -> JSONShapes
  ) {
    self.init(name: name, summary: summary, namesItself: true, shapes: shapes)
  }

  package init(
    name: String, summary: String, namesItself: Bool, shapes: @escaping @Sendable () throws -> JSONShapes
  ) {
    (self.name, self.summary, self.namesItself, self.shapes) = (name, summary, namesItself, shapes)
  }

  /// An additional optional field.
  package struct Part: Sendable {
    package let name: String
    /// True if the field is an object with arbitrary keys whose values have this type.
    package let isMap: Bool
    package let shapes: @Sendable () throws -> JSONShapes

    package init(
      _ name: String, isMap: Bool = false, shapes: @escaping @Sendable () throws -> JSONShapes
    ) {
      (self.name, self.isMap, self.shapes) = (name, isMap, shapes)
    }
  }

  package var plainName: String { name.split(separator: "/").first.map(String.init) ?? name }

  /// The documents of commands.
  package static func documents(of commands: [any Command.Type]) -> [SchemaEntry] {
    var writers: [String: [String]] = [:]
    var found: [JSONDocument] = []
    for command in commands {
      for document in command.documents {
        if writers[document.schema] == nil { found.append(document) }
        writers[document.schema, default: []].append("`pfctl \(command.description.name)`")
      }
    }
    return found.map { document in
      let names = (writers[document.schema] ?? []).joined(separator: ", ")
      let isWritten = writers[document.schema]?.count == 1 ? "writes" : "write"
      return SchemaEntry(
        document: document.schema,
        document.isLine ? "each line of \(names) with --json" : "what \(names) \(isWritten) with --json",
        shapes: { try document.shapes })
    }
  }

  package static let error = SchemaEntry(
    document: "pfctl.error/1", "what any command writes to standard error with --json if it fails",
    shapes: { try JSONShapes(of: FailureReport.self) })
}

/// The data of the events of one job.
package struct EventSchema: Sendable {
  package let job: String
  /// True if the event's type is exactly this name; false if it is a prefix, as for `org.poolflow.reminder-filters`.
  package let isExactType: Bool
  /// The part before those that every event may have; nil for none.
  package let details: SchemaEntry.Part?
  /// Parts after those that every event may have.
  package let extra: [SchemaEntry.Part]

  /// - Parameters:
  ///   - details: the form of the field `details`; nil if the job has none.
  ///   - extra: optional fields after those that every event may have.
  package init(
    _ job: String, isExactType: Bool = true, extra: [SchemaEntry.Part] = [],
    details: (@Sendable () throws -> JSONShapes)? = nil
  ) {
    (self.job, self.isExactType, self.extra) = (job, isExactType, extra)
    self.details = details.map { SchemaEntry.Part("details", shapes: $0) }
  }

  /// - Parameter parts: the optional fields of every event.
  package func entry(_ parts: [SchemaEntry.Part]) -> SchemaEntry {
    let type = "org.poolflow.\(job)"
    var entry = SchemaEntry(
      name: "\(type)/1", summary: "the data of an event whose type is \(type)\(isExactType ? "" : "-NAME")",
      namesItself: false, shapes: { try JSONShapes(of: NoticeData.self) })
    if isExactType { entry.constants["job"] = job }
    entry.additionalParts = [details].compactMap { $0 } + parts + extra
    return entry
  }
}
