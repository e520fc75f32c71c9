import CZlib
import Dispatch
package import PoolModel
import Synchronization

/// Writes a ZIP from front to back, in the plain form every reader takes: sizes and checksum before the data, no ZIP64.
///
/// Bytes in memory are deflated, or stored where that is shorter; a file, in practice a photo that no compressor shortens,
/// is stored and read twice instead of being held: once for its checksum, once to be copied.
/// Format: PKWARE APPNOTE.TXT 6.3.10, §4.3.7, §4.3.12, §4.3.16.
package final class ZIPWriter {
  private let write: (UnsafeRawBufferPointer) throws -> Void
  private let moment: UInt32
  private var offset = 0
  private var directory: [UInt8] = []
  private var count = 0
  private var names: Set<String> = []

  private static let utf8Flag = 0x0800
  /// The count is 16 bits wide, and its highest value means ZIP64.
  private static let mostEntries = 0xFFFE

  /// - Parameters:
  ///   - modified: the time every entry bears, in UTC and even seconds, as the format has it.
  ///   - write: takes the archive's bytes in their order; what it throws passes through.
  package init(modified: Timestamp, to write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.write = write
    moment = Self.dosTime(modified)
  }

  /// Adds a folder, `media/` as well as `media`.
  package func addFolder(_ name: String) throws {
    let name = name.hasSuffix("/") ? name : name + "/"
    try begin(Entry(name: name, method: 0, checksum: 0, compressedSize: 0, size: 0, attributes: 0x41ED_0010))
  }

  /// Adds a file of these bytes.
  package func add(_ name: String, _ bytes: [UInt8]) throws { try put(Packed(name, bytes)) }

  /// Adds files in their order; their bytes are made and deflated side by side, and only the deflated ones kept.
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

  /// A file as it goes into the archive: deflated, or stored where that is shorter.
  private struct Packed: Sendable {
    let name: String
    let content: [UInt8]
    let size: Int
    let checksum: UInt32
    let isDeflated: Bool

    init(_ name: String, _ bytes: [UInt8]) {
      let deflated = ZIPWriter.deflate(bytes) ?? bytes
      // What shrinks further than a reader believes is stored: a store may hold a megabyte of one and the same mark.
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
  /// - Throws: `cannotOpen`, `notARegularFile`, `cannotRead`; `truncated` or `wrongChecksum` where the file changes
  ///   meanwhile, and then the archive is spoilt.
  package func add(_ name: String, fileAt path: String) throws {
    let source = try ZIPSource(path: path)
    var checksum: UInt32 = 0
    try Self.pieces(of: source, name) { checksum = CRC32.update(checksum, $0) }
    try begin(
      Entry(
        name: name, method: 0, checksum: checksum, compressedSize: source.count, size: source.count,
        attributes: 0x81A4_0000))
    var again: UInt32 = 0
    try Self.pieces(of: source, name) { piece in
      again = CRC32.update(again, piece)
      try write(piece)
    }
    offset += source.count
    guard again == checksum else { throw ZIPError.wrongChecksum(name) }
  }

  /// Writes the directory; the archive is complete then, and nothing more may be added.
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
    // Made on Unix by a writer of version 2.0.
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

  /// Two-second steps since 1980; an earlier moment is 1980-01-01.
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

  private static func pieces(
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

  /// A sixth faster than zlib's own choice of 6, for archives that are a fortieth larger (measured on a team's records).
  private static let level: Int32 = 5

  /// Raw deflate; nil where zlib has no memory for it.
  private static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
    // zlib's state points back at the structure it was set up with, so that stays at one address.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    let outcome = poolflow_deflate_init_raw(stream, level)
    if outcome == Z_MEM_ERROR { return nil }
    precondition(outcome == Z_OK, "zlib cannot be set up (\(outcome)): it is of another version at run time")
    defer { deflateEnd(stream) }
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: Int(deflateBound(stream, UInt(input.count)))) { output, count in
        // zlib only reads what its header forgets to call constant.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        // The output is as large as deflate can ever need, so that one call ends the stream.
        let outcome = CZlib.deflate(stream, Z_FINISH)
        precondition(outcome == Z_STREAM_END, "zlib broke its promise of deflateBound (\(outcome))")
        count = output.count - Int(stream.pointee.avail_out)
      }
    }
  }
}
