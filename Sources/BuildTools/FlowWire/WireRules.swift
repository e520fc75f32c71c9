/// Rules for interface descriptions beyond the Varlink grammar, checked at build time. Example: a method without a `reads` or
/// `changes` annotation, or without its partition, is an error.
struct WireRules {
  let grammar: InterfaceGrammar
  /// True for poolflow's interfaces. The Varlink protocol's own interface is unchanged: it has no annotations and only reads.
  var isOurs: Bool { !grammar.name.hasPrefix("org.varlink.") }

  /// - Throws: `WireFault` for the first violation.
  func check() throws(WireFault) {
    for type in grammar.types {
      try check(type.shape, in: "type \(type.name)", line: type.line, isTop: true)
      if !type.annotations.reported.isEmpty, type.annotations.told == nil {
        throw WireFault(line: type.line, "type \(type.name) has no audit text ('#@ told'): remove its '#@ report'")
      }
      if case .fields(let fields) = type.shape {
        try check(type.annotations.sensitive, among: fields, in: "type \(type.name)", line: type.line)
      }
    }
    for method in grammar.methods {
      let context = "method \(method.name)"
      for field in method.shape.input + method.shape.output {
        try check(field.kind, in: "\(context), \(field.name)", line: method.line, isTop: false)
      }
      guard isOurs else { continue }
      guard let change = method.annotations.change else {
        throw WireFault(line: method.line, "\(context) needs exactly one of '#@ reads' and '#@ changes: WORDS'")
      }
      try check(method.annotations.sensitive, among: method.shape.input, in: context, line: method.line)
      let hasAuditAnnotations = !method.annotations.reported.isEmpty || method.annotations.auditedFile != nil
      if hasAuditAnnotations, !change.isAudited {
        throw WireFault(line: method.line, "\(context) is not audited: remove its '#@ report' and '#@ audited file'")
      }
      guard let partition = method.annotations.partition else {
        throw WireFault(
          line: method.line,
          "\(context) needs exactly one partition: write '#@ partition: team', 'server', 'all' or 'none'")
      }
      if let fault = partition.fault(in: method.shape.input, reads: change == .reads) {
        throw WireFault(line: method.line, "\(context) \(fault)")
      }
      if method.annotations.trade != nil, !method.shape.input.contains(where: { $0.name == "team" }) {
        throw WireFault(line: method.line, "\(context) belongs to one trade but has no parameter team")
      }
      if case .changes(_, let unless?) = change, !method.shape.input.contains(where: { $0.name == unless }) {
        throw WireFault(line: method.line, "\(context) has no parameter \(unless)")
      }
    }
    for error in grammar.errors where isOurs {
      guard error.annotations.exit != nil else {
        throw WireFault(line: error.line, "error \(error.name) has no exit code for pfctl: '#@ exit: CODE'")
      }
      guard error.shape.first?.name == "message" else {
        throw WireFault(line: error.line, "error \(error.name) does not begin with its message")
      }
    }
  }

  private func check(
    _ kind: InterfaceGrammar.Kind, in context: String, line: Int, isTop: Bool
  ) throws(WireFault) {
    switch kind {
    case .bool, .int, .float, .string, .object: return
    case .named(let name):
      guard grammar.type(named: name) != nil else {
        throw WireFault(line: line, "\(context): there is no type \(name)")
      }
    case .array(let element), .map(let element): try check(element, in: context, line: line, isTop: false)
    case .optional(let wrapped):
      if case .optional = wrapped { throw WireFault(line: line, "\(context): optional twice") }
      try check(wrapped, in: context, line: line, isTop: false)
    case .words(let words):
      guard isTop else { throw WireFault(line: line, "\(context): enum values need a type with a name") }
      if let word = words.first(where: { $0.first?.isNumber ?? true }) {
        throw WireFault(line: line, "\(context): an enum value of Varlink must begin with a letter, unlike '\(word)'")
      }
    case .fields(let fields):
      guard isTop else { throw WireFault(line: line, "\(context): fields need a type with a name") }
      for field in fields { try check(field.kind, in: "\(context), \(field.name)", line: line, isTop: false) }
    }
  }

  /// Checks names listed in `sensitive`: each is a field, or `FIELD.value` for the values of key-value pairs.
  private func check(
    _ sensitive: [String], among fields: [InterfaceGrammar.Field], in context: String, line: Int
  ) throws(WireFault) {
    for name in sensitive {
      let field = name.hasSuffix(".value") ? String(name.dropLast(".value".count)) : name
      guard fields.contains(where: { $0.name == field }) else {
        throw WireFault(line: line, "\(context) has no field \(field)")
      }
    }
  }
}
