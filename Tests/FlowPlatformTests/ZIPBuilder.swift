/// Builds ZIPs byte by byte, including invalid ones: each header field can be set independently.
struct ZIPBuilder {
  struct Part {
    var name: [UInt8]
    var data: [UInt8]
    var method = 0
    var flags = 0x0800
    /// The bytes in the file; the data itself if stored.
    var stored: [UInt8]
    var checksum: UInt32
    var size: Int
    /// A regular file, mode 0644.
    var attributes: UInt32 = 0x81A4_0000
    var localExtra: [UInt8] = []
    var centralExtra: [UInt8] = []
    var localName: [UInt8]?
    var localMethod: Int?
    var localFlags: Int?
    var localChecksum: UInt32?
    var localSize: Int?
    var localOffset: Int?
    var disk = 0
    var descriptor: [UInt8] = []
    /// Bytes before the local header.
    var gap: [UInt8] = []

    init(_ name: String, _ data: String = "") {
      self.name = Array(name.utf8)
      self.data = Array(data.utf8)
      stored = self.data
      checksum = ZIPBuilder.crc(self.data)
      size = self.data.count
      if name.hasSuffix("/") { attributes = 0x41ED_0010 }
    }

    /// The data as one uncompressed deflate block: a valid stream without a compressor.
    func deflated() -> Part {
      var part = self
      let count = UInt16(data.count)
      part.method = 8
      part.stored = [1] + bytes(Int(count), 2) + bytes(Int(~count), 2) + data
      return part
    }

    func with(_ change: (inout Part) -> Void) -> Part {
      var part = self
      change(&part)
      return part
    }
  }

  var parts: [Part]
  var prefix: [UInt8] = []
  var beforeDirectory: [UInt8] = []
  var beforeEnd: [UInt8] = []
  var comment: [UInt8] = []
  var count: Int?
  var disk = 0
  var directoryOffset: Int?

  init(_ parts: [Part]) { self.parts = parts }

  func with(_ change: (inout ZIPBuilder) -> Void) -> ZIPBuilder {
    var builder = self
    change(&builder)
    return builder
  }

  func build() -> [UInt8] {
    var file = prefix
    var directory: [UInt8] = []
    for part in parts {
      file += part.gap
      let offset = part.localOffset ?? file.count
      let localName = part.localName ?? part.name
      file += bytes(0x0403_4b50, 4) + bytes(20, 2) + bytes(part.localFlags ?? part.flags, 2)
      file +=
        bytes(part.localMethod ?? part.method, 2) + bytes(0, 4) + bytes(Int(part.localChecksum ?? part.checksum), 4)
      file += bytes(part.localSize ?? part.stored.count, 4) + bytes(part.localSize ?? part.size, 4)
      file += bytes(localName.count, 2) + bytes(part.localExtra.count, 2) + localName + part.localExtra
      file += part.stored + part.descriptor
      directory += bytes(0x0201_4b50, 4) + bytes(0x0314, 2) + bytes(20, 2) + bytes(part.flags, 2)
      directory += bytes(part.method, 2) + bytes(0, 4) + bytes(Int(part.checksum), 4)
      directory += bytes(part.stored.count, 4) + bytes(part.size, 4) + bytes(part.name.count, 2)
      directory += bytes(part.centralExtra.count, 2) + bytes(0, 2) + bytes(part.disk, 2) + bytes(0, 2)
      directory += bytes(Int(part.attributes), 4) + bytes(offset, 4) + part.name + part.centralExtra
    }
    file += beforeDirectory
    let start = directoryOffset ?? file.count
    file += directory + beforeEnd + bytes(0x0605_4b50, 4) + bytes(disk, 2) + bytes(disk, 2)
    file +=
      bytes(count ?? parts.count, 2) + bytes(count ?? parts.count, 2) + bytes(directory.count, 4) + bytes(start, 4)
    return file + bytes(comment.count, 2) + comment
  }

  /// The data descriptor of a part, with or without its optional signature.
  static func descriptor(_ part: Part, signed: Bool = true, checksum: UInt32? = nil) -> [UInt8] {
    (signed ? bytes(0x0807_4b50, 4) : []) + bytes(Int(checksum ?? part.checksum), 4) + bytes(part.stored.count, 4)
      + bytes(part.size, 4)
  }

  /// CRC-32, bit by bit.
  static func crc(_ data: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in data {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}

/// `value` in `count` bytes, little-endian.
func bytes(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
