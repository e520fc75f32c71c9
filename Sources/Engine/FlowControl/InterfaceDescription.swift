/// A Varlink interface: its description, from which other clients can learn the calls, its calls and its errors.
///
/// WirePlugin generates one from each `.varlink` file, and for each module a list such as `[InterfaceDescription].flowControl`.
package struct InterfaceDescription: Sendable {
  package let name: String
  /// The description in the Varlink interface definition language.
  package let text: String
  /// The types of all calls.
  package let methods: [any ControlMethod.Type]
  package let errors: [ErrorDescription]
  /// The comments on types, replies and their fields, for schemas: a line `TYPE` or `TYPE.FIELD`, a tab and the comment for each.
  package let comments: String

  package init(
    name: String, text: String, methods: [any ControlMethod.Type], errors: [ErrorDescription], comments: String
  ) {
    self.name = name
    self.text = text + "\n"
    self.methods = methods
    self.errors = errors
    self.comments = comments
  }
}

/// An error of an interface.
package struct ErrorDescription: Sendable {
  package let kind: ControlError.Kind
  /// The exit code of `pfctl` for this error.
  package let exitCode: Int32
  /// The comment on the error in its interface.
  package let meaning: String

  package init(_ kind: ControlError.Kind, exitCode: Int32, meaning: String) {
    self.kind = kind
    self.exitCode = exitCode
    self.meaning = meaning
  }
}
