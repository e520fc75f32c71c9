/// Conversion of Varlink names, types and texts to Swift.
enum SwiftNames {
  private static let reserved: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Snake case to camel case: `notice_id` becomes `noticeId`.
  static func camel(_ name: String) -> String {
    var words = name.split(separator: "_").map(String.init)
    for index in words.indices.dropFirst() {
      words[index] = words[index].prefix(1).uppercased() + words[index].dropFirst()
    }
    return words.joined()
  }

  /// The Swift name of a property or enum case.
  static func value(_ name: String) -> String { quoted(camel(name)) }

  /// The Swift function name of a method: `LogVisit` becomes `logVisit`.
  static func verb(_ name: String) -> String { quoted(name.prefix(1).lowercased() + name.dropFirst()) }

  /// The name, in backticks if it is a Swift keyword.
  static func quoted(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

  /// `text` as a Swift string literal.
  static func literal(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if character == "\\" || character == "\"" { escaped.append("\\") }
      escaped.append(character)
    }
    return "\"\(escaped)\""
  }

  /// Name of the enum that contains an interface's calls, such as `FieldCall`.
  static func calls(of interface: String) -> String { base(interface) + "Call" }

  /// Name of the protocol that implements an interface, such as `FieldService`.
  static func service(of interface: String) -> String { base(interface) + "Service" }

  /// Name of the property with an interface's description, such as `field`.
  static func description(of interface: String) -> String { verb(base(interface)) }

  private static func base(_ interface: String) -> String {
    let last = interface.split(separator: ".").last.map(String.init) ?? interface
    return last.prefix(1).uppercased() + last.dropFirst()
  }

  /// The Swift type of a Varlink type.
  static func type(_ kind: InterfaceGrammar.Kind) -> String {
    switch kind {
    case .bool: "Bool"
    case .int: "Int"
    case .float: "Double"
    case .string: "String"
    case .object: "ControlObject"
    case .named(let name): name
    case .array(let element): "[\(type(element))]"
    case .map(let element): "[String: \(type(element))]"
    case .optional(let wrapped): "\(type(wrapped))?"
    // `WireRules` rejects anonymous enums and structures, because Swift cannot express them.
    case .words, .fields: "Never"
    }
  }
}
