import Foundation

/// Other people's Python packages that check us from outside: where `.ci/run` puts them, or installed on the machine.
enum PythonTools {
  static let folder = Checkout.root + "/.build/strangers"

  /// Runs a Python program that needs `package`.
  ///
  /// - Returns: Nil where there is no Python or no such package, and the output says so.
  static func run(
    _ words: [String], needing package: String, in scratch: Scratch, within limit: Duration = .patience
  ) throws -> Answer? {
    guard let (python, environment) = try find(package, in: scratch) else { return nil }
    return try Program.run(python, words, in: scratch, environment: environment, within: limit)
  }

  /// Python, and the environment in which it finds `package`; nil where either is missing, and the output says so.
  static func find(_ package: String, in scratch: Scratch) throws -> (python: String, environment: [String: String])? {
    let own = ProcessInfo.processInfo.environment
    let folders = (own["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let environment = ["PATH": own["PATH"] ?? "/usr/bin:/bin", "PYTHONPATH": folder, "HOME": scratch.path]
    guard let python = folders.map({ "\($0)/python3" }).first(where: { Files.exists($0) }),
      try Program.run(python, ["-c", "import \(package)"], in: scratch, environment: environment).code == 0
    else {
      print("passed over: needs python3 with \(package): python3 -m pip install --target .build/strangers \(package)")
      return nil
    }
    return (python, environment)
  }
}
