import FlowModel
import Glibc

/// Reads a ZIP's directory so strictly that all ZIP readers would agree on its entries.
///
/// Entries, data descriptors, directory and end record must fill the file without gaps or overlaps, and each local
/// header must equal its directory record. This excludes prepended or hidden data, overlapping ZIP bombs (Fifield, "A
/// better zip bomb", 2019) and contradictory headers.
///
/// Format: PKWARE APPNOTE.TXT 6.3.10, §4.3.7, §4.3.9, §4.3.12, §4.3.16.
struct ZIPDirectory {
  private let source: ZIPSource

  /// The checked entries of a ZIP, in directory order, without the root folder.
  static func entries(of source: ZIPSource) throws(ZIPError) -> [ZIPEntry] {
    guard source.count <= Limits.archiveBytes else {
      throw .tooLarge(bytes: source.count, limit: Limits.archiveBytes)
    }
    let directory = ZIPDirectory(source: source)
    let end = try directory.findEnd()
    let records = try directory.centralRecords(end)
    try checkExpansion(records)
    // The folder `./`, which some writers put first, is the archive itself.
    let entries = try directory.confirm(records, end: end).filter { !$0.name.isEmpty }
    try checkNames(entries)
    return entries
  }

  private init(source: ZIPSource) { self.source = source }

  // MARK: End record

  /// The end-of-central-directory record.
  private struct End {
    var offset: Int
    var count: Int
    var directoryOffset: Int
    var directorySize: Int
  }

  private func findEnd() throws(ZIPError) -> End {
    let fixed = 22
    guard source.count >= fixed else { throw .notAZIP }
    let tailCount = min(source.count, fixed + 0xFFFF)
    let tailOffset = source.count - tailCount
    let tail = try source.bytes(at: tailOffset, count: tailCount, "its end")
    let fields = ZIPFields(tail)
    // The archive comment may contain bytes that resemble an end record; only a record that ends exactly at the end of
    // the file counts.
    let found = offsets(of: 0x50, in: tail).filter { index in
      index + fixed <= tailCount && fields.word(index) == 0x0605_4b50
        && index + fixed + fields.half(index + 20) == tailCount
    }
    guard let index = found.first else { throw .notAZIP }
    guard found.count == 1 else { throw .ambiguousEnd }
    let count = fields.half(index + 10)
    let end = End(
      offset: tailOffset + index, count: count, directoryOffset: fields.word(index + 16),
      directorySize: fields.word(index + 12))
    guard count != 0xFFFF, end.directoryOffset != 0xFFFF_FFFF, end.directorySize != 0xFFFF_FFFF else { throw .zip64 }
    if end.offset >= 20 {
      let locator = ZIPFields(try source.bytes(at: end.offset - 20, count: 4, "its end"))
      if locator.word(0) == 0x0706_4b50 { throw .zip64 }
    }
    guard fields.half(index + 4) == 0, fields.half(index + 6) == 0, fields.half(index + 8) == count else {
      throw .multipleDisks
    }
    guard count <= Limits.archiveEntries else { throw .tooManyEntries(count, limit: Limits.archiveEntries) }
    guard end.directoryOffset + end.directorySize == end.offset else {
      throw .malformedDirectory("the directory does not end where the end record begins")
    }
    return end
  }

  private func offsets(of byte: UInt8, in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { buffer in
      var offsets: [Int] = []
      guard let base = buffer.baseAddress else { return offsets }
      var index = 0
      while let found = memchr(base + index, Int32(byte), buffer.count - index) {
        let place = UnsafeRawPointer(found) - base
        offsets.append(place)
        index = place + 1
      }
      return offsets
    }
  }

  // MARK: Central records

  /// A record of the central directory.
  private struct Record {
    var header: ZIPHeader
    var name: String
    var isFolder: Bool
    var localOffset: Int
  }

