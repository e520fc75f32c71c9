/// Template for the audit text of a change, compiled to a Swift expression over the call's parameters.
///
/// Only parameters in braces appear in the audit:
///
///     {name}               the value; for a type with `told`, that type's text
///     { name}              a space and the value, if there is one
///     { name| --all}       likewise; the text after the bar if there is none
///     {id|upload}          the first of two parameters that has a value
///     {--as-of}            `--as-of` and the value of `as_of`, if there is one; for a bool, `--as-of` if it is true;
///                          for a list, its values with commas
///     {--at as_of}         `--at` and the value of `as_of`, if there is one
///     {only_dead? --state dead:}    the first text if the bool is true, otherwise the second
///     {changes --KEY}      for pairs of `key` and `value`: each key, without values
///     {changes --KEY VALUE}, {changes KEY=VALUE}    for pairs: each key with its value
struct AuditTemplate {
  typealias Field = InterfaceGrammar.Field

  /// A part of a template.
  enum Piece {
    case text(String)
    case value(Field)
    case spaced(Field, otherwise: String)
    case firstOf(Field, Field)
    case option(String, Field)
    case choice(Field, yes: String, no: String)
    case pairs(Field, PairForm)
  }

  /// The form in which pairs appear; a raw value is the name of a function of `AuditText`.
  enum PairForm: String {
    case keys, options, assignments
  }

  /// A parameter whose value is in the audit text.
  struct Value {
    let field: Field
    /// The option before the value; nil for an operand.
    let option: String?
    /// True for pairs whose values are in the text.
    let isPairs: Bool

    init(_ field: Field, option: String? = nil, isPairs: Bool = false) {
      self.field = field
      self.option = option
      self.isPairs = isPairs
    }
  }

  private let fields: [Field]
  private let sensitive: [String]
  private let line: Int

  /// - Parameter sensitive: parameters that must not appear: a name, or `PARAMETER.value` for the values of its pairs.
  init(fields: [Field], sensitive: [String], line: Int) {
    self.fields = fields
    self.sensitive = sensitive
    self.line = line
  }

  /// Compiles a template.
  ///
  /// - Returns: a Swift expression of type `String`.
  /// - Throws: `WireFault` for an unknown or sensitive parameter, or an unclosed brace.
  func expression(_ template: String) throws(WireFault) -> String {
    "AuditText.joined([\(try pieces(template).map(Self.expression).joined(separator: ", "))])"
  }

  private static func expression(_ piece: Piece) -> String {
    func name(_ field: Field) -> String { SwiftNames.value(field.name) }
    switch piece {
    case .text(let text): return SwiftNames.literal(text)
    case .value(let field):
      if case .named = field.kind { return "\(name(field)).toldWords" }
      return "AuditText.plain(\(name(field)))"
    case .spaced(let field, let otherwise):
      return "AuditText.spaced(\(name(field)), otherwise: \(SwiftNames.literal(otherwise)))"
    case .firstOf(let first, let second): return "AuditText.plain(\(name(first)) ?? \(name(second)))"
    case .option(let option, let field):
      if field.kind == .bool { return "\(name(field)) ? \" --\(option)\" : \"\"" }
      return "AuditText.option(\"--\(option)\", \(name(field)))"
    case .choice(let field, let yes, let no):
      return "\(name(field)) ? \(SwiftNames.literal(yes)) : \(SwiftNames.literal(no))"
    case .pairs(let field, let form): return "AuditText.\(form.rawValue)(\(name(field)).map { ($0.key, $0.value) })"
    }
  }

  /// The values in the text, in order.
  /// - Throws: `WireFault` for an unknown or sensitive parameter, or an unclosed brace.
  func values(_ template: String) throws(WireFault) -> [Value] {
    var values: [Value] = []
    // The option that ends the text before the next value.
    var option: String?
    for piece in try pieces(template) {
      if case .text(let text) = piece {
        option = Self.lastOption(of: text)
        continue
      }
      switch piece {
      case .text, .choice: break
      case .value(let field): values.append(Value(field, option: option))
      case .spaced(let field, otherwise: _): values.append(Value(field))
      case .firstOf(let first, let second): values += [Value(first, option: option), Value(second, option: option)]
      case .option(let name, let field): values.append(Value(field, option: name))
      case .pairs(let field, let form): if form != .keys { values.append(Value(field, isPairs: true)) }
      }
      option = nil
    }
    return values
  }

