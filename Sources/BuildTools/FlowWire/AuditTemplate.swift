/// Template for the audit text of a change, compiled to a Swift expression over the call's parameters.
///
/// Only parameters in braces appear in the audit:
///
///     {name}               the value; for a type with `told`, that type's text
///     { name}              a space and the value, if there is one
///     { name| --all}       likewise; the text after the bar if there is none
///     {id|upload}          the first of two parameters that has a value
///     {--as-of}            `--as-of` and the value of `as_of`, if there is one; for a bool, `--as-of` if it is true
///     {--at as_of}         `--at` and the value of `as_of`, if there is one
///     {only_dead? --state dead:}    the first text if the bool is true, otherwise the second
///     {changes --KEY}      for pairs of `key` and `value`: each key, without values
///     {changes --KEY VALUE}, {changes KEY=VALUE}    for pairs: each key with its value
struct AuditTemplate {
  private let fields: [InterfaceGrammar.Field]
  private let sensitive: [String]
  private let line: Int

  /// - Parameter sensitive: parameters that must not appear: a name, or `PARAMETER.value` for the values of its pairs.
  init(fields: [InterfaceGrammar.Field], sensitive: [String], line: Int) {
    self.fields = fields
    self.sensitive = sensitive
    self.line = line
  }

  /// Compiles a template.
  ///
  /// - Returns: a Swift expression of type `String`.
  /// - Throws: `WireFault` for an unknown or sensitive parameter, or an unclosed brace.
  func expression(_ template: String) throws(WireFault) -> String {
    var pieces: [String] = []
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { pieces.append(literal(rest[..<open])) }
      guard let close = rest[open...].firstIndex(of: "}") else { throw fault("a brace is not closed in '\(template)'") }
      pieces.append(try placeholder(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(literal(rest)) }
    return "AuditText.joined([\(pieces.joined(separator: ", "))])"
  }

  /// Compiles the text between two braces; its forms are listed at `AuditTemplate`.
  private func placeholder(_ text: String) throws(WireFault) -> String {
    if text.hasPrefix("--") {
      let words = text.dropFirst(2).split(separator: " ", maxSplits: 1).map(String.init)
      let option = words.first ?? ""
      let field = try field(words.count == 2 ? words[1] : String(option.map { $0 == "-" ? "_" : $0 }))
      if field.kind == .bool { return "\(swiftName(field)) ? \" --\(option)\" : \"\"" }
      return "AuditText.option(\"--\(option)\", \(swiftName(field)))"
    }
    if let mark = text.firstIndex(of: "?"), let colon = text[mark...].firstIndex(of: ":") {
      let field = try field(String(text[..<mark]))
      guard field.kind == .bool else { throw fault("\(field.name) is not a bool") }
      let yes = text[text.index(after: mark)..<colon]
      return "\(swiftName(field)) ? \(literal(yes)) : \(literal(text[text.index(after: colon)...]))"
    }
    let words = text.split(separator: " ", maxSplits: 1)
    if words.count == 2, !text.hasPrefix(" "), words[1].contains("KEY") { return try pairs(words[0], words[1]) }
    if text.hasPrefix(" ") { return try spaced(text.dropFirst()) }
    if let bar = text.firstIndex(of: "|") {
      let first = try field(String(text[..<bar]))
      let second = try field(String(text[text.index(after: bar)...]))
      return "AuditText.plain(\(swiftName(first)) ?? \(swiftName(second)))"
    }
    let field = try field(text)
    if case .named = field.kind { return "\(swiftName(field)).toldWords" }
    return "AuditText.plain(\(swiftName(field)))"
  }

  /// Compiles `{ name}` or `{ name| otherwise}`, without the first space.
  private func spaced(_ text: Substring) throws(WireFault) -> String {
    guard let bar = text.firstIndex(of: "|") else {
      return "AuditText.spaced(\(swiftName(try field(String(text)))), otherwise: \"\")"
    }
    let other = text[text.index(after: bar)...]
    return "AuditText.spaced(\(swiftName(try field(String(text[..<bar])))), otherwise: \(literal(other)))"
  }

  /// Compiles `{name --KEY}` and its variants.
  /// - Throws: `WireFault` if the values of `name` are sensitive and would appear.
  private func pairs(_ name: Substring, _ form: Substring) throws(WireFault) -> String {
    let field = try field(String(name))
    let forms = ["--KEY": "keys", "--KEY VALUE": "options", "KEY=VALUE": "assignments"]
    guard let verb = forms[String(form)] else { throw fault("pairs are logged as --KEY, --KEY VALUE or KEY=VALUE") }
    if verb != "keys", sensitive.contains("\(field.name).value") {
      throw fault("the values of \(field.name) are sensitive: the audit may only log --KEY")
    }
    return "AuditText.\(verb)(\(swiftName(field)).map { ($0.key, $0.value) })"
  }

  /// - Throws: `WireFault` if the parameter does not exist or is sensitive.
  private func field(_ name: String) throws(WireFault) -> InterfaceGrammar.Field {
    guard let field = fields.first(where: { $0.name == name }) else { throw fault("there is no parameter \(name)") }
    guard !sensitive.contains(name) else { throw fault("\(name) is sensitive: the audit may not log it") }
    return field
  }

  private func swiftName(_ field: InterfaceGrammar.Field) -> String { SwiftNames.value(field.name) }

  private func literal(_ text: Substring) -> String { SwiftNames.literal(String(text)) }

  private func fault(_ message: String) -> WireFault { WireFault(line: line, message) }
}
