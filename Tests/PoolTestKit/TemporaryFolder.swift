import FoundationEssentials

/// A folder of its own for one test, gone with it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/poolflow-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    // A test's leftovers are nobody's loss.
    try? FileManager.default.removeItem(atPath: path)
  }
}
