/// A keyed digest: who knows the key can tell that the bytes are whole and from another who knows it.
///
/// Source: RFC 2104 (1997), §2, with SHA-256 and its block of 64 bytes.
/// Example: of "what do ya want for nothing?" under the key "Jefe" it is `5bdcc146…64ec3843` (RFC 4231, case 2).
package enum HMACSHA256 {
  /// The 32 bytes of the digest of `message` under `key`, which may have any length.
  package static func digest(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? sum([key]) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    return sum([block.map { $0 ^ 0x5C }, sum([block.map { $0 ^ 0x36 }, message])])
  }

  private static func sum(_ parts: [[UInt8]]) -> [UInt8] {
    var sum = SHA256()
    for part in parts { part.withUnsafeBytes { sum.update($0) } }
    return sum.digest()
  }
}
