/// A ZIP opened for reading. `init` checks the whole directory; the data of an entry is checked when it is read.
///
/// Only stored and deflated entries of single-file archives are supported; see `ZIPDirectory` for the checks. Files are
/// read in pieces, so memory use does not depend on their size.
package final class ZIPArchive: Sendable {
  package let entries: [ZIPEntry]
  private let source: ZIPSource
  private let indexByName: [String: Int]

  /// The bytes read and inflated at a time; much larger than the 32 KiB window that zlib copies between pieces.
  private static let chunkBytes = 256 << 10

  /// Opens a regular file; fails if the path itself is a symbolic link.
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
    self.indexByName = Dictionary(uniqueKeysWithValues: zip(entries.map(\.name), entries.indices))
  }

  /// The file (not folder) with exactly this name; nil if there is none.
  package func file(named name: String) -> ZIPEntry? {
    guard let place = indexByName[name], !entries[place].isFolder else { return nil }
    return entries[place]
  }

  /// The whole content of an entry.
  ///
  /// - Throws: `entryTooLarge` before reading anything; `damagedData`, `wrongChecksum`, `cannotRead`, `truncated`.
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
      // Unreachable: the closure throws nothing and `extract` itself throws only ZIPError.
      throw .damagedData(entry.name)
    }
    return result
  }

  /// Passes the content of an entry to `write` in pieces of at most 256 KiB.
  ///
  /// The checksum is verified at the end: if this throws, the caller must discard all pieces.
  ///
  /// - Throws: the errors of `read`, and those of `write`.
  package func extract(_ entry: ZIPEntry, to write: (UnsafeRawBufferPointer) throws -> Void) throws {
    var progress = Progress(entry: entry)
    switch entry.method {
    case .stored: try copy(entry, &progress, to: write)
    case .deflated: try inflate(entry, &progress, to: write)
    }
    guard progress.produced == entry.uncompressedSize else { throw ZIPError.damagedData(entry.name) }
    guard progress.checksum == entry.checksum else { throw ZIPError.wrongChecksum(entry.name) }
  }

  /// The bytes of an entry extracted so far.
  private struct Progress {
    let entry: ZIPEntry
    var produced = 0
    var checksum: UInt32 = 0

    /// Adds a piece.
    ///
    /// - Throws: `damagedData` if the entry exceeds its declared size.
    mutating func take(_ piece: UnsafeRawBufferPointer) throws {
      produced += piece.count
      guard produced <= entry.uncompressedSize else { throw ZIPError.damagedData(entry.name) }
      checksum = CRC32.update(checksum, piece)
    }
  }

  private func copy(
    _ entry: ZIPEntry, _ progress: inout Progress, to write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var piece = [UInt8](repeating: 0, count: min(Self.chunkBytes, entry.compressedSize))
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
    var input = [UInt8](repeating: 0, count: min(Self.chunkBytes, entry.compressedSize))
    // One extra byte detects entries that are longer than declared.
    var output = [UInt8](repeating: 0, count: min(Self.chunkBytes, entry.uncompressedSize + 1))
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
            // Bytes after the end of the deflate stream are not allowed.
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
