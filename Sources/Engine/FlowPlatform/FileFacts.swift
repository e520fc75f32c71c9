package import FlowModel
internal import Glibc

/// The type, permissions, owner and size of a file, for diagnostics.
package struct FileFacts: Hashable, Sendable {
  /// Permission bits, such as 0o700.
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32
  package let isFolder: Bool
  package let isSocket: Bool
  package let bytes: Int

  /// Reads the facts, following symbolic links; nil if the path does not exist or is not accessible.
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

  /// The size of a file; nil if the path does not exist or is not accessible.
  package static func bytes(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  /// True if the current user may write to the folder.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK | X_OK) == 0 }
}

/// The free space of a file system.
package struct DiskSpace: Hashable, Sendable {
  /// The bytes that this user may still write.
  package let freeBytes: Int
  /// The number of files that can still be created; nil if the file system has no such limit.
  package let freeFiles: Int?

  /// Reads the free space of the file system that contains `path`; nil on failure.
  package init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    freeBytes = Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    freeFiles = status.f_files == 0 ? nil : Int(clamping: status.f_favail)
  }
}

/// Reads small text files, such as a unit file or the version of the time zone database.
package enum SmallFile {
  /// The whole text; nil, with `errno` set, if the file cannot be read or is longer than `limit` bytes (EFBIG).
  package static func text(_ path: String, limit: Int = 64 << 10) -> String? {
    guard let bytes = bytes(of: path, limit: limit + 1) else { return nil }
    guard bytes.count <= limit else {
      errno = EFBIG
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The first bytes of a file as text; nil if it cannot be read.
  package static func beginning(of path: String, bytes limit: Int) -> String? {
    bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func bytes(of path: String, limit: Int) -> ArraySlice<UInt8>? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var size = 0
    // A pipe may deliver its data in several reads.
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
  /// A file's time stamp in seconds since 1970, clamped to the years 1970 to 2199, because a file can carry any time
  /// stamp.
  package init(ofFile seconds: Int) { self.init(seconds: min(max(Int64(seconds), 0), 7_258_118_399)) }
}
