/// Compiles the `#@ report: …` of a call to a Swift expression of type `AuditRedaction`, and checks that it states every
/// parameter whose value is in the audit text.
struct ReportCompiler {
  private let grammar: InterfaceGrammar
  private var teams = 0
  /// True after the first operand that is not a team. A bug report cannot find the operands after it, because its value may
  /// have spaces.
  private var hasOtherOperand = false
  private var options: [(name: String, kind: String)] = []
  private var enums: [String] = []

  private init(_ grammar: InterfaceGrammar) { self.grammar = grammar }

  /// - Parameter words: the audit template of the method.
  /// - Throws: `WireFault` for a missing, needless or unfit statement.
  static func expression(
    _ method: InterfaceGrammar.Member<InterfaceGrammar.Method>, words: String, in grammar: InterfaceGrammar
  ) throws(WireFault) -> String {
    var compiler = Self(grammar)
    try compiler.add(
      words, fields: method.shape.input, annotations: method.annotations, of: "method \(method.name)", line: method.line
    )
    let command = words.prefix { $0 != "{" && $0 != "'" }.split(separator: " ").prefix { !$0.hasPrefix("--") }
    let arguments = [
      "command: [\(command.map { SwiftNames.literal(String($0)) }.joined(separator: ", "))]",
      "teams: \(compiler.teams)",
      "options: [\(compiler.options.map { "\(SwiftNames.literal($0.name)): .\($0.kind)" }.joined(separator: ", "))]"
        .replacing("[]", with: "[:]"),
      "words: [\(compiler.enums.map { "\($0).allCases.map(\\.rawValue)" }.joined(separator: ", "))]",
    ]
    return "AuditRedaction(\(arguments.joined(separator: ", ")))"
  }

  /// Adds the values of a template to the redaction.
  private mutating func add(
    _ words: String, fields: [InterfaceGrammar.Field], annotations: [Annotation], of owner: String, line: Int
  ) throws(WireFault) {
    let template = AuditTemplate(fields: fields, sensitive: annotations.sensitive, line: line)
    var statements = annotations.reported
    var pairs: Set<String> = []
    for value in try template.values(words) {
      if value.isPairs { pairs.insert(value.field.name) }
      if value.field.isBool { continue }
      if let type = toldType(of: value.field), let told = type.annotations.told, case .fields(let inner) = type.shape {
        try add(told, fields: inner, annotations: type.annotations, of: "type \(type.name)", line: type.line)
        continue
      }
      guard let index = statements.firstIndex(where: { $0.name == value.field.name }) else {
        throw WireFault(line: line, "\(owner) \(Self.remedy(for: value.field.name))")
      }
      if let fault = add(value, as: statements.remove(at: index).kind) {
        throw WireFault(line: line, "\(owner) \(fault)")
      }
    }
    for statement in statements {
      let parts = statement.name.split(separator: ".").map(String.init)
      guard parts.count == 2, pairs.contains(parts[0]), statement.kind == .numbers else {
        throw WireFault(
          line: line, "\(owner) does not write \(statement.name) to the audit: remove it from its '#@ report'")
      }
      options.append((parts[1], "number"))
    }
  }

  private static func remedy(for name: String) -> String {
    let others = ReportRule.Kind.allCases.filter { $0 != .hides }.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return
      "writes \(name) to the audit but does not say whether a bug report keeps it: write '#@ report: hides \(name)'"
      + " (instead of 'hides' also \(others))"
  }

  /// Adds one value.
  ///
  /// - Returns: why the value cannot be of this kind; nil if it can.
  private mutating func add(_ value: AuditTemplate.Value, as kind: ReportRule.Kind) -> String? {
    let name = value.field.name
    guard value.isPairs == (kind == .options) else {
      return value.isPairs
        ? "writes the pairs \(name) to the audit: write '#@ report: options \(name)'"
        : "has a \(name) that is no list of pairs: 'options' is for pairs"
    }
    switch kind {
    case .teams:
      guard value.field.isText else { return "has a \(name) that is no string, so it names no team" }
      guard value.option != nil || !hasOtherOperand else {
        return "writes \(name) after another operand, where a bug report does not find a team"
      }
      if value.option == nil { teams += 1 }
    case .numbers:
      guard value.option != nil else { return "writes \(name) without an option: 'numbers' is for values of options" }
    case .words:
      guard let type = enumType(of: value.field) else { return "has a \(name) that is no enum: 'words' is for enums" }
      enums.append(type)
    case .options, .hides: break
    }
    let names: [ReportRule.Kind: String] = [.teams: "team", .numbers: "number"]
    if let option = value.option { options.append((option, names[kind] ?? "hidden")) }
    if value.option == nil, kind != .teams { hasOtherOperand = true }
    return nil
  }

  /// The declaration of the field's type, if it is a structure with an audit template of its own.
  private func toldType(of field: InterfaceGrammar.Field) -> InterfaceGrammar.Member<InterfaceGrammar.Kind>? {
    guard case .named(let name) = field.kind else { return nil }
    return grammar.types.first { $0.name == name && $0.annotations.told != nil }
  }

  /// The name of the field's enum; nil if it has another type.
  private func enumType(of field: InterfaceGrammar.Field) -> String? {
    let kind = if case .optional(let wrapped) = field.kind { wrapped } else { field.kind }
    guard case .named(let name) = kind, case .words? = grammar.type(named: name) else { return nil }
    return name
  }
}
