/// The candidates for a placeholder in help: the value of an option, or an operand of one noun's commands.
package struct ValueCompletion: Sendable {
  /// A part of the candidates.
  package enum Source: Sendable {
    case words([String])
    /// The names that the `NameSource` of this kind knows; none if the line has the option `unless`.
    case names(String, unless: String? = nil)
  }

  package let placeholder: String
  /// The first word of the commands that it is for; nil for all without one of their own.
  package let noun: String?
  /// The last word of the commands that it is for; nil for any.
  private let verb: String?
  private let isOperand: Bool
  package let sources: [Source]

  private init(_ placeholder: String, noun: String?, verb: String?, isOperand: Bool, _ sources: [Source]) {
    (self.placeholder, self.noun, self.verb, self.isOperand) = (placeholder, noun, verb, isOperand)
    self.sources = sources
  }

  /// For values of options and for operands.
  package static func value(_ placeholder: String, of noun: String? = nil, _ sources: Source...) -> ValueCompletion {
    ValueCompletion(placeholder, noun: noun, verb: nil, isOperand: false, sources)
  }

  /// Only for operands, and before `value`. It does not complete the first operand of `add`, which is a new name.
  package static func operand(
    _ placeholder: String, of noun: String, verb: String? = nil, _ sources: Source...
  ) -> ValueCompletion {
    ValueCompletion(placeholder, noun: noun, verb: verb, isOperand: true, sources)
  }

  func completesValue(_ name: String) -> Bool { !isOperand && placeholder == name }

  func completesOperand(_ name: String, of path: [String]) -> Bool {
    isOperand && placeholder == name && noun == path.first && (verb == nil || verb == path.last)
  }
}

/// Names of one kind, for completion.
package struct NameSource: Sendable {
  /// How `ValueCompletion` refers to them: `teams`.
  package let kind: String
  /// Asks for the names of a team; a nil team means all teams.
  package let ask: @Sendable (_ names: CompletionNames, _ team: String?) -> [Completion.Candidate]

  package init(
    _ kind: String, ask: @escaping @Sendable (_ names: CompletionNames, _ team: String?) -> [Completion.Candidate]
  ) {
    (self.kind, self.ask) = (kind, ask)
  }
}
