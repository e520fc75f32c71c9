internal import FoundationEssentials
package import PoolModel
package import PoolNotices
internal import PoolPlatform

/// The headers of Standard Webhooks 1.0 for the exact bytes of a file: whoever POSTs the file adds these three lines and
/// signs nothing himself.
///
/// Source: "Standard Webhooks" 1.0 (2023), §"Webhook Headers" and §"Signature scheme": HMAC-SHA256 over
/// `ID.TIMESTAMP.BODY`, in base64 after `v1,`.
package struct WebhookSignature: Sendable {
  /// What is wrong with a secret. It never quotes the secret.
  package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
    case notASecret(credential: String)

    package var description: String {
      switch self {
      case .notASecret(let credential):
        "the credential '\(credential)' is no signing secret; write `whsec_` and the base64 of 24 to 64 bytes, such as "
          + "`echo whsec_$(head -c 32 /dev/urandom | base64 -w0)` makes"
      }
    }
  }

  private let key: [UInt8]

  /// - Parameter secret: `whsec_` and base64 of 24 to 64 bytes.
  package init(secret: String, credential: String) throws(Fault) {
    guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))),
      (24...64).contains(key.count)
    else { throw .notASecret(credential: credential) }
    self.key = Array(key)
  }

  /// Three header lines, each ended by a line feed, as `curl --header @FILE` reads them.
  ///
  /// - Parameter body: the file as it is, its last line end included.
  package func headers(of notice: Notice, body: [UInt8], at now: Timestamp) -> [UInt8] {
    let id = Self.id(of: notice)
    return Array(
      """
      webhook-id: \(id)
      webhook-timestamp: \(now.seconds)
      webhook-signature: \(signature(id: id, seconds: now.seconds, body: body))

      """.utf8)
  }

  /// `msg_` and the notice's id. A dot would end it in what is signed; no id has an underscore.
  package static func id(of notice: Notice) -> String { id(ofEvent: notice.id) }

  /// The same for the event that a notice has become.
  package static func id(ofEvent id: String) -> String { "msg_" + id.replacing(".", with: "_") }

  package func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
    let digest = HMACSHA256.digest(of: Array("\(id).\(seconds).".utf8) + body, key: key)
    return "v1," + Data(digest).base64EncodedString()
  }
}
