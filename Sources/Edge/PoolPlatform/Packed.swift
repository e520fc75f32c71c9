import CZlib

/// Bytes in zlib's own form (RFC 1950), which ends with a checksum: for what lies in a file for a while.
package enum Packed {
  /// At zlib's fastest level.
  package static func pack(_ bytes: [UInt8]) -> [UInt8] {
    let bound = compressBound(UInt(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, count in
      var length = bound
      // With so much room only a want of memory is left, which nobody survives.
      let code = compress2(buffer.baseAddress, &length, bytes, UInt(bytes.count), Z_BEST_SPEED)
      precondition(code == Z_OK, "zlib refuses to pack")
      count = Int(length)
    }
  }

  /// - Parameter count: how many bytes were packed.
  /// - Returns: nil where these are not what was packed.
  package static func unpack(_ packed: [UInt8], count: Int) -> [UInt8]? {
    var length = UInt(count)
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      isWhole = uncompress(buffer.baseAddress, &length, packed, UInt(packed.count)) == Z_OK && length == UInt(count)
      filled = isWhole ? count : 0
    }
    return isWhole ? bytes : nil
  }
}
