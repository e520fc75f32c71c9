internal import FoundationEssentials

/// Digests as bytes: one object with sorted keys, so that equal digests are equal bytes.
package enum DigestJSON {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  package static func text(_ digest: some Encodable) -> String {
    // Strings and finite numbers always encode: coordinates and stock were checked at the border.
    guard let data = try? encoder.encode(digest) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  /// Nil for details of another kind of notice, or of a version that wrote them otherwise.
  package static func morning(_ json: String) -> MorningDigest? {
    try? JSONDecoder().decode(MorningDigest.self, from: Data(json.utf8))
  }

  package static func week(_ json: String) -> WeekDigest? {
    try? JSONDecoder().decode(WeekDigest.self, from: Data(json.utf8))
  }
}