  /// `dose` of ` --team x --dose `; nil if the text does not end in an option.
  private static func lastOption(of text: String) -> String? {
    guard text.hasSuffix(" "), let word = text.split(separator: " ").last, word.hasPrefix("--") else { return nil }
    return String(word.dropFirst(2))
  }

  // MARK: Parsing

  /// Parses a template.
  /// - Throws: `WireFault` for an unknown or sensitive parameter, or an unclosed brace.
  func pieces(_ template: String) throws(WireFault) -> [Piece] {
    var pieces: [Piece] = []
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else { throw fault("a brace is not closed in '\(template)'") }
      pieces.append(try placeholder(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    return pieces
  }

  /// Parses the text between two braces; its forms are listed at `AuditTemplate`.
  private func placeholder(_ text: String) throws(WireFault) -> Piece {
    if text.hasPrefix("--") {
      let words = text.dropFirst(2).split(separator: " ", maxSplits: 1).map(String.init)
      let option = words.first ?? ""
      return .option(option, try field(words.count == 2 ? words[1] : String(option.map { $0 == "-" ? "_" : $0 })))
    }
    if let mark = text.firstIndex(of: "?"), let colon = text[mark...].firstIndex(of: ":") {
      let field = try field(String(text[..<mark]))
      guard field.kind == .bool else { throw fault("\(field.name) is not a bool") }
      let yes = String(text[text.index(after: mark)..<colon])
      return .choice(field, yes: yes, no: String(text[text.index(after: colon)...]))
    }
    let words = text.split(separator: " ", maxSplits: 1)
    if words.count == 2, !text.hasPrefix(" "), words[1].contains("KEY") { return try pairs(words[0], words[1]) }
    if text.hasPrefix(" ") { return try spaced(text.dropFirst()) }
    if let bar = text.firstIndex(of: "|") {
      let first = try field(String(text[..<bar]))
      return .firstOf(first, try field(String(text[text.index(after: bar)...])))
    }
    return .value(try field(text))
  }

  /// Parses `{ name}` or `{ name| otherwise}`, without the first space.
  private func spaced(_ text: Substring) throws(WireFault) -> Piece {
    guard let bar = text.firstIndex(of: "|") else { return .spaced(try field(String(text)), otherwise: "") }
    return .spaced(try field(String(text[..<bar])), otherwise: String(text[text.index(after: bar)...]))
  }

  /// Parses `{name --KEY}` and its variants.
  /// - Throws: `WireFault` if the values of `name` are sensitive and would appear.
  private func pairs(_ name: Substring, _ form: Substring) throws(WireFault) -> Piece {
    let field = try field(String(name))
    let forms: [String: PairForm] = ["--KEY": .keys, "--KEY VALUE": .options, "KEY=VALUE": .assignments]
    guard let form = forms[String(form)] else { throw fault("pairs are logged as --KEY, --KEY VALUE or KEY=VALUE") }
    if form != .keys, sensitive.contains("\(field.name).value") {
      throw fault("the values of \(field.name) are sensitive: the audit may only log --KEY")
    }
    return .pairs(field, form)
  }

  /// - Throws: `WireFault` if the parameter does not exist or is sensitive.
  private func field(_ name: String) throws(WireFault) -> Field {
    guard let field = fields.first(where: { $0.name == name }) else { throw fault("there is no parameter \(name)") }
    guard !sensitive.contains(name) else { throw fault("\(name) is sensitive: the audit may not log it") }
    return field
  }

  private func fault(_ message: String) -> WireFault { WireFault(line: line, message) }
}
