/// The documents that a command may write with `--json`, and the fields of them that were asked for.
struct CommandDocuments {
  private let declared: [JSONDocument]
  /// Nil selects all fields.
  private let selection: FieldSelection?
  /// True while another command writes the document.
  var areSuppressed = false

  init(_ arguments: Arguments?) throws(CommandFailure) {
    declared = arguments?.command.documents ?? []
    selection = try arguments.flatMap { arguments throws(CommandFailure) in
      try FieldSelection(arguments["json"], of: arguments.command)
    }
  }

  /// The bytes of a document; nil if documents are suppressed.
  ///
  /// - Throws: `JSONDocument.NotDeclared` if the command does not declare it.
  func bytes(_ name: String, _ body: some Codable) throws -> [UInt8]? {
    guard !areSuppressed else { return nil }
    guard let document = declared.first(where: { $0.name == name }) else {
      throw JSONDocument.NotDeclared(name: name, type: "\(type(of: body))")
    }
    return try document.bytes(of: body, selection)
  }
}