  private func centralRecords(_ end: End) throws(ZIPError) -> [Record] {
    let fixed = 46
    // The number of entries is limited to `Limits.archiveEntries`, so the directory fits in memory.
    let directory = try source.bytes(at: end.directoryOffset, count: end.directorySize, "its directory")
    let fields = ZIPFields(directory)
    var records: [Record] = []
    records.reserveCapacity(end.count)
    var index = 0
    for _ in 0..<end.count {
      guard directory.count - index >= fixed, fields.word(index) == 0x0201_4b50 else {
        throw .malformedDirectory("entry \(records.count + 1) of \(end.count) is missing")
      }
      let nameEnd = index + fixed + fields.half(index + 28)
      let extraEnd = nameEnd + fields.half(index + 30)
      let recordEnd = extraEnd + fields.half(index + 32)
      guard recordEnd <= directory.count else {
        throw .malformedDirectory("entry \(records.count + 1) is larger than the directory")
      }
      let header = ZIPHeader(
        flags: fields.half(index + 8), method: fields.half(index + 10),
        checksum: UInt32(truncatingIfNeeded: fields.word(index + 16)), compressedSize: fields.word(index + 20),
        uncompressedSize: fields.word(index + 24), nameBytes: Array(directory[index + fixed..<nameEnd]),
        extra: Array(directory[nameEnd..<extraEnd]))
      guard fields.half(index + 34) == 0 else { throw .multipleDisks }
      let (name, isFolder) = try ZIPName.check(header.nameBytes)
      try check(header, name)
      try checkKind(name, isFolder, attributes: fields.word(index + 38))
      if isFolder { try checkFolder(header, name) }
      records.append(
        Record(header: header, name: name, isFolder: isFolder, localOffset: fields.word(index + 42)))
      index = recordEnd
    }
    guard index == directory.count else { throw .malformedDirectory("the directory is longer than its entries") }
    return records
  }

  private func check(_ header: ZIPHeader, _ name: String) throws(ZIPError) {
    if header.flags & ZIPHeader.encryptionFlags != 0 { throw .encrypted(name) }
    guard header.flags & ~ZIPHeader.understoodFlags == 0 else { throw .unsupportedFlags(name, header.flags) }
    guard header.method == 0 || header.method == 8 else { throw .unknownMethod(name, header.method) }
    if header.compressedSize == 0xFFFF_FFFF || header.uncompressedSize == 0xFFFF_FFFF { throw .zip64 }
    if header.method == 0, header.compressedSize != header.uncompressedSize {
      throw .headersDisagree(name, field: "two sizes of stored data")
    }
    try checkExtra(header, name)
  }

  private func checkExtra(_ header: ZIPHeader, _ name: String) throws(ZIPError) {
    guard let extraFields = ZIPExtra.extraFields(of: header.extra) else {
      throw .malformedDirectory("the extra fields of an entry are too long")
    }
    for (tag, body) in extraFields {
      switch tag {
      case ZIPExtra.zip64: throw .zip64
      case ZIPExtra.strongEncryption, ZIPExtra.aesEncryption: throw .encrypted(name)
      // Content of this field: version byte, CRC-32 of the header's name, then a name that some readers would use
      // instead.
      case ZIPExtra.unicodePath where !body.dropFirst(5).elementsEqual(header.nameBytes):
        throw .unsafeName(name, .secondName)
      default: break
      }
    }
  }

  /// Unix writers put the file's mode into the upper half of the external attributes.
  private func checkKind(_ name: String, _ isFolder: Bool, attributes: Int) throws(ZIPError) {
    let kind = (attributes >> 16) & 0xF000
    guard kind == 0 || kind == (isFolder ? 0x4000 : 0x8000) else { throw .notAFile(name) }
    // DOS attributes: bit 4 is "directory", bit 3 "volume label".
    if attributes & 0x08 != 0 || (attributes & 0x10 != 0 && !isFolder) { throw .notAFile(name) }
  }

  /// Checks that a folder has no data. Some writers deflate its empty content into two bytes.
  private func checkFolder(_ header: ZIPHeader, _ name: String) throws(ZIPError) {
    guard header.uncompressedSize == 0, header.compressedSize <= 2, header.checksum == 0 else {
      throw .unsafeName(name, .folderWithData)
    }
  }

  // MARK: Local headers

  /// Checks each local header, and that the entries fill the file from its first byte to the directory.
  private func confirm(_ records: [Record], end: End) throws(ZIPError) -> [ZIPEntry] {
    let order = records.indices.sorted { records[$0].localOffset < records[$1].localOffset }
    var dataOffsets = [Int](repeating: 0, count: records.count)
    var position = 0
    for (place, index) in order.enumerated() {
      let record = records[index]
      guard record.localOffset == position else { throw .strayBytes(at: min(position, record.localOffset)) }
      let next = place + 1 < order.count ? records[order[place + 1]].localOffset : end.directoryOffset
      let dataOffset = try confirmLocal(record, until: next)
      let dataEnd = dataOffset + record.header.compressedSize
      guard dataEnd <= next else { throw .strayBytes(at: next) }
      if record.header.flags & ZIPHeader.descriptorFlag != 0 {
        try confirmDescriptor(record, at: dataEnd, count: next - dataEnd)
      } else if dataEnd != next {
        throw .strayBytes(at: dataEnd)
      }
      dataOffsets[index] = dataOffset
      position = next
    }
    guard position == end.directoryOffset else { throw .strayBytes(at: position) }
    return records.indices.map { index in
      let record = records[index]
      return ZIPEntry(
        name: record.name, isFolder: record.isFolder, method: record.header.method == 0 ? .stored : .deflated,
        compressedSize: record.header.compressedSize, uncompressedSize: record.header.uncompressedSize,
        checksum: record.header.checksum, dataOffset: dataOffsets[index])
    }
  }

