import FlowModel
import FlowPlatform
import FlowStore
import Foundation
import Glibc
import Synchronization
import TradeStores

/// Something that a test needs and not every machine has: a program, a Python package, a right.
///
/// A test declares it with the trait `.requires(…)` and is skipped with the reason if it is missing.
package enum Requirement: Hashable, Sendable {
  case root
  /// The right to mount file systems and to create a mount namespace: root has it, but not in every container.
  case mounting
  /// The server's programs, which Debian does not put on the PATH, and a build that can use the server.
  case postgresql
  /// A program and its Debian package.
  case program(_ name: String, package: String)
  /// A Python package.
  case python(_ module: String)

  // Pages and documents.
  package static let chromium = program("chromium", package: "chromium")
  package static let pdftotext = program("pdftotext", package: "poppler-utils")
  package static let mandoc = program("mandoc", package: "mandoc")
  package static let man = program("man", package: "man-db")
  // Shells and scripting tools.
  package static let zsh = program("zsh", package: "zsh")
  package static let fish = program("fish", package: "fish")
  package static let shellcheck = program("shellcheck", package: "shellcheck")
  package static let jq = program("jq", package: "jq")
  package static let python3 = program("python3", package: "python3")
  package static let zip = program("zip", package: "zip")
  package static let unzip = program("unzip", package: "unzip")
  // Servers, mail and monitoring.
  package static let pgbouncer = program("pgbouncer", package: "pgbouncer")
  package static let nginx = program("nginx", package: "nginx-light")
  package static let caddy = program("caddy", package: "caddy")
  package static let curl = program("curl", package: "curl")
  package static let openssl = program("openssl", package: "openssl")
  package static let msmtp = program("msmtp", package: "msmtp")
  package static let postfix = program("postfix", package: "postfix")
  package static let promtool = program("promtool", package: "prometheus")

  /// The name used in the skip reason.
  private var name: String {
    switch self {
    case .root: "root"
    case .mounting: "the right to mount file systems"
    case .postgresql: "PostgreSQL"
    case .program(let name, _): name
    case .python(let module): "Python's \(module)"
    }
  }

  /// The command that installs it, or another remedy.
  private var remedy: String {
    switch self {
    case .root: "run the tests as root"
    case .mounting: "run the tests as root, in a container with CAP_SYS_ADMIN"
    case .postgresql:
      StoreServers.all.contains(.postgresql) ? "config/packages.sh postgresql" : "build with Sources/Cluster"
    case .program(_, let package): "config/packages.sh \(package)"
    case .python: "config/test-tools.sh"
    }
  }

  /// One sentence about all of `requirements` that are missing; nil if all are met.
  package static func missing(_ requirements: [Requirement]) -> String? {
    let missing = requirements.filter { !$0.isMet }
    return missing.isEmpty ? nil : missing.map { "needs \($0.name): \($0.remedy)" }.joined(separator: "; ")
  }

  // MARK: Looking for it

  private static let answers = Mutex<[Requirement: Bool]>([:])

  /// Whether this machine has it; checked once per process.
  package var isMet: Bool {
    Self.answers.withLock { answers in
      if let known = answers[self] { return known }
      let isMet = look()
      answers[self] = isMet
      return isMet
    }
  }

  private func look() -> Bool {
    switch self {
    case .root: geteuid() == 0
    case .mounting:
      Self.succeeds(
        "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", "mount -t tmpfs none /proc && ! test -e /proc/self"])
    case .postgresql: PostgresServer.installed != nil && StoreServers.all.contains(.postgresql)
    case .program(let name, _): Self.find(name) != nil
    case .python(let module):
      Self.find("python3").map { Self.succeeds($0, ["-c", "import \(module)"]) } ?? false
    }
  }

  /// The path of a program.
  ///
  /// - Throws: `MissingRequirement` if it is not installed or is no program.
  package func path() throws -> String {
    guard case .program(let name, _) = self, let path = Self.find(name) else { throw MissingRequirement(self) }
    return path
  }

  /// The folder in which `config/test-tools.sh` puts Python packages and programs that it does not install system-wide.
  package static let toolFolder =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/.build/test-tools"

  /// The environment in which Python finds these packages.
  package static let pythonEnvironment = ["PATH": searchPath, "PYTHONPATH": toolFolder]

  private static let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

  private static func find(_ program: String) -> String? {
    // Servers are in `/usr/sbin`, which is not on every user's PATH.
    (searchPath.split(separator: ":").map(String.init) + ["/usr/sbin", toolFolder]).map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }

  private static func succeeds(_ program: String, _ words: [String]) -> Bool {
    let child = try? ChildProgram(
      program, words, environment: pythonEnvironment,
      [0: .reading("/dev/null"), 1: .writing("/dev/null"), 2: .writing("/dev/null")])
    return child?.end() == .exit(0)
  }
}

/// A test uses something that this machine lacks, without declaring it in its traits.
package struct MissingRequirement: Error, CustomStringConvertible {
  package let description: String

  package init(_ requirement: Requirement) {
    description = Requirement.missing([requirement]) ?? "\(requirement) has no path"
  }
}
