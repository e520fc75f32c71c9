package import Testing

/// Skips tests where the machine lacks something that they need.
package struct RequirementTrait: TestTrait, SuiteTrait {
  let requirements: [Requirement]
  package var isRecursive: Bool { true }

  package func prepare(for test: Test) async throws {
    if let reason = Requirement.missing(requirements) { try Test.cancel(Comment(rawValue: reason)) }
  }
}

extension Trait where Self == RequirementTrait {
  /// The test, or every test of the suite, is skipped with the reason where one of these is missing.
  package static func requires(_ requirements: Requirement...) -> Self { RequirementTrait(requirements: requirements) }
}

extension Test {
  /// Ends a test whose remaining checks need something that this machine lacks. It counts as skipped, or as failed where
  /// one of its checks has failed before.
  ///
  /// - Throws: `MissingRequirement` in a test with arguments, where Swift Testing would count a cancelled case as passed.
  package static func skipRest(unless requirement: Requirement) throws {
    guard let reason = Requirement.missing([requirement]) else { return }
    if current?.isParameterized == true { throw MissingRequirement(requirement) }
    try cancel(Comment(rawValue: reason))
  }
}
