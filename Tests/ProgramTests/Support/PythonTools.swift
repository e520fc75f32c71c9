import FlowTestKit
import Foundation

/// Runs Python programs that check our output. Tests that use it list Python, or the Python package, in `.requires(…)`.
enum PythonTools {
  static func run(_ words: [String], in scratch: Scratch, within limit: Duration = .patience) throws -> Answer {
    try Program.run(
      Requirement.python3.path(), words, in: scratch, environment: environment(in: scratch), within: limit)
  }

  /// The packages installed by `config/test-tools.sh`, or the machine's own.
  static func environment(in scratch: Scratch) -> [String: String] {
    Requirement.pythonEnvironment.merging(["HOME": scratch.path]) { $1 }
  }
}
