import Foundation
import PoolTestKit

/// Runs Python programs that check ours from outside. A test that uses it names Python, or Python's package, in `.requires(…)`.
enum PythonTools {
  static func run(_ words: [String], in scratch: Scratch, within limit: Duration = .patience) throws -> Answer {
    try Program.run(
      Requirement.python3.path(), words, in: scratch, environment: environment(in: scratch), within: limit)
  }

  /// The packages that `config/test-tools.sh` installs for the tests, or those of the machine.
  static func environment(in scratch: Scratch) -> [String: String] {
    Requirement.pythonEnvironment.merging(["HOME": scratch.path]) { $1 }
  }
}
