/// A ZIP opened for reading: its directory is checked in full by `init`, its data when an entry is read.
///
/// Only stored and deflated entries of a single plain file are read, see `ZIPDirectory` for what is refused. A file is
/// read piece by piece, so that memory stays flat whatever it holds.
package final class ZIPArchive: Sendable {
  package let entries: [ZIPEntry]
  private let source: ZIPSource
  private let places: [String: Int]

  /// Bytes read and inflated at a time: many times the 32 KiB that zlib must keep of each piece for the next.
  private static let pieceBytes = 256 << 10

  /// Opens a regular file; a symbolic link in its last part is refused.
  package convenience init(path: String) throws(ZIPError) {
    try self.init(ZIPSource(path: path))
  }

  package convenience init(bytes: [UInt8]) throws(ZIPError) {
    try self.init(.bytes(bytes))
  }

  private init(_ source: ZIPSource) throws(ZIPError) {
    let entries = try ZIPDirectory.entries(of: source)
    self.source = source
    self.entries = entries
    self.places = Dictionary(uniqueKeysWithValues: zip(entries.map(\.name), entries.indices))
  }

  /// The file (not the folder) of exactly this name.
  package func file(named name: String) -> ZIPEntry? {
    guard let place = places[name], !entries[place].isFolder else { return nil }
    return entries[place]
  }

  /// The whole of one entry.
  ///
  /// - Throws: `entryTooLarge` before a byte is read, `damagedData`, `wrongChecksum`, `cannotRead`, `truncated`.
  package func read(_ entry: ZIPEntry, limit: Int) throws(ZIPError) -> [UInt8] {
    guard entry.uncompressedSize <= limit else {
      throw .entryTooLarge(entry.name, bytes: entry.uncompressedSize, limit: limit)
    }
    var result: [UInt8] = []
    result.reserveCapacity(entry.uncompressedSize)
    do {
      try extract(entry) { piece in result.append(contentsOf: piece) }
    } catch let error as ZIPError {
      throw error
    } catch {
      // The closure above throws nothing, and `extract` itself nothing but ZIPError.
      throw .damagedData(entry.name)
    }
    return result
  }

  /// Hands out one entry in pieces of at most 256 KiB.
  ///
  /// The checksum is known only at the end: what `write` took before a throw must be discarded.
  /// - Throws: as `read`, and what `write` throws.
  package func extract(_ entry: ZIPEntry, to write: (UnsafeRawBufferPointer) throws -> Void) throws {
    var progress = Progress(entry: entry)
    switch entry.method {
    case .stored: try copy(entry, &progress, to: write)
    case .deflated: try inflate(entry, &progress, to: write)
    }
    guard progress.produced == entry.uncompressedSize else { throw ZIPError.damagedData(entry.name) }
    guard progress.checksum == entry.checksum else { throw ZIPError.wrongChecksum(entry.name) }
  }

  private struct Progress {
    let entry: ZIPEntry
    var produced = 0
    var checksum: UInt32 = 0

    /// - Throws: `damagedData` where the entry grows past its declared size.
    mutating func take(_ piece: UnsafeRawBufferPointer) throws {
      produced += piece.count
      guard produced <= entry.uncompressedSize else { throw ZIPError.damagedData(entry.name) }
      checksum = CRC32.update(checksum, piece)
    }
  }

  private func copy(
    _ entry: ZIPEntry, _ progress: inout Progress, to write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var piece = [UInt8](repeating: 0, count: min(Self.pieceBytes, entry.compressedSize))
    try piece.withUnsafeMutableBytes { buffer in
      while progress.produced < entry.compressedSize {
        let count = min(buffer.count, entry.compressedSize - progress.produced)
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try source.read(at: entry.dataOffset + progress.produced, into: part, "entry '\(entry.name)'")
        try progress.take(UnsafeRawBufferPointer(part))
        try write(UnsafeRawBufferPointer(part))
      }
    }
  }

  private func inflate(
    _ entry: ZIPEntry, _ progress: inout Progress, to write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let inflater = try ZIPInflater()
    var input = [UInt8](repeating: 0, count: min(Self.pieceBytes, entry.compressedSize))
    // One byte more than declared shows an entry that lies about its size.
    var output = [UInt8](repeating: 0, count: min(Self.pieceBytes, entry.uncompressedSize + 1))
    try input.withUnsafeMutableBytes { input in
      try output.withUnsafeMutableBytes { output in
        var taken = 0
        var waiting = UnsafeRawBufferPointer(start: nil, count: 0)
        while true {
          if waiting.isEmpty, taken < entry.compressedSize {
            let count = min(input.count, entry.compressedSize - taken)
            let part = UnsafeMutableRawBufferPointer(rebasing: input[..<count])
            try source.read(at: entry.dataOffset + taken, into: part, "entry '\(entry.name)'")
            taken += count
            waiting = UnsafeRawBufferPointer(part)
          }
          let (step, consumed, produced) = inflater.run(waiting, into: output)
          waiting = UnsafeRawBufferPointer(rebasing: waiting[consumed...])
          let piece = UnsafeRawBufferPointer(rebasing: output[..<produced])
          try progress.take(piece)
          if produced > 0 { try write(piece) }
          switch step {
          case .finished:
            // Bytes after the end of the stream belong to nobody.
            guard waiting.isEmpty, taken == entry.compressedSize else { throw ZIPError.damagedData(entry.name) }
            return
          case .moreOutput: continue
          case .moreInput:
            guard taken < entry.compressedSize else { throw ZIPError.damagedData(entry.name) }
          case .damaged: throw ZIPError.damagedData(entry.name)
          case .noMemory: throw ZIPInflater.noMemory
          }
        }
      }
    }
  }
}
