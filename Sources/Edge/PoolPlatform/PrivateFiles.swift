import CLinux
import Glibc
import PoolModel

/// Files that only this user may read, written so that they survive a crash once they are said to be there.
package enum PrivateFiles {
  /// Makes a folder of mode 0700; one that is there already must be a folder, no link.
  package static func makeFolder(_ path: String) throws(SystemFailure) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    var status = stat()
    guard code == EEXIST, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw SystemFailure("cannot make the folder '\(path)'", code: code)
    }
  }

  /// Writes a new file of mode 0600 and flushes it to disk.
  ///
  /// - Parameter body: hands over the content piece by piece.
  /// - Returns: size and SHA-256 of what was written.
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

  @discardableResult
  package static func write(_ path: String, _ bytes: [UInt8]) throws -> FileSum {
    try write(path) { put in try bytes.withUnsafeBytes { try put($0) } }
  }

  /// Flushes a file, or the names in a folder.
  package static func flush(_ path: String) throws(SystemFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemFailure("cannot open '\(path)'") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemFailure("cannot flush '\(path)'") }
  }

  /// Hands over the content of a regular file piece by piece; no link is followed.
  package static func read(_ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemFailure("cannot open '\(path)'") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemFailure("cannot read '\(path)'") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemFailure("cannot read '\(path)'", code: EINVAL) }
    var piece = [UInt8](repeating: 0, count: max(1, min(Int(status.st_size), Limits.filePieceBytes)))
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

  /// - Throws: `SystemFailure`, also EFBIG where it is longer than `limit` bytes.
  package static func bytes(_ path: String, limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path) { piece in
      guard bytes.count + piece.count <= limit else { throw SystemFailure("cannot read '\(path)'", code: EFBIG) }
      bytes.append(contentsOf: piece)
    }
    return bytes
  }

  /// The bytes from `offset` on, `count` at most, and how many the file has; no bytes at its end.
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

  /// - Parameter reading: told how many bytes each piece has.
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

  /// Copies a file and flushes the copy; what is at `target` stands in the way.
  @discardableResult
  package static func copy(_ source: String, to target: String) throws -> FileSum {
    try write(target) { put in try read(source, put) }
  }

  /// Gives a file or folder another name, in place of nothing.
  package static func rename(_ from: String, to: String) throws(SystemFailure) {
    guard poolflow_rename_no_replace(AT_FDCWD, from, AT_FDCWD, to) == 0 else {
      throw SystemFailure("cannot rename '\(from)' to '\(to)'")
    }
  }

  /// What lies in a folder, sorted; empty where there is no folder.
  ///
  /// - Throws: `SystemFailure` where it cannot be read.
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

  /// Removes a folder and the files and folders in it; links are removed, never followed. Nothing there is no fault.
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

/// What a file is, in so many bytes.
package struct FileSum: Hashable, Sendable {
  package let bytes: Int
  /// 64 lower-case hexadecimal digits.
  package let sha256: String

  package init(bytes: Int, sha256: String) {
    self.bytes = bytes
    self.sha256 = sha256
  }
}
