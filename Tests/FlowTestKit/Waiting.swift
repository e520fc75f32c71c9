/// A condition that a test waited for did not become true.
package struct NeverCame: Error, CustomStringConvertible {
  package let description: String
}

/// Polls a condition until it holds. The limit only detects defects; it is long enough for a fully loaded machine.
///
/// - Throws: `NeverCame` with `what` if the condition does not hold within three minutes.
package func waitUntil(_ what: String, _ holds: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(180)
  while try await !holds() {
    guard ContinuousClock.now < end else { throw NeverCame(description: "\(what), not within three minutes") }
    // The condition sends no signal, so yield the processor for a moment.
    try await Task.sleep(for: .milliseconds(2))
  }
}
