/// A fact that a test waited for did not come.
package struct NeverCame: Error, CustomStringConvertible {
  package let description: String
}

/// Looks at a fact until it holds. A fact that comes ends the wait at once; the limit is for defects, and long enough for a
/// machine whose processors are all busy with something else.
///
/// - Throws: `NeverCame` with `what` where it does not hold within three minutes.
package func waitUntil(_ what: String, _ holds: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(180)
  while try await !holds() {
    guard ContinuousClock.now < end else { throw NeverCame(description: "\(what), not within three minutes") }
    // What is waited for tells nobody: give it the processor for a moment.
    try await Task.sleep(for: .milliseconds(2))
  }
}
