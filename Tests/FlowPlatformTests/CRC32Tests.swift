import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Testing

/// The checksum of ZIP entries, as the writer puts it into their headers, compared with the definition.
struct CRC32Tests {
  /// Bit by bit, as in ISO 3309: the polynomial of 1 + x + x² + x⁴ + … + x³², reflected.
  private func definition(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  private func written(_ bytes: [UInt8]) throws -> UInt32 {
    var zip: [UInt8] = []
    let writer = ZIPWriter(modified: Timestamp(seconds: 1_772_460_000)) { zip.append(contentsOf: $0) }
    try writer.add("a", bytes)
    return zip[14..<18].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  @Test func `the checksum equals the definition for every length and alignment`() throws {
    #expect(definition(Array("123456789".utf8)) == 0xCBF4_3926)
    var numbers = SeededNumbers(seed: 3309)
    let bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    for count in 0...bytes.count {
      #expect(try written(Array(bytes.suffix(count))) == definition(Array(bytes.suffix(count))), "\(count) bytes")
    }
    let long = (0..<100_003).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    #expect(try written(long) == definition(long))
  }
}
