import CZlib
import Dispatch
package import FlowModel
import Synchronization

/// Writes a ZIP sequentially, in the simplest format: sizes and checksum before the data, no ZIP64.
///
/// Bytes in memory are deflated, or stored if that is shorter. A file (in practice a photo, which does not compress) is
/// stored. It is read twice, for its checksum and for copying, so that it need not fit in memory.
///
/// Format: PKWARE APPNOTE.TXT 6.3.10, §4.3.7, §4.3.12, §4.3.16.
package final class ZIPWriter {
  private let write: (UnsafeRawBufferPointer) throws -> Void
  private let moment: UInt32
  private var offset = 0
  private var directory: [UInt8] = []
  private var count = 0
  private var names: Set<String> = []

  private static let utf8Flag = 0x0800
  /// The entry count has 16 bits, and its highest value means ZIP64.
  private static let mostEntries = 0xFFFE

  /// Starts an archive.
  ///
  /// - Parameters:
  ///   - modified: the time stamp of all entries, stored in UTC with a resolution of two seconds.
  ///   - write: receives the archive's bytes in order; its errors are passed on.
  package init(modified: Timestamp, to write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.write = write
    moment = Self.dosTime(modified)
  }

  /// Adds a folder; the name may end with a slash.
  package func addFolder(_ name: String) throws {
    let name = name.hasSuffix("/") ? name : name + "/"
    try begin(Entry(name: name, method: 0, checksum: 0, compressedSize: 0, size: 0, attributes: 0x41ED_0010))
  }

  /// Adds a file with these bytes.
  package func add(_ name: String, _ bytes: [UInt8]) throws { try put(Packed(name, bytes)) }

  /// Adds files in order. Their bytes are produced and deflated in parallel; only the compressed bytes are kept.
  package func add(_ files: [(name: String, bytes: @Sendable () -> [UInt8])]) throws {
    let packed = Mutex<[Packed?]>(Array(repeating: nil, count: files.count))
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      let one = Packed(files[index].name, files[index].bytes())
      packed.withLock { $0[index] = one }
    }
    for one in packed.withLock({ $0 }) {
      if let one { try put(one) }
    }
  }

  /// A file prepared for the archive: deflated, or stored if that is shorter.
  private struct Packed: Sendable {
    let name: String
    let content: [UInt8]
    let size: Int
    let checksum: UInt32
    let isDeflated: Bool

    init(_ name: String, _ bytes: [UInt8]) {
      let deflated = ZIPWriter.deflate(bytes) ?? bytes
      // Data that compresses too well is stored, because readers refuse such ratios as suspicious
      // (`Limits.archiveRatio`). Example: a megabyte of one repeated character.
      let isBelieved = bytes.count <= Limits.archiveRatioFrom || bytes.count <= Limits.archiveRatio * deflated.count
      isDeflated = deflated.count < bytes.count && isBelieved
      content = isDeflated ? deflated : bytes
      size = bytes.count
      checksum = bytes.withUnsafeBytes { CRC32.update(0, $0) }
      self.name = name
    }
  }

  private func put(_ file: Packed) throws {
    try begin(
      Entry(
        name: file.name, method: file.isDeflated ? 8 : 0, checksum: file.checksum,
        compressedSize: file.content.count, size: file.size, attributes: 0x81A4_0000))
    try put(file.content)
  }

  /// Adds the regular file at `path` under `name`.
  ///
  /// - Throws: `cannotOpen`, `notARegularFile`, `cannotRead`; `truncated` or `wrongChecksum` if the file changes during
  ///   the call. The archive is then unusable.
  package func add(_ name: String, fileAt path: String) throws {
    let source = try ZIPSource(path: path)
    var checksum: UInt32 = 0
    try Self.forEachChunk(of: source, name) { checksum = CRC32.update(checksum, $0) }
    try begin(
      Entry(
        name: name, method: 0, checksum: checksum, compressedSize: source.count, size: source.count,
        attributes: 0x81A4_0000))
    var again: UInt32 = 0
    try Self.forEachChunk(of: source, name) { piece in
      again = CRC32.update(again, piece)
      try write(piece)
    }
    offset += source.count
    guard again == checksum else { throw ZIPError.wrongChecksum(name) }
  }

  /// Writes the directory and completes the archive. Nothing may be added afterwards.
  package func finish() throws {
    let start = offset
    try put(directory)
    var end = Fields()
    end.word(0x0605_4b50)
    end.word(0)
    end.half(count)
    end.half(count)
    end.word(directory.count)
    end.word(start)
    end.half(0)
    try put(end.bytes)
  }

  // MARK: Headers

  /// The header fields of one file or folder.
  private struct Entry {
    var name: String
    var method: Int
    var checksum: UInt32
    var compressedSize: Int
    var size: Int
    var attributes: Int
  }

  private func begin(_ entry: Entry) throws {
    let nameBytes = Array(entry.name.utf8)
    let (plain, _) = try ZIPName.check(nameBytes)
    guard names.insert(ZIPName.key(plain)).inserted else { throw ZIPError.duplicateName(plain) }
    guard count < Self.mostEntries else { throw ZIPError.tooManyEntries(count + 1, limit: Self.mostEntries) }
    let after = offset + 30 + nameBytes.count + entry.compressedSize + directory.count + 46 + nameBytes.count + 22
    guard after <= Limits.archiveBytes else { throw ZIPError.tooLarge(bytes: after, limit: Limits.archiveBytes) }

    var common = Fields()
    common.half(20)
    common.half(Self.utf8Flag)
    common.half(entry.method)
    common.word(Int(moment))
    common.word(Int(entry.checksum))
    common.word(entry.compressedSize)
    common.word(entry.size)
    common.half(nameBytes.count)
    common.half(0)

    var central = Fields()
    central.word(0x0201_4b50)
    // Made on Unix, ZIP specification 2.0.
    central.half(0x0314)
    central.bytes += common.bytes
    central.half(0)
    central.half(0)
    central.half(0)
    central.word(entry.attributes)
    central.word(offset)
    directory += central.bytes + nameBytes
    count += 1

    var local = Fields()
    local.word(0x0403_4b50)
    try put(local.bytes + common.bytes + nameBytes)
  }

  /// Builds little-endian header fields.
  private struct Fields {
    var bytes: [UInt8] = []

    mutating func half(_ value: Int) {
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    mutating func word(_ value: Int) {
      half(value)
      half(value >> 16)
    }
  }

  /// A DOS time stamp: two-second steps since 1980. Years before 1980 or after 2107 become 1980-01-01.
  private static func dosTime(_ moment: Timestamp) -> UInt32 {
    let local = LocalDateTime(secondsAsIfUTC: moment.seconds)
    let (date, time) = (local.date, local.time)
    guard (1980...2107).contains(date.year) else { return 0x0021_0000 }
    let day = (date.year - 1980) << 9 | date.month << 5 | date.day
    return UInt32(day << 16 | time.hour << 11 | time.minute << 5 | time.second / 2)
  }

  // MARK: Bytes

  private func put(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
    offset += bytes.count
  }

  private static func forEachChunk(
    of source: ZIPSource, _ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var piece = [UInt8](repeating: 0, count: min(source.count, 64 << 10))
    try piece.withUnsafeMutableBytes { buffer in
      var done = 0
      while done < source.count {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, source.count - done)])
        try source.read(at: done, into: part, "'\(name)'")
        try body(UnsafeRawBufferPointer(part))
        done += part.count
      }
    }
  }

  /// A sixth faster than zlib's default level 6; archives are 2.5 % larger (measured on a team's records).
  private static let level: Int32 = 5

  /// Compresses to raw deflate; nil if zlib has no memory.
  private static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
    // zlib's state points back at its `z_stream`, so the structure needs a fixed address.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    let outcome = poolflow_deflate_init_raw(stream, level)
    if outcome == Z_MEM_ERROR { return nil }
    precondition(outcome == Z_OK, "zlib cannot be set up (\(outcome)): its version differs at run time")
    defer { deflateEnd(stream) }
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: Int(deflateBound(stream, UInt(input.count)))) { output, count in
        // zlib does not modify its input, but its type lacks the const.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        // The output buffer has the maximum size deflate can need, so one call ends the stream.
        let outcome = CZlib.deflate(stream, Z_FINISH)
        precondition(outcome == Z_STREAM_END, "zlib needed more than its deflateBound (\(outcome))")
        count = output.count - Int(stream.pointee.avail_out)
      }
    }
  }
}
