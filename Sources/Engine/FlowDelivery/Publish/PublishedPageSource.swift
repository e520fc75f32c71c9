package import FlowModel

/// One folder of published pages.
package struct SitePages: Sendable {
  /// The folder's secret name.
  package let name: String
  /// The owner of the pages, for messages: `'maria' of team 'desert-blue'`.
  package let owner: String
  /// The bytes of each file by file name.
  package let files: [String: [UInt8]]

  package init(name: String, owner: String, files: [String: [UInt8]]) {
    (self.name, self.owner, self.files) = (name, owner, files)
  }
}

/// A trade's source of pages for a web server's folder. Delivery writes them without interpreting them.
package protocol PublishedPageSource: Sendable {
  /// Whether this process publishes. Of several processes with one store, one publishes for all of them.
  var publishesHere: Bool { get }
  /// Notifies the publishing process that pages may have changed.
  func notifyPublisher() async throws
  /// A text per team that changes whenever the team's pages may have changed.
  func pageVersions() async throws -> [TeamID: String]
  /// Makes the present pages of a team, one element per folder.
  func pages(of team: TeamID) async throws -> [SitePages]
  /// All names whose folders may exist at present.
  func names() async throws -> Set<String>
}

/// The secret name of a published folder: 128 bits of the system's random source as 32 hexadecimal digits. Without the name a
/// visitor cannot find the folder (W3C TAG, Good Practices for Capability URLs).
package enum SecretName {
  package static func make(using random: inout some RandomNumberGenerator) -> String {
    [UInt64.random(in: .min ... .max, using: &random), UInt64.random(in: .min ... .max, using: &random)].map {
      let digits = String($0, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Whether a text has the format of a secret name.
  package static func isSecretName(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension PublishedPageSource {
  package var publishesHere: Bool { true }
  package func notifyPublisher() async throws {}
}
