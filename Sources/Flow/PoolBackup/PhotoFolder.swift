import Glibc
import PoolModel
import PoolPlatform
import PoolStore

/// Why a photo could not be stored.
package struct PhotoError: Error, Hashable, CustomStringConvertible {
  package enum Step: String, Sendable { case open, create, write, flush, rename }
  package let step: Step
  package let name: String
  package let errno: Int32

  package var description: String {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return "cannot \(step.rawValue) '\(name)': \(reason)"
  }
}

/// A directory held open, so that every name is looked up in it and nowhere else.
final class PhotoFolder: Sendable {
  private let path: String
  private let descriptor: Int32

  init(path: String) throws(PhotoError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw PhotoError(step: .open, name: path, errno: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Writes a file under a private name and flushes it to disk; `keep` puts it in place.
  ///
  /// - Returns: the SHA-256 of what `body` wrote.
  func stage(_ name: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws -> String {
    // What an earlier crash left must not stand in the way; that there is nothing is the usual case.
    discard(name)
    return try fill(partial(name), body)
  }

  /// Gives a staged file its name, in place of an older one.
  func keep(_ staged: String, as name: String? = nil) throws(PhotoError) {
    let name = name ?? staged
    guard renameat(descriptor, partial(staged), descriptor, name) == 0 else {
      throw PhotoError(step: .rename, name: name, errno: errno)
    }
  }

  /// Removes a staged file. One that cannot be removed stands in nobody's way: staging it again removes it.
  func discard(_ name: String) {
    unlinkat(descriptor, partial(name), 0)
  }

  /// Nil where there is no such file.
  func size(of name: String) -> Int? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return Int(status.st_size)
  }

  func size(ofStaged name: String) -> Int? { size(of: partial(name)) }

  private func partial(_ name: String) -> String { PhotoPath.staged(name) }

  /// There as long as photos and visits may not agree. The next start settles what a crash leaves then: the mark names a
  /// change of the visits, and the store knows whether it was made.
  static let mark = ".unsettled"

  /// Says for good that what lies here may not agree with the store.
  ///
  /// - Returns: the change that the mark names, for the store to take down with it.
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

  /// The change that the mark names; nil where a crash came before it was written, or it cannot be read.
  func markedChange() -> PhotoChange? {
    let name = SmallFile.text("\(path)/\(Self.mark)") ?? ""
    return name.isEmpty ? nil : PhotoChange(name: name)
  }

  /// A mark that stays costs the next start a look, and nothing else.
  func removeMark() { unlinkat(descriptor, Self.mark, 0) }

  /// Removes the photos of visits that the store does not have. One that cannot be removed is nobody's any more.
  func removeAll(but known: some Collection<ServiceEventID>) throws(SystemFailure) {
    let names = Set(known.map { "\($0).bin" })
    for name in try PrivateFiles.names(in: path) where name.hasSuffix(".bin") && !names.contains(name) {
      unlinkat(descriptor, name, 0)
    }
  }

  /// Makes the renames last.
  func sync() throws(PhotoError) {
    guard fsync(descriptor) == 0 else { throw PhotoError(step: .flush, name: path, errno: errno) }
  }

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
      // Flushed, so that a failing close has nothing left to lose.
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
