import FlowPlatform
import Testing

struct ZlibFormatTests {
  /// Lengths around the maximum of one stored block.
  @Test(arguments: [0, 1, 65_534, 65_535, 65_536, 131_070, 131_071, 200_000])
  func `a stored stream, used when zlib has no memory, is read like a deflated one`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }
    let stored = ZlibFormat.stored(bytes)
    #expect(stored.count >= count && ZlibFormat.decompress(stored, count: count) == bytes)
    for level in [ZlibFormat.Level.fastest, .usual] {
      let packed = ZlibFormat.compress(bytes, level)
      #expect(packed.count <= stored.count + 2 && ZlibFormat.decompress(packed, count: count) == bytes)
    }
    #expect(ZlibFormat.decompress(stored, count: count + 1) == nil)
    #expect(ZlibFormat.decompress(Array(stored.dropLast()), count: count) == nil)
    var damaged = stored
    damaged[damaged.count - 1] ^= 1
    #expect(ZlibFormat.decompress(damaged, count: count) == nil)
  }
}
