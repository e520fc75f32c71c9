package import FlowCommandKit
internal import FlowControl

/// `pfctl version`: prints this program's version without asking the daemon.
package enum VersionCommand: Command {
  package static let description = CommandDescription("version", "the version of pfctl", examples: ["pfctl version"])

  /// The JSON document of `pfctl version`.
  private struct Version: Codable {
    let version: String
  }

  package static let documents: [JSONDocument] = [.init("version", Version.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    if console.isJSON { return try console.document("version", Version(version: ProductVersion.text)) }
    console.line("pfctl \(ProductVersion.text)")
  }
}
