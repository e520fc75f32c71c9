import CLinux
import FlowModel
import Glibc

/// Files that only this user can read, flushed to disk before the call that writes them returns.
package enum PrivateFiles {
  /// Creates a folder with mode 0700. An existing folder is accepted; a symbolic link or file is not.
  package static func makeFolder(_ path: String) throws(SystemFailure) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    var status = stat()
    guard code == EEXIST, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw SystemFailure("cannot make the folder '\(path)'", code: code)
    }
  }

  /// Writes a new file with mode 0600 and flushes it to disk. Fails if the file exists.
  ///
  /// - Parameter body: calls its argument with each piece of the content, in order.
  /// - Returns: the size and SHA-256 of the written bytes.
  @discardableResult
  package static func write(
    _ path: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> FileSum {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemFailure("cannot make '\(path)'") }
    defer { close(descriptor) }
    var sum = SHA256()
    var bytes = 0
    var writeBack = WriteBack(of: descriptor)
    try body { piece in
      sum.update(piece)
      bytes += piece.count
      var rest = piece
      while let base = rest.baseAddress, !rest.isEmpty {
        let written = Glibc.write(descriptor, base, rest.count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw SystemFailure("cannot write '\(path)'") }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
      try writeBack.reached(bytes)
    }
    guard fsync(descriptor) == 0 else { throw SystemFailure("cannot flush '\(path)'") }
    return FileSum(bytes: bytes, sha256: sum.hex())
  }

  /// Writes a new file with mode 0600 and flushes it to disk. Fails if the file exists.
  @discardableResult
  package static func write(_ path: String, _ bytes: [UInt8]) throws -> FileSum {
    try write(path) { put in try bytes.withUnsafeBytes { try put($0) } }
  }

  /// Flushes a file, or the entries of a folder, to disk.
  package static func flush(_ path: String) throws(SystemFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemFailure("cannot open '\(path)'") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemFailure("cannot flush '\(path)'") }
  }

  /// Reads a regular file and passes it to `body` piece by piece; a symbolic link is refused.
  package static func read(_ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemFailure("cannot open '\(path)'") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemFailure("cannot read '\(path)'") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemFailure("cannot read '\(path)'", code: EINVAL) }
    var piece = [UInt8](repeating: 0, count: max(1, min(Int(status.st_size), Limits.fileChunkBytes)))
    try piece.withUnsafeMutableBytes { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw SystemFailure("cannot read '\(path)'") }
        if count == 0 { return }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  /// The whole content of a file.
  ///
  /// - Throws: `SystemFailure`, with EFBIG if the file is longer than `limit` bytes.
  package static func bytes(_ path: String, limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path) { piece in
      guard bytes.count + piece.count <= limit else { throw SystemFailure("cannot read '\(path)'", code: EFBIG) }
      bytes.append(contentsOf: piece)
    }
    return bytes
  }

  /// Reads up to `count` bytes from `offset` on; none at or after the end. `size` is the size of the whole file.
  package static func piece(of path: String, at offset: Int, upTo count: Int) throws -> (bytes: [UInt8], size: Int) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemFailure("cannot open '\(path)'") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SystemFailure("cannot read '\(path)'")
    }
    let size = Int(status.st_size)
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, size - offset)))
    var filled = 0
    while filled < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled, off_t(offset + filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw SystemFailure("cannot read '\(path)'") }
      filled += got
    }
    return (bytes, size)
  }

  /// The size and SHA-256 of a file.
  ///
  /// - Parameter reading: called after each piece with its number of bytes, to report progress.
  package static func sum(of path: String, reading: (Int) -> Void = { _ in }) throws -> FileSum {
    var sum = SHA256()
    var bytes = 0
    try read(path) { piece in
      sum.update(piece)
      bytes += piece.count
      reading(piece.count)
    }
    return FileSum(bytes: bytes, sha256: sum.hex())
  }

  /// Copies a file and flushes the copy. Fails if `target` exists.
  @discardableResult
  package static func copy(_ source: String, to target: String) throws -> FileSum {
    try write(target) { put in try read(source, put) }
  }

  /// Renames a file or folder. Fails if `to` exists.
  package static func rename(_ from: String, to: String) throws(SystemFailure) {
    guard poolflow_rename_no_replace(AT_FDCWD, from, AT_FDCWD, to) == 0 else {
      throw SystemFailure("cannot rename '\(from)' to '\(to)'")
    }
  }

  /// The names in a folder, sorted; empty if the folder does not exist.
  ///
  /// - Throws: `SystemFailure` if the folder cannot be read.
  package static func names(in path: String) throws(SystemFailure) -> [String] {
    guard let listing = opendir(path) else {
      if errno == ENOENT { return [] }
      throw SystemFailure("cannot read the folder '\(path)'")
    }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file, or a folder with its contents. Symbolic links are removed, not followed. A missing path is not an
  /// error.
  package static func removeTree(_ path: String) throws(SystemFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw SystemFailure("cannot look at '\(path)'")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in try names(in: path) { try removeTree("\(path)/\(name)") }
      guard rmdir(path) == 0 else { throw SystemFailure("cannot remove the folder '\(path)'") }
    } else {
      guard unlink(path) == 0 else { throw SystemFailure("cannot remove '\(path)'") }
    }
  }
}

/// The size and SHA-256 of a file.
package struct FileSum: Hashable, Sendable {
  package let bytes: Int
  /// 64 lower-case hexadecimal digits.
  package let sha256: String

  package init(bytes: Int, sha256: String) {
    self.bytes = bytes
    self.sha256 = sha256
  }
}