  private func confirmLocal(_ record: Record, until next: Int) throws(ZIPError) -> Int {
    let fixed = 30
    let (name, central) = (record.name, record.header)
    // Extra fields are usually short, so a single read normally gets the whole header.
    let firstRead = min(next - record.localOffset, fixed + central.nameBytes.count + 64)
    guard firstRead >= fixed else { throw .strayBytes(at: next) }
    var bytes = try source.bytes(at: record.localOffset, count: firstRead, "entry '\(name)'")
    var fields = ZIPFields(bytes)
    guard fields.word(0) == 0x0403_4b50 else { throw .malformedDirectory("an entry is not at its recorded offset") }
    let nameEnd = fixed + fields.half(26)
    let headerEnd = nameEnd + fields.half(28)
    guard record.localOffset + headerEnd <= next else { throw .strayBytes(at: next) }
    if headerEnd > bytes.count {
      bytes = try source.bytes(at: record.localOffset, count: headerEnd, "entry '\(name)'")
      fields = ZIPFields(bytes)
    }
    let local = ZIPHeader(
      flags: fields.half(6), method: fields.half(8), checksum: UInt32(truncatingIfNeeded: fields.word(14)),
      compressedSize: fields.word(18), uncompressedSize: fields.word(22), nameBytes: Array(bytes[fixed..<nameEnd]),
      extra: Array(bytes[nameEnd..<headerEnd]))
    guard local.nameBytes == central.nameBytes else { throw .headersDisagree(name, field: "name") }
    guard local.flags == central.flags else { throw .headersDisagree(name, field: "flags") }
    guard local.method == central.method else { throw .headersDisagree(name, field: "method") }
    // A writer that could not seek back writes 0 into these three fields and puts the values into the data descriptor.
    let mayBeZero = central.flags & ZIPHeader.descriptorFlag != 0
    guard local.checksum == central.checksum || (mayBeZero && local.checksum == 0) else {
      throw .headersDisagree(name, field: "checksum")
    }
    guard
      local.compressedSize == central.compressedSize || (mayBeZero && local.compressedSize == 0),
      local.uncompressedSize == central.uncompressedSize || (mayBeZero && local.uncompressedSize == 0)
    else { throw .headersDisagree(name, field: "size") }
    try checkExtra(local, name)
    return record.localOffset + headerEnd
  }

  private func confirmDescriptor(_ record: Record, at offset: Int, count: Int) throws(ZIPError) {
    guard count == 12 || count == 16 else { throw .strayBytes(at: offset) }
    let fields = ZIPFields(try source.bytes(at: offset, count: count, "entry '\(record.name)'"))
    let start = count - 12
    guard start == 0 || fields.word(0) == 0x0807_4b50 else { throw .strayBytes(at: offset) }
    guard fields.word(start) == Int(record.header.checksum) else {
      throw .headersDisagree(record.name, field: "checksum")
    }
    guard fields.word(start + 4) == record.header.compressedSize,
      fields.word(start + 8) == record.header.uncompressedSize
    else { throw .headersDisagree(record.name, field: "size") }
  }

  // MARK: All entries together

  private static func checkExpansion(_ records: [Record]) throws(ZIPError) {
    var total = 0
    for record in records {
      let (compressed, uncompressed) = (record.header.compressedSize, record.header.uncompressedSize)
      if uncompressed > Limits.archiveRatioFrom, uncompressed > Limits.archiveRatio * compressed {
        throw .suspiciousRatio(record.name, compressed: compressed, uncompressed: uncompressed)
      }
      total += uncompressed
    }
    guard total <= Limits.archiveBytes else { throw .expandsTooFar(bytes: total, limit: Limits.archiveBytes) }
  }

  private static func checkNames(_ entries: [ZIPEntry]) throws(ZIPError) {
    var seen: Set<String> = []
    var files: Set<String> = []
    for entry in entries {
      let key = ZIPName.key(entry.name)
      guard seen.insert(key).inserted else { throw .duplicateName(entry.name) }
      if !entry.isFolder { files.insert(key) }
    }
    // No entry may be inside a path that is a file.
    for entry in entries {
      var parent = ZIPName.key(entry.name)[...]
      while let slash = parent.lastIndex(of: "/") {
        parent = parent[..<slash]
        if files.contains(String(parent)) { throw .unsafeName(entry.name, .fileUsedAsFolder) }
      }
    }
  }
}
