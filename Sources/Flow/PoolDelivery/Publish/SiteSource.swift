package import PoolModel

/// One folder of published pages.
package struct SitePages: Sendable {
  /// The folder's secret name.
  package let name: String
  /// Whose pages they are, in words: `'maria' of team 'desert-blue'`.
  package let owner: String
  /// The bytes of each file, by its name.
  package let files: [String: [UInt8]]

  package init(name: String, owner: String, files: [String: [UInt8]]) {
    (self.name, self.owner, self.files) = (name, owner, files)
  }
}

/// The pages that a trade shows in a web server's folder; delivery writes them and never looks into them.
package protocol SiteSource: Sendable {
  /// Whether this process publishes; of several that share a store one does it for all.
  var isOurs: Bool { get }
  /// Tells the one that does that pages may be others now.
  func passOn() async throws
  /// What each team's pages depend on, in words that are others whenever the pages may be.
  func marks() async throws -> [TeamID: String]
  func pages(of team: TeamID) async throws -> [SitePages]
  /// Every name whose folder may stand.
  func names() async throws -> Set<String>
}

/// The secret name of a published folder: 128 bits of the system's random source, as 32 hexadecimal digits. Who does not know
/// it finds nothing (W3C TAG, Good Practices for Capability URLs).
package enum SecretName {
  package static func make(using random: inout some RandomNumberGenerator) -> String {
    [UInt64.random(in: .min ... .max, using: &random), UInt64.random(in: .min ... .max, using: &random)].map {
      let digits = String($0, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  package static func isOne(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension SiteSource {
  package var isOurs: Bool { true }
  package func passOn() async throws {}
}
