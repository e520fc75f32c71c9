/// A parsed `.varlink` file: its types, methods and errors, with their annotations.
///
/// The grammar is that of varlink.org, "Interface Definition" (2018). poolflow adds annotations: comments that begin with `#@`,
/// above the member they describe; see `Annotation`.
package struct InterfaceGrammar: Sendable {
  /// A Varlink type; `words` is an enum, `fields` a structure.
  package indirect enum Kind: Hashable, Sendable {
    case bool, int, float, string, object
    case named(String)
    case array(Kind)
    case map(Kind)
    case optional(Kind)
    case words([String])
    case fields([Field])
  }

  /// A field of a structure, or a parameter of a method.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let kind: Kind
    /// The lines of the comment above the field.
    package let comment: [String]

    package var isOptional: Bool { if case .optional = kind { true } else { false } }
    /// True for `string` and `?string`.
    var isText: Bool { kind == .string || kind == .optional(.string) }
    /// True for `bool` and `?bool`.
    var isBool: Bool { kind == .bool || kind == .optional(.bool) }
  }

  /// A type, method or error with the comment and annotations above it.
  package struct Member<Shape: Hashable & Sendable>: Hashable, Sendable {
    package let name: String
    package let shape: Shape
    package let comment: [String]
    package let annotations: [Annotation]
    /// Number of its first line, for error messages.
    package let line: Int
  }

  /// A method's parameters and answer.
  package struct Method: Hashable, Sendable {
    package let input: [Field]
    package let output: [Field]
  }

  package private(set) var name = ""
  /// The comment at the top of the file.
  package private(set) var comment: [String] = []
  package private(set) var types: [Member<Kind>] = []
  package private(set) var methods: [Member<Method>] = []
  package private(set) var errors: [Member<[Field]>] = []

  /// False for an interface that only declares types, for modules that import its module: the daemon does not list it.
  var isServed: Bool { !methods.isEmpty || !errors.isEmpty }

  /// - Throws: `WireFault` with the line that violates the grammar.
  package init(_ text: String) throws(WireFault) {
    var reader = WireReader(text)
    try reader.skip()
    comment = reader.takeComment().words
    guard try reader.word() == "interface" else { throw reader.fault("'interface' and its name are expected") }
    name = try reader.word(with: ".-")
    while !reader.isAtEnd {
      let line = reader.line
      let (words, annotations) = reader.takeComment()
      let member = try reader.word()
      let memberName = try reader.word()
      func made<Shape>(_ shape: Shape) -> Member<Shape> {
        Member(name: memberName, shape: shape, comment: words, annotations: annotations, line: line)
      }
      switch member {
      case "type": types.append(made(try reader.structure()))
      case "error": errors.append(made(try reader.fields()))
      case "method":
        let input = try reader.fields()
        try reader.expect("->")
        methods.append(made(Method(input: input, output: try reader.fields())))
      default: throw reader.fault("'type', 'method' or 'error' is expected, not '\(member)'")
      }
    }
  }

  /// The declared type with this name; nil if there is none.
  package func type(named name: String) -> Kind? { types.first { $0.name == name }?.shape }
}

/// A fault in an interface description, with its line number.
package struct WireFault: Error, Hashable, CustomStringConvertible {
  package let line: Int
  package let message: String

  package init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "\(line): error: \(message)" }
}
