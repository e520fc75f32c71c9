internal import CLinux
internal import Glibc

/// A failed system call.
package struct SystemCallError: Error, Hashable, Sendable {
  /// The `errno` value.
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }
}

/// Identifies the file behind a descriptor or path.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  package let isFolder: Bool

  package init(device: UInt64, inode: UInt64, isFolder: Bool) {
    self.device = device
    self.inode = inode
    self.isFolder = isFolder
  }
}

/// The system calls of the drop folder, one requirement each, so that a test can make any of them fail or simulate a crash at
/// it.
///
/// No call follows a symbolic link in the last part of a path, and every descriptor is closed on exec.
package protocol FileSystemCalls: Sendable {
  func openFolder(_ path: String) throws(SystemCallError) -> Int32
  func openFolder(_ name: String, in folder: Int32) throws(SystemCallError) -> Int32
  /// Creates a folder with exactly this mode, whatever the umask. An existing folder is left unchanged.
  func makeFolder(_ name: String, in folder: Int32, mode: UInt32) throws(SystemCallError)
  /// The identity of the file at `path`; of a symbolic link, the link itself.
  func identity(ofPath path: String) throws(SystemCallError) -> FileIdentity
  func identity(of name: String, in folder: Int32) throws(SystemCallError) -> FileIdentity
  func identity(of descriptor: Int32) throws(SystemCallError) -> FileIdentity
  /// The names in a folder, without `.` and `..`, in no order.
  func names(in folder: Int32) throws(SystemCallError) -> [String]

  /// Creates a file with exactly this mode, or truncates an existing one, and opens it for writing.
  func create(_ name: String, in folder: Int32, mode: UInt32) throws(SystemCallError) -> Int32
  /// Returns the number of bytes written, which may be smaller than `bytes.count`.
  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError) -> Int
  /// Makes a file's bytes, or a folder's entries, durable (`fsync`).
  func sync(_ descriptor: Int32) throws(SystemCallError)
  /// Starts write-back of a file without waiting for it; call `sync` or `syncAll` afterwards.
  func beginSync(_ descriptor: Int32)
  /// Makes everything written to this descriptor's file system durable in one call (`syncfs`), instead of one `fsync` per file.
  func syncAll(_ descriptor: Int32) throws(SystemCallError)
  /// Closes a descriptor. After an error it is closed too, so never repeat the call.
  func close(_ descriptor: Int32) throws(SystemCallError)
  /// Reads the first bytes of a file, at most `limit`.
  func read(_ name: String, in folder: Int32, limit: Int) throws(SystemCallError) -> [UInt8]
  /// Moves a file; fails with EEXIST if `to` already has the name.
  func move(_ name: String, from: Int32, to: Int32) throws(SystemCallError)
  func remove(_ name: String, in folder: Int32) throws(SystemCallError)
  /// Renames `draft` to `name` atomically, replacing any file there: a reader opens either the old file or the new one.
  func replace(_ name: String, by draft: String, in folder: Int32) throws(SystemCallError)
}

extension FileSystemCalls {
  package func beginSync(_ descriptor: Int32) {}
}

/// Identity and change time of a file: equal stamps mean that the file has not changed in between.
package struct FileStamp: Hashable, Sendable {
  /// The type of a file; `link` is a symbolic link.
  package enum Kind: Sendable { case file, folder, link, other }

  package let kind: Kind
  package let inode: UInt64
  package let size: Int64
  /// True if all users may read the file, so that a web server of any user can.
  package let isReadableByAll: Bool
  /// The file's ctime in nanoseconds: the last change of bytes, names or permissions. No program can set it back.
  package let changed: Int64
}

/// The additional system calls for publishing pages into a web server's folder.
package protocol SiteFileSystemCalls: FileSystemCalls {
  /// Removes an empty folder.
  func removeFolder(_ name: String, in folder: Int32) throws(SystemCallError)
  /// The stamp of `name`; of a symbolic link, the link itself.
  func stamp(of name: String, in folder: Int32) throws(SystemCallError) -> FileStamp
}

