import CZlib

/// Compresses bytes in zlib format (RFC 1950), which ends with a checksum; used for temporary files.
package enum ZlibFormat {
  /// The trade-off between time and size.
  package enum Level {
    case fastest, usual
  }

  /// Compresses bytes. If zlib runs out of memory, stores them uncompressed in the same format, so that readers need no
  /// special case.
  package static func compress(_ bytes: [UInt8], _ level: Level = .fastest) -> [UInt8] {
    deflated(bytes, level == .fastest ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION) ?? stored(bytes)
  }

  private static func deflated(_ bytes: [UInt8], _ level: Int32) -> [UInt8]? {
    let bound = compressBound(UInt(bytes.count))
    // The buffer is large enough, so the only possible error is lack of memory.
    var code = Z_OK
    let packed = [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, count in
      var length = bound
      code = compress2(buffer.baseAddress, &length, bytes, UInt(bytes.count), level)
      count = code == Z_OK ? Int(length) : 0
    }
    return code == Z_OK ? packed : nil
  }

  /// The uncompressed zlib format, in blocks of at most 65,535 bytes.
  ///
  /// Source: RFC 1950, section 2.2, and RFC 1951, section 3.2.4.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = [0x78, 0x01]
    packed.reserveCapacity(bytes.count + bytes.count / longestBlock * 5 + 11)
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(longestBlock)
      rest = rest.dropFirst(block.count)
      packed.append(rest.isEmpty ? 1 : 0)
      for length in [UInt16(block.count), ~UInt16(block.count)] {
        packed += [UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
      }
      packed += block
    } while !rest.isEmpty
    let sum = bytes.withUnsafeBufferPointer { adler32(1, $0.baseAddress, UInt32($0.count)) }
    return packed + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }

  private static let longestBlock = 0xFFFF

  /// Decompresses bytes.
  ///
  /// - Parameter count: the exact number of uncompressed bytes.
  /// - Returns: nil if the data is damaged or has another length.
  package static func decompress(_ packed: [UInt8], count: Int) -> [UInt8]? {
    var length = UInt(count)
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      isWhole = uncompress(buffer.baseAddress, &length, packed, UInt(packed.count)) == Z_OK && length == UInt(count)
      filled = isWhole ? count : 0
    }
    return isWhole ? bytes : nil
  }
}
