package import Testing

/// Skips tests if the machine lacks something that they need.
package struct RequirementTrait: TestTrait, SuiteTrait {
  let requirements: [Requirement]
  package var isRecursive: Bool { true }

  package func prepare(for test: Test) async throws {
    if let reason = Requirement.missing(requirements) { try Test.cancel(Comment(rawValue: reason)) }
  }
}

extension Trait where Self == RequirementTrait {
  /// Skips the test, or every test of the suite, with the reason if a requirement is missing.
  package static func requires(_ requirements: Requirement...) -> Self { RequirementTrait(requirements: requirements) }
}

extension Test {
  /// Ends a test whose remaining checks need something that this machine lacks. It counts as skipped, or as failed if an
  /// earlier check failed.
  ///
  /// - Throws: `MissingRequirement` in a test with arguments, where Swift Testing would count a cancelled case as passed.
  package static func skipRest(unless requirement: Requirement) throws {
    guard let reason = Requirement.missing([requirement]) else { return }
    if current?.isParameterized == true { throw MissingRequirement(requirement) }
    try cancel(Comment(rawValue: reason))
  }
}
