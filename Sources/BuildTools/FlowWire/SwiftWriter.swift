/// Generates the Swift source of one interface: its types, its calls with their answers, the service protocol, and the
/// description that the daemon serves.
package struct SwiftWriter {
  private let grammar: InterfaceGrammar
  private let description: String
  /// Names of types already generated for an earlier interface.
  private let known: Set<String>
  /// The modules whose declarations the source needs.
  private let imports: [String]

  /// - Throws: `WireFault` if the description violates `WireRules`.
  package init(
    _ grammar: InterfaceGrammar, description: String, known: Set<String>, imports: [String] = []
  ) throws(WireFault) {
    try WireRules(grammar: grammar).check()
    self.grammar = grammar
    self.description = description
    self.known = known
    self.imports = imports
  }

  private var calls: String { SwiftNames.calls(of: grammar.name) }

  /// Returns the content of the interface's Swift file.
  package func source() throws(WireFault) -> String {
    var swift = SwiftText()
    swift.line("// Generated from \(grammar.name).varlink; do not edit.")
    if !imports.isEmpty { swift.line() }
    for module in imports { swift.line("package import \(module)") }
    for type in grammar.types where !known.contains(type.name) {
      swift.line()
      try write(type, to: &swift)
    }
    if !grammar.methods.isEmpty {
      swift.line()
      swift.comment(grammar.comment)
      try swift.block("package enum \(calls)") { (swift) throws(WireFault) in
        var replies: Set<String> = []
        for method in grammar.methods {
          try write(method, to: &swift, replies: &replies)
        }
      }
      swift.line()
      try writeService(to: &swift)
    }
    try SwiftDescription(grammar, text: description).write(to: &swift)
    return swift.text
  }

  // MARK: Types

  /// Writes a type declaration: an enum, a structure or a type alias.
  private func write(_ type: InterfaceGrammar.Member<InterfaceGrammar.Kind>, to swift: inout SwiftText)
    throws(WireFault)
  {
    swift.comment(type.comment)
    switch type.shape {
    case .words(let words):
      try swift.block("package enum \(type.name): String, WireWord") {
        (swift) throws(WireFault) in
        for word in words {
          let name = SwiftNames.value(word)
          swift.line(name == word ? "case \(name)" : "case \(name) = \(SwiftNames.literal(word))")
        }
      }
    case .fields(let fields):
      let compared = type.annotations.contains(.compared) ? "Hashable, " : ""
      try swift.block("package struct \(type.name): Codable, \(compared)Sendable") { (swift) throws(WireFault) in
        try writeFields(fields, pagedField: pagedFields[type.name], to: &swift)
        guard let told = type.annotations.told else { return }
        let template = AuditTemplate(fields: fields, sensitive: type.annotations.sensitive, line: type.line)
        swift.line()
        swift.line("package var toldWords: String { \(try template.expression(told)) }")
      }
    case .bool, .int, .float, .string, .object, .named, .array, .map, .optional:
      swift.line("package typealias \(type.name) = \(SwiftNames.type(type.shape))")
    }
  }

  /// Writes properties, an initialiser, `init(from:)` and `encode(to:)`.
  private func writeFields(
    _ fields: [InterfaceGrammar.Field], pagedField: String? = nil, to swift: inout SwiftText
  ) throws(WireFault) {
    for field in fields {
      swift.comment(field.comment)
      let access = field.name == pagedField ? "package internal(set) var" : "package let"
      swift.line("\(access) \(SwiftNames.value(field.name)): \(SwiftNames.type(field.kind))")
    }
    if !fields.isEmpty { swift.line() }
    let parameters = fields.map {
      "\(SwiftNames.value($0.name)): \(SwiftNames.type($0.kind))\($0.isOptional ? " = nil" : "")"
    }
    try swift.block("package init(\(parameters.joined(separator: ", ")))") { (swift) throws(WireFault) in
      for field in fields {
        let name = SwiftNames.value(field.name)
        swift.line("self.\(name) = \(name)")
      }
    }
    // Shared `WireKey` keys: a key enum per structure would double the size of the code.
    guard !fields.isEmpty else { return }
    swift.line()
    try swift.block("package init(from decoder: any Decoder) throws") { (swift) throws(WireFault) in
      swift.line("let wire = try decoder.container(keyedBy: WireKey.self)")
      for field in fields {
        let verb = field.isOptional ? "optional" : "value"
        swift.line("self.\(SwiftNames.value(field.name)) = try wire.\(verb)(\(SwiftNames.literal(field.name)))")
      }
    }
    swift.line()
    try swift.block("package func encode(to encoder: any Encoder) throws") { (swift) throws(WireFault) in
      swift.line("var wire = encoder.container(keyedBy: WireKey.self)")
      for field in fields {
        let verb = field.isOptional ? "putOptional" : "put"
        swift.line("try wire.\(verb)(self.\(SwiftNames.value(field.name)), \(SwiftNames.literal(field.name)))")
      }
    }
  }

  // MARK: Calls

  private func write(
    _ method: InterfaceGrammar.Member<InterfaceGrammar.Method>, to swift: inout SwiftText, replies: inout Set<String>
  ) throws(WireFault) {
    swift.comment(method.comment)
    try swift.block("package struct \(method.name): ControlMethod") { (swift) throws(WireFault) in
      swift.line("package static let method = \(SwiftNames.literal("\(grammar.name).\(method.name)"))")
      let change = method.annotations.change
      if change != nil, change != .reads { swift.line("package static let changes = true") }
      writeWork(of: method.annotations, to: &swift)
      if let trade = method.annotations.trade {
        swift.line("package static let trade: String? = \(SwiftNames.literal(trade))")
      }
      let names = method.shape.input.map { SwiftNames.literal($0.name) }
      swift.line("package static let parameterNames: [String] = [\(names.joined(separator: ", "))]")
      swift.line()
      try writeFields(method.shape.input, to: &swift)
      if method.shape.input.contains(where: { $0.name == "team" && $0.isText }) {
        swift.line()
        swift.line("package var namedTeam: String? { team }")
      }
      swift.line()
      // The calls of the Varlink protocol's own interface have no annotations.
      swift.line("package var partition: CallPartition { \(method.annotations.partition?.expression ?? ".none") }")
      try writeAudit(of: method, to: &swift)
      swift.line()
      if let reply = method.annotations.reply {
        swift.line("package typealias Reply = \(calls).\(reply)")
      } else {
        try writeReply(named: "Reply", method, to: &swift)
      }
    }
    swift.line()
    guard let reply = method.annotations.reply, replies.insert(reply).inserted else { return }
    for other in grammar.methods where other.annotations.reply == reply && other.shape.output != method.shape.output {
      throw WireFault(
        line: other.line, "method \(other.name) has a different reply than \(method.name), both named \(reply)")
    }
    try writeReply(named: reply, method, to: &swift)
    swift.line()
  }

  /// Writes the properties that tell the daemon how to schedule the call (`work`, `answersAtLength`).
  private func writeWork(of annotations: [Annotation], to swift: inout SwiftText) {
    if annotations.contains(.long) { swift.line("package static let work = CallWork.long") }
    for case .waits(let withMore) in annotations {
      swift.line("package static let \(withMore ? "streamingWork" : "work") = CallWork.watching")
    }
    for case .lengthy(let withoutMore) in annotations {
      swift.line("package static let answersAtLength = true")
      if withoutMore { swift.line("package static let streamsAtLength = false") }
    }
  }

  /// Writes the answer's structure, with `rows` if it is paged.
  private func writeReply(
    named name: String, _ method: InterfaceGrammar.Member<InterfaceGrammar.Method>, to swift: inout SwiftText
  ) throws(WireFault) {
    let path = method.annotations.pages
    let conformance = path == nil ? "Codable" : "PagedReply"
    try swift.block("package struct \(name): \(conformance), Sendable") { (swift) throws(WireFault) in
      try writeFields(method.shape.output, pagedField: path?.first, to: &swift)
      guard let path else { return }
      guard case .array(let row)? = pagedKind(path, among: method.shape.output) else {
        throw WireFault(
          line: method.line, "method \(method.name) answers no list \(path.joined(separator: "."))")
      }
      let property = path.map(SwiftNames.value).joined(separator: ".")
      swift.line()
      try swift.block("package var rows: [\(SwiftNames.type(row))]") { (swift) throws(WireFault) in
        swift.line("get { \(property) }")
        swift.line("set { \(property) = newValue }")
      }
    }
  }

  /// The type of the field at a path of names; nil if the path does not exist.
  private func pagedKind(_ path: [String], among fields: [InterfaceGrammar.Field]) -> InterfaceGrammar.Kind? {
    guard let name = path.first, let field = fields.first(where: { $0.name == name }) else { return nil }
    guard path.count > 1 else { return field.kind }
    guard case .named(let type) = field.kind, case .fields(let inner)? = grammar.type(named: type) else { return nil }
    return pagedKind(Array(path.dropFirst()), among: inner)
  }

  /// For types that contain a paged list: the name of the list's field, by type name.
  private var pagedFields: [String: String] {
    var found: [String: String] = [:]
    for method in grammar.methods {
      guard let path = method.annotations.pages, path.count == 2,
        case .named(let type)? = method.shape.output.first(where: { $0.name == path[0] })?.kind
      else { continue }
      found[type] = path[1]
    }
    return found
  }

  /// Writes `auditWords` from the `changes` annotation.
  private func writeAudit(
    of method: InterfaceGrammar.Member<InterfaceGrammar.Method>, to swift: inout SwiftText
  ) throws(WireFault) {
    switch method.annotations.change {
    case .changes(let words, let unless):
      let template = AuditTemplate(
        fields: method.shape.input, sensitive: method.annotations.sensitive, line: method.line)
      let told = try template.expression(words)
      swift.line()
      try swift.block("package var auditWords: String?") { (swift) throws(WireFault) in
        if let unless { swift.line("if AuditText.isSet(\(SwiftNames.value(unless))) { return nil }") }
        swift.line("return \(told)")
      }
      if let name = method.annotations.auditedFile {
        guard try template.values(words).contains(where: { $0.field.name == name && $0.field.isText }) else {
          let fault = "writes no string \(name) to the audit: remove its '#@ audited file'"
          throw WireFault(line: method.line, "method \(method.name) \(fault)")
        }
        swift.line()
        swift.line("package var auditedUpload: String? { \(SwiftNames.value(name)) }")
      }
      swift.line()
      let redaction = try ReportCompiler.expression(method, words: words, in: grammar)
      swift.line("package static let auditRedaction: AuditRedaction? = \(redaction)")
    case .unaudited:
      swift.line()
      swift.line("package var auditWords: String? { nil }")
    case .reads, .streams, .pages, .lengthy, .long, .waits, .partition, .auditedFile, .report, .trade, .reply,
      .sensitive, .told, .compared, .exit, nil:
      break
    }
  }

  // MARK: The service

  /// Writes the protocol that the daemon implements, and `verbs(of:)`, which maps methods to it.
  private func writeService(to swift: inout SwiftText) throws(WireFault) {
    let service = SwiftNames.service(of: grammar.name)
    swift.line(
      "/// The service of \(grammar.name): one function for each of its methods. It throws `ControlError` for a refusal."
    )
    try swift.block("package protocol \(service): Sendable") { (swift) throws(WireFault) in
      for method in grammar.methods {
        let type = "\(calls).\(method.name)"
        let more = method.annotations.contains(.streams) ? ", _ more: MoreAnswers<\(type).Reply>?" : ""
        swift.comment(method.comment)
        swift.line(
          "func \(SwiftNames.verb(method.name))(_ call: \(type), _ caller: Caller\(more)) async throws -> \(type).Reply"
        )
      }
    }
    swift.line()
    try swift.block("extension \(calls)") { (swift) throws(WireFault) in
      swift.line("/// All methods of the interface, each answered by `service`.")
      try swift.block("package static func verbs(of service: some \(service)) -> [ControlVerb]") {
        (swift) throws(WireFault) in
        swift.line("[")
        for method in grammar.methods {
          let more = method.annotations.contains(.streams) ? ", $2" : ""
          let verb = SwiftNames.verb(method.name)
          swift.line("  ControlVerb { try await service.\(verb)($0 as \(method.name), $1\(more)) },")
        }
        swift.line("]")
      }
    }
  }
}
