internal import Glibc
package import PoolModel

/// What the file system says of a path, for whoever looks for trouble.
package struct FileFacts: Hashable, Sendable {
  /// Permission bits, such as 0o700.
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32
  package let isFolder: Bool
  package let isSocket: Bool
  package let bytes: Int

  /// Nil where there is nothing, or it may not be looked at.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    mode = status.st_mode & 0o7777
    owner = status.st_uid
    group = status.st_gid
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
    bytes = Int(status.st_size)
  }

  /// Nil where there is nothing, or it may not be looked at.
  package static func bytes(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK | X_OK) == 0 }
}

/// Room on a file system.
package struct DiskSpace: Hashable, Sendable {
  /// What this user may still write.
  package let freeBytes: Int
  /// Files that can still be made; nil where the file system does not count them.
  package let freeFiles: Int?

  package init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    freeBytes = Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    freeFiles = status.f_files == 0 ? nil : Int(clamping: status.f_favail)
  }
}

/// A small text file, such as a unit or the version of the time zones.
package enum SmallFile {
  /// Nil where it cannot be read or is longer than `limit` bytes, for half a text says something else; `errno` says why.
  package static func text(_ path: String, limit: Int = 64 << 10) -> String? {
    guard let bytes = bytes(of: path, limit: limit + 1) else { return nil }
    guard bytes.count <= limit else {
      errno = EFBIG
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a file begins with; nil where it cannot be read.
  package static func beginning(of path: String, bytes limit: Int) -> String? {
    bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func bytes(of path: String, limit: Int) -> ArraySlice<UInt8>? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var size = 0
    // A pipe gives it in pieces.
    while size < limit {
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: size), limit - size) }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      size += count
    }
    return bytes.prefix(size)
  }
}

extension Timestamp {
  /// A time of a file, in whole seconds since 1970. Anybody may have given it any: one before 1970 or after 2199 is the first,
  /// or the last, second of these years.
  package init(ofFile seconds: Int) { self.init(seconds: min(max(Int64(seconds), 0), 7_258_118_399)) }
}
