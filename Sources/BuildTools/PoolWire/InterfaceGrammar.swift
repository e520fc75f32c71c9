/// A `.varlink` file read: what each type, method and error is made of, and what our annotations say of it.
///
/// The grammar is that of varlink.org, "Interface Definition" (2018). What it cannot say stands in comments that begin with
/// `#@`, above the member they are about; `Annotation` lists them.
package struct InterfaceGrammar: Sendable {
  package indirect enum Kind: Hashable, Sendable {
    case bool, int, float, string, object
    case named(String)
    case array(Kind)
    case map(Kind)
    case optional(Kind)
    case words([String])
    case fields([Field])
  }

  package struct Field: Hashable, Sendable {
    package let name: String
    package let kind: Kind
    /// The comment above it, a line each.
    package let comment: [String]

    package var isOptional: Bool { if case .optional = kind { true } else { false } }
  }

  /// A type, a method's two halves or an error, with what stands above it.
  package struct Member<Shape: Hashable & Sendable>: Hashable, Sendable {
    package let name: String
    package let shape: Shape
    package let comment: [String]
    package let annotations: [Annotation]
    /// The line it begins at, for complaints.
    package let line: Int
  }

  package struct Method: Hashable, Sendable {
    package let input: [Field]
    package let output: [Field]
  }

  package private(set) var name = ""
  /// The comment at the head of the file.
  package private(set) var comment: [String] = []
  package private(set) var types: [Member<Kind>] = []
  package private(set) var methods: [Member<Method>] = []
  package private(set) var errors: [Member<[Field]>] = []

  /// - Throws: `WireFault` with the line that breaks the grammar.
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

  package func type(named name: String) -> Kind? { types.first { $0.name == name }?.shape }
}

/// What a description breaks, and where.
package struct WireFault: Error, Hashable, CustomStringConvertible {
  package let line: Int
  package let message: String

  package init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "\(line): error: \(message)" }
}
