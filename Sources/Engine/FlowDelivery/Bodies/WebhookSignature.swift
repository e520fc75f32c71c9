package import FlowModel
package import FlowNotices
internal import FlowPlatform
internal import FoundationEssentials

/// The three Standard Webhooks 1.0 headers for the exact bytes of a file. A program that POSTs the file adds them and needs no
/// signing key.
///
/// Source: "Standard Webhooks" 1.0 (2023), §"Webhook Headers" and §"Signature scheme": HMAC-SHA256 over `ID.TIMESTAMP.BODY`, in
/// base64 after `v1,`.
package struct WebhookSignature: Sendable {
  /// The reason why a signing secret is invalid. It never quotes the secret.
  package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
    case invalidSecret(credential: String)

    package var description: String {
      switch self {
      case .invalidSecret(let credential):
        "the credential '\(credential)' is not a signing secret; write `whsec_` and the base64 of 24 to 64 bytes, such as "
          + "`echo whsec_$(head -c 32 /dev/urandom | base64 -w0)` makes"
      }
    }
  }

  private let key: [UInt8]

  /// - Parameter secret: `whsec_` followed by the base64 of 24 to 64 bytes.
  /// - Parameter credential: the name of the credential, for the error.
  /// - Throws: `Fault.invalidSecret` if `secret` has another format.
  package init(secret: String, credential: String) throws(Fault) {
    guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))),
      (24...64).contains(key.count)
    else { throw .invalidSecret(credential: credential) }
    self.key = Array(key)
  }

  /// Returns three header lines, each ended by a line feed, in the format that `curl --header @FILE` reads.
  ///
  /// - Parameter body: the exact bytes of the file, including its last line feed.
  package func headers(of notice: Notice, body: [UInt8], at now: Timestamp) -> [UInt8] {
    let id = Self.id(of: notice)
    return Array(
      """
      webhook-id: \(id)
      webhook-timestamp: \(now.seconds)
      webhook-signature: \(signature(id: id, seconds: now.seconds, body: body))

      """.utf8)
  }

  /// The webhook id: `msg_` and the notice's id with each dot replaced by `_`. A dot would end the id in the signed text, and
  /// no notice id contains `_`.
  package static func id(of notice: Notice) -> String { id(ofEvent: notice.id) }

  /// The webhook id of the event with this id; see `id(of:)`.
  package static func id(ofEvent id: String) -> String { "msg_" + id.replacing(".", with: "_") }

  /// Returns the signature header's value: `v1,` and the base64 of the HMAC over `ID.SECONDS.BODY`.
  package func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
    let digest = HMACSHA256.digest(of: Array("\(id).\(seconds).".utf8) + body, key: key)
    return "v1," + Data(digest).base64EncodedString()
  }
}
