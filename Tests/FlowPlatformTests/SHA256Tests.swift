import FlowPlatform
import Testing

/// Source of the expected digests: NIST, "Examples with Intermediate Values" for FIPS 180-4, and its byte-oriented test
/// vectors.
struct SHA256Tests {
  static let vectors: [(text: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (String(repeating: "a", count: 100_000), "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"),
  ]

  @Test func `the published examples give their published digests`() {
    for (text, digest) in Self.vectors { #expect(SHA256.hex(of: Array(text.utf8)) == digest) }
  }

  @Test func `CPU instructions and plain Swift give equal digests for every length`() {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 3) }
    for count in 0...bytes.count {
      var (fast, plain) = (SHA256(), SHA256(usesInstructions: false))
      bytes[..<count].withUnsafeBytes {
        fast.update($0)
        plain.update($0)
      }
      #expect(fast.hex() == plain.hex(), "\(count) bytes")
    }
  }

  @Test func `the digest does not depend on how the input is split`() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let whole = SHA256.hex(of: bytes)
    for size in [1, 3, 55, 56, 63, 64, 65, 128, 299] {
      var sum = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { sum.update($0) }
      }
      #expect(sum.hex() == whole)
    }
  }
}
