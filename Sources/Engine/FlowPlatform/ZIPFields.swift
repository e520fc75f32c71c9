/// Reads little-endian integers from bytes. The caller checks the length first.
struct ZIPFields {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The 16-bit integer at the offset.
  func half(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

  /// The 32-bit integer at the offset.
  func word(_ offset: Int) -> Int { half(offset) | half(offset + 2) << 16 }
}

/// The fields that central and local headers have in common.
struct ZIPHeader {
  var flags: Int
  var method: Int
  var checksum: UInt32
  var compressedSize: Int
  var uncompressedSize: Int
  var nameBytes: [UInt8]
  var extra: [UInt8]

  static let utf8Flag = 0x0800
  static let descriptorFlag = 0x0008
  /// The flags that a reader needs no feature for: deflate's speed hints, sizes after the data, names in UTF-8.
  static let understoodFlags = 0x0006 | descriptorFlag | utf8Flag
  static let encryptionFlags = 0x0001 | 0x0040 | 0x2000
}

/// The extra fields of a header, each with a tag and a length; together they must fill the extra area exactly.
enum ZIPExtra {
  static let zip64 = 0x0001
  static let strongEncryption = 0x0017
  static let aesEncryption = 0x9901
  static let unicodePath = 0x7075

  /// Splits the extra area into its fields; nil if they do not fill it exactly.
  static func extraFields(of bytes: [UInt8]) -> [(tag: Int, body: ArraySlice<UInt8>)]? {
    let fields = ZIPFields(bytes)
    var extraFields: [(tag: Int, body: ArraySlice<UInt8>)] = []
    var index = 0
    while index < bytes.count {
      guard bytes.count - index >= 4 else { return nil }
      let length = fields.half(index + 2)
      guard bytes.count - index - 4 >= length else { return nil }
      extraFields.append((fields.half(index), bytes[index + 4..<index + 4 + length]))
      index += 4 + length
    }
    return extraFields
  }
}
