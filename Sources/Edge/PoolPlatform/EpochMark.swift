import CLinux
import Glibc

/// A note beside the store of the daemon's latest life. A store that knows less than this note was put back from a copy,
/// whoever did it and however: what it calls undelivered may have been delivered long ago.
package struct EpochMark: Hashable, Sendable {
  /// Counts the lives of one store.
  package let epoch: Int64
  /// The life ended by itself, and its store says so, too.
  package let hasEnded: Bool

  /// Bytes of a note.
  private static let longest = 64

  package init(epoch: Int64, hasEnded: Bool) {
    self.epoch = epoch
    self.hasEnded = hasEnded
  }

  /// Nil where there is none that can be read: then nothing is known, and nothing concluded.
  package init?(path: String) {
    guard let words = SmallFile.text(path, limit: Self.longest)?.split(whereSeparator: \.isWhitespace),
      words.count == 2,
      let epoch = Int64(words[0]), words[1] == "open" || words[1] == "ended"
    else { return nil }
    self.init(epoch: epoch, hasEnded: words[1] == "ended")
  }

  /// Replaces the note, whole or not at all; on a full disk in its own place, which takes no room.
  package func write(to path: String) throws(SystemFailure) {
    do {
      try replace(path)
    } catch  where error.isWantOfRoom {
      // The file that could not be finished would stand in nobody's way, but its name takes room, too.
      unlink(path + ".new")
      guard overwrite(path) else { throw error }
    }
  }

  /// A note is shorter than what a disk writes at once, so it is the old one or the new one after a crash, too.
  private func overwrite(_ path: String) -> Bool {
    let descriptor = poolflow_openat(AT_FDCWD, path, O_WRONLY, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0, status.st_size <= Self.longest else { return false }
    var bytes = Array("\(epoch) \(hasEnded ? "ended" : "open")".utf8)
    // What was longer is covered by spaces: readers pass them over.
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
