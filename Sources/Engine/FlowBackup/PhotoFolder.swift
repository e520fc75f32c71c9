import FlowModel
import FlowPlatform
import FlowStore
import FoundationEssentials
import Glibc

/// Why a photo could not be stored.
package struct PhotoError: Error, Hashable, CustomStringConvertible {
  /// The operation that failed; its raw value is a verb for the message.
  package enum Step: String, Sendable { case open, create, write, flush, rename }
  package let step: Step
  package let name: String
  package let errno: Int32

  package var description: String {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return "cannot \(step.rawValue) '\(name)': \(reason)"
  }
}

/// An open directory; every name is resolved inside it only.
package final class PhotoFolder: Sendable {
  private let path: String
  private let descriptor: Int32

  package init(path: String) throws(PhotoError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw PhotoError(step: .open, name: path, errno: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Writes a file under a temporary name and flushes it; `keep` gives it its own name.
  ///
  /// - Returns: the SHA-256 of the bytes written by `body`.
  package func stage(_ name: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws -> String
  {
    // Remove the leftover of an earlier crash; usually there is none.
    discard(name)
    return try fill(partial(name), body)
  }

  /// Renames a staged file to its own name, replacing an older file.
  package func keep(_ staged: String, as name: String? = nil) throws(PhotoError) {
    let name = name ?? staged
    guard renameat(descriptor, partial(staged), descriptor, name) == 0 else {
      throw PhotoError(step: .rename, name: name, errno: errno)
    }
  }

  /// Removes a staged file. A failure is harmless, because staging the file again removes it.
  package func discard(_ name: String) {
    unlinkat(descriptor, partial(name), 0)
  }

  /// The size of a file in bytes; nil if it does not exist.
  func size(of name: String) -> Int? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return Int(status.st_size)
  }

  func size(ofStaged name: String) -> Int? { size(of: partial(name)) }

  private func partial(_ name: String) -> String { PhotoPath.staged(name) }

  /// The name of a file that exists while photos and records may disagree. It contains the id of a change of the records; after a
  /// crash the next start asks the store whether that change was committed.
  static let mark = ".unsettled"

  /// Writes the mark, durably, before a change of the records.
  ///
  /// - Returns: the change named by the mark, which the store must record in the same transaction.
  func setMark() throws -> PhotoChange {
    let change = PhotoChange.fresh()
    let file = openat(descriptor, Self.mark, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PhotoError(step: .create, name: Self.mark, errno: errno) }
    defer { close(file) }
    try Array(change.name.utf8).withUnsafeBytes { try writeAll($0, to: file, Self.mark) }
    guard fsync(file) == 0 else { throw PhotoError(step: .flush, name: Self.mark, errno: errno) }
    try sync()
    return change
  }

  /// The change named by the mark; nil if the mark is incomplete after a crash or cannot be read.
  func markedChange() -> PhotoChange? {
    let name = SmallFile.text("\(path)/\(Self.mark)") ?? ""
    return name.isEmpty ? nil : PhotoChange(name: name)
  }

  /// Removes the mark. If that fails, the next start only checks the folder once more.
  func removeMark() { unlinkat(descriptor, Self.mark, 0) }

  /// Removes the photos of records that are not in the store. A photo that cannot be removed is never used again.
  func removeAll(but known: some Sequence<UUID>) throws(SystemFailure) {
    let names = Set(known.map { PhotoPath.name(of: $0) })
    for name in try PrivateFiles.names(in: path) where name.hasSuffix(".bin") && !names.contains(name) {
      unlinkat(descriptor, name, 0)
    }
  }

  /// Makes renames durable.
  package func sync() throws(PhotoError) {
    guard fsync(descriptor) == 0 else { throw PhotoError(step: .flush, name: path, errno: errno) }
  }

  /// Writes a new file and flushes it.
  private func fill(
    _ name: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> String {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PhotoError(step: .create, name: name, errno: errno) }
    do {
      var sum = SHA256()
      try body { piece in
        sum.update(piece)
        try writeAll(piece, to: file, name)
      }
      guard fsync(file) == 0 else { throw PhotoError(step: .flush, name: name, errno: errno) }
      // The data is flushed, so an error of `close` does not matter.
      close(file)
      return sum.hex()
    } catch {
      close(file)
      throw error
    }
  }

  private func writeAll(_ piece: UnsafeRawBufferPointer, to file: Int32, _ name: String) throws(PhotoError) {
    var rest = piece
    while let base = rest.baseAddress, !rest.isEmpty {
      let written = Glibc.write(file, base, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        throw PhotoError(step: .write, name: name, errno: errno)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }
}
