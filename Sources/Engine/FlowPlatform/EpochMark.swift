import CLinux
import Glibc

/// A file beside the store with the number of the daemon's latest epoch. A store with a lower epoch has been restored
/// from an older copy, by whatever means: entries that it lists as undelivered may have been delivered already.
package struct EpochMark: Hashable, Sendable {
  /// The number of the daemon process among all that have used this store; it increases with each start.
  package let epoch: Int64
  /// True if that process ended regularly and recorded this in the store, too.
  package let hasEnded: Bool

  /// The maximum size of the file in bytes.
  private static let longest = 64

  package init(epoch: Int64, hasEnded: Bool) {
    self.epoch = epoch
    self.hasEnded = hasEnded
  }

  /// Reads the file; nil if it is missing or unreadable. The caller then draws no conclusion.
  package init?(path: String) {
    guard let words = SmallFile.text(path, limit: Self.longest)?.split(whereSeparator: \.isWhitespace),
      words.count == 2,
      let epoch = Int64(words[0]), words[1] == "open" || words[1] == "ended"
    else { return nil }
    self.init(epoch: epoch, hasEnded: words[1] == "ended")
  }

  /// Replaces the file atomically. On a full disk, overwrites it in place, which needs no free space.
  package func write(to path: String) throws(SystemFailure) {
    do {
      try replace(path)
    } catch  where error.isCausedByFullDisk {
      // The unfinished temporary file does no harm, but its directory entry takes space too.
      unlink(path + ".new")
      guard overwrite(path) else { throw error }
    }
  }

  /// Overwrites the file in place. It is smaller than a disk sector, so a crash leaves either the old or the new text.
  private func overwrite(_ path: String) -> Bool {
    let descriptor = poolflow_openat(AT_FDCWD, path, O_WRONLY, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0, status.st_size <= Self.longest else { return false }
    var bytes = Array("\(epoch) \(hasEnded ? "ended" : "open")".utf8)
    // Spaces cover the rest of a longer old text; readers ignore them.
    bytes += Array(repeating: UInt8(ascii: " "), count: max(0, Int(status.st_size) - bytes.count - 1))
    bytes.append(UInt8(ascii: "\n"))
    return bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) } == bytes.count
      && fsync(descriptor) == 0
  }

  private func replace(_ path: String) throws(SystemFailure) {
    let temporary = path + ".new"
    let descriptor = poolflow_openat(AT_FDCWD, temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw SystemFailure("cannot make '\(temporary)'") }
    let bytes = Array("\(epoch) \(hasEnded ? "ended" : "open")\n".utf8)
    let isWritten = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
    let isSynced = isWritten && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isSynced else { throw SystemFailure("cannot write '\(temporary)'", code: code) }
    guard rename(temporary, path) == 0 else { throw SystemFailure("cannot replace '\(path)'") }
  }
}