/// `SiteFileSystemCalls` by Linux system calls.
package struct LinuxFileSystemCalls: SiteFileSystemCalls {
  package init() {}

  package func openFolder(_ path: String) throws(SystemCallError) -> Int32 {
    try openFolder(path, in: AT_FDCWD)
  }

  package func openFolder(_ name: String, in folder: Int32) throws(SystemCallError) -> Int32 {
    Int32(try systemCall { Int(poolflow_openat(folder, name, O_RDONLY | O_DIRECTORY, 0)) })
  }

  package func makeFolder(_ name: String, in folder: Int32, mode: UInt32) throws(SystemCallError) {
    do {
      _ = try systemCall { Int(mkdirat(folder, name, mode)) }
      // Set the mode only if the umask removed bits: `chmod` could clear a setgid bit inherited from the parent folder, which
      // gives new files the folder's group.
      var status = stat()
      _ = try systemCall { Int(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) }
      if status.st_mode & 0o777 != mode { _ = try systemCall { Int(fchmodat(folder, name, mode, 0)) } }
    } catch  where error.code == EEXIST {
      // The folder already exists; keep its mode.
    }
  }

  package func identity(ofPath path: String) throws(SystemCallError) -> FileIdentity {
    try identity(of: path, in: AT_FDCWD)
  }

  package func identity(of name: String, in folder: Int32) throws(SystemCallError) -> FileIdentity {
    var status = stat()
    _ = try systemCall { Int(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) }
    return FileIdentity(status)
  }

  package func identity(of descriptor: Int32) throws(SystemCallError) -> FileIdentity {
    var status = stat()
    _ = try systemCall { Int(fstat(descriptor, &status)) }
    return FileIdentity(status)
  }

  package func names(in folder: Int32) throws(SystemCallError) -> [String] { try names(in: folder, limit: .max) }

  /// Returns at most `limit` names; which ones, in a larger folder, is arbitrary.
  func names(in folder: Int32, limit: Int) throws(SystemCallError) -> [String] {
    // `closedir` closes this descriptor, so it must not be the caller's.
    let copy = try openFolder(".", in: folder)
    guard let stream = fdopendir(copy) else {
      let code = errno
      Glibc.close(copy)
      throw SystemCallError(code: code)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while names.count < limit, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    if errno != 0 { throw SystemCallError(code: errno) }
    return names
  }

  package func create(_ name: String, in folder: Int32, mode: UInt32) throws(SystemCallError) -> Int32 {
    let file = Int32(try systemCall { Int(poolflow_openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC, mode)) })
    do {
      // `fchmod` because the daemon's umask is 077, and the consumer reads as a member of the file's group.
      _ = try systemCall { Int(fchmod(file, mode)) }
    } catch {
      Glibc.close(file)
      throw error
    }
    return file
  }

  package func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError) -> Int {
    try systemCall { bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } }
  }

  package func sync(_ descriptor: Int32) throws(SystemCallError) {
    _ = try systemCall { Int(fsync(descriptor)) }
  }

  package func beginSync(_ descriptor: Int32) {
    // Only a hint: if the file system does not support the call, the later sync does all the work.
    _ = poolflow_begin_write_back(descriptor, 0, 0)
  }

  package func syncAll(_ descriptor: Int32) throws(SystemCallError) {
    guard Self.syncfsReportsErrors else { throw SystemCallError(code: ENOSYS) }
    _ = try systemCall { Int(poolflow_sync_file_system(descriptor)) }
  }

  package func close(_ descriptor: Int32) throws(SystemCallError) {
    // Do not retry on EINTR: Linux has closed the descriptor anyway, and its number may belong to another file by then.
    if Glibc.close(descriptor) != 0, errno != EINTR { throw SystemCallError(code: errno) }
  }

  package func read(_ name: String, in folder: Int32, limit: Int) throws(SystemCallError) -> [UInt8] {
    // Non-blocking, because opening a FIFO would otherwise block until a writer opens it.
    let file = Int32(try systemCall { Int(poolflow_openat(folder, name, O_RDONLY | O_NONBLOCK, 0)) })
    defer { Glibc.close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let read = try systemCall {
        bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress?.advanced(by: count), limit - count) }
      }
      if read == 0 { break }
      count += read
    }
    return Array(bytes.prefix(count))
  }

  package func replace(_ name: String, by draft: String, in folder: Int32) throws(SystemCallError) {
    _ = try systemCall { Int(renameat(folder, draft, folder, name)) }
  }

  package func removeFolder(_ name: String, in folder: Int32) throws(SystemCallError) {
    _ = try systemCall { Int(unlinkat(folder, name, AT_REMOVEDIR)) }
  }

  package func stamp(of name: String, in folder: Int32) throws(SystemCallError) -> FileStamp {
    var status = stat()
    _ = try systemCall { Int(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) }
    let kind: FileStamp.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    return FileStamp(
      kind: kind, inode: UInt64(status.st_ino), size: Int64(status.st_size),
      isReadableByAll: status.st_mode & 0o444 == 0o444,
      changed: Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec))
  }

  package func move(_ name: String, from: Int32, to: Int32) throws(SystemCallError) {
    _ = try systemCall { Int(poolflow_rename_no_replace(from, name, to, name)) }
  }

  package func remove(_ name: String, in folder: Int32) throws(SystemCallError) {
    _ = try systemCall { Int(poolflow_unlinkat(folder, name)) }
  }

  /// Whether `syncfs` reports write errors: it does since Linux 5.8.
  private static let syncfsReportsErrors: Bool = {
    var names = utsname()
    guard uname(&names) == 0 else { return false }
    let release = withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 8)
  }()

  /// Runs a system call and retries it when a signal interrupts it (EINTR).
  private func systemCall(_ operation: () -> Int) throws(SystemCallError) -> Int {
    while true {
      let result = operation()
      if result >= 0 { return result }
      if errno != EINTR { throw SystemCallError(code: errno) }
    }
  }
}

extension FileIdentity {
  fileprivate init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isFolder: status.st_mode & S_IFMT == S_IFDIR)
  }
}
