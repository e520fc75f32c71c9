import FlowPlatform

/// Bytes as a ZIP, of which all entries are read.
enum ZIPInput {
  /// The maximum bytes read of one archive; a real import is limited by `Limits.archiveBytes`.
  private static let mostBytes = 1 << 20

  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let promise: Duration = .milliseconds(1) + .nanoseconds(100 * bytes.count)
    let opened: Result<ZIPArchive, ZIPError> = try limit.call("opening", promise) {
      do throws(ZIPError) { return .success(try ZIPArchive(bytes: bytes)) } catch { return .failure(error) }
    }
    switch opened {
    case .failure(let error):
      try require(!error.isAboutTheFile, "a file is blamed where there is none: \(error)")
      try require(!error.description.isEmpty, "the error says nothing")
    case .success(let archive): try check(archive, bytes.count, limit)
    }
  }

  private static func check(_ archive: ZIPArchive, _ count: Int, _ limit: TimeLimit) throws(BrokenLaw) {
    let compressed = archive.entries.reduce(0) { $0 + $1.compressedSize }
    try require(compressed <= count, "the entries have more bytes than the file")
    var left = mostBytes
    for entry in archive.entries {
      try require(!entry.name.isEmpty && !entry.name.hasPrefix("/"), "the name '\(entry.name)' was let in")
      let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
      try require(parts.allSatisfy { !["", ".", ".."].contains($0) }, "the name '\(entry.name)' was let in")
      guard entry.uncompressedSize <= left else { continue }
      let room = left
      let read: Result<[UInt8], ZIPError> = try limit.call("reading an entry", .milliseconds(20)) {
        do throws(ZIPError) { return .success(try archive.read(entry, limit: room)) } catch { return .failure(error) }
      }
      if !entry.isFolder { try require(archive.file(named: entry.name) == entry, "'\(entry.name)' is not found") }
      guard case .success(let data) = read else { continue }
      try require(data.count == entry.uncompressedSize, "'\(entry.name)' is \(data.count) bytes long")
      left -= data.count
    }
  }
}
