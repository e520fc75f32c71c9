internal import CLinux
internal import Glibc

/// A system call that failed.
package struct CallFailure: Error, Hashable, Sendable {
  /// The errno.
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }
}

/// Which file a descriptor or path stands for.
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

/// The system calls of a file drop, one requirement each, so that a test can fail or cut off every one of them.
///
/// None follows a symbolic link in the last part of a name, and every descriptor is closed on exec.
package protocol FileCalls: Sendable {
  func openFolder(_ path: String) throws(CallFailure) -> Int32
  func openFolder(_ name: String, in folder: Int32) throws(CallFailure) -> Int32
  /// Makes a folder with exactly this mode, whatever the umask. One that is there already is left as it is.
  func makeFolder(_ name: String, in folder: Int32, mode: UInt32) throws(CallFailure)
  /// What `path` itself is, a symbolic link included.
  func identity(ofPath path: String) throws(CallFailure) -> FileIdentity
  func identity(of name: String, in folder: Int32) throws(CallFailure) -> FileIdentity
  func identity(of descriptor: Int32) throws(CallFailure) -> FileIdentity
  func names(in folder: Int32) throws(CallFailure) -> [String]

  /// Creates or empties a file, with exactly this mode.
  func create(_ name: String, in folder: Int32, mode: UInt32) throws(CallFailure) -> Int32
  /// May write fewer bytes than given.
  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(CallFailure) -> Int
  func sync(_ descriptor: Int32) throws(CallFailure)
  /// Has the disk begin with what was written, and waits for nothing: `sync` or `syncAll` is to follow.
  func beginSync(_ descriptor: Int32)
  /// All that was written below this file system, names and bytes, in one go: a disk is asked once and not for each file.
  func syncAll(_ descriptor: Int32) throws(CallFailure)
  func close(_ descriptor: Int32) throws(CallFailure)
  /// The first bytes of a file, at most `limit`.
  func read(_ name: String, in folder: Int32, limit: Int) throws(CallFailure) -> [UInt8]
  /// Fails with EEXIST rather than replace anything.
  func move(_ name: String, from: Int32, to: Int32) throws(CallFailure)
  func remove(_ name: String, in folder: Int32) throws(CallFailure)
  /// Puts `draft` in the place of `name`, whatever is there: whoever opens it has the old file or the new one.
  func replace(_ name: String, by draft: String, in folder: Int32) throws(CallFailure)
}

extension FileCalls {
  package func beginSync(_ descriptor: Int32) {}
}

/// Which file a name leads to and when it was last changed: equal stamps mean that the file was not changed in between.
package struct FileStamp: Hashable, Sendable {
  package enum Kind: Sendable { case file, folder, link, other }

  package let kind: Kind
  package let inode: UInt64
  package let size: Int64
  /// A web server may read it, as whichever user it runs.
  package let isReadableByAll: Bool
  /// Nanoseconds of the last change of its bytes, names or rights (ctime): no program can set them back.
  package let changed: Int64
}

/// What the pages of a web server's folder take besides.
package protocol SiteCalls: FileCalls {
  /// Removes an empty folder.
  func removeFolder(_ name: String, in folder: Int32) throws(CallFailure)
  /// Of `name` itself, a symbolic link included.
  func stamp(of name: String, in folder: Int32) throws(CallFailure) -> FileStamp
}

/// The machine's own calls.
package struct LinuxFileCalls: SiteCalls {
  package init() {}

  package func openFolder(_ path: String) throws(CallFailure) -> Int32 {
    try openFolder(path, in: AT_FDCWD)
  }

  package func openFolder(_ name: String, in folder: Int32) throws(CallFailure) -> Int32 {
    Int32(try call { Int(poolflow_openat(folder, name, O_RDONLY | O_DIRECTORY, 0)) })
  }

  package func makeFolder(_ name: String, in folder: Int32, mode: UInt32) throws(CallFailure) {
    do {
      _ = try call { Int(mkdirat(folder, name, mode)) }
      // Only where the umask took something away: a folder whose files are to have its group hands that down to those made in
      // it (setgid), and to set a mode would take it away.
      var status = stat()
      _ = try call { Int(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) }
      if status.st_mode & 0o777 != mode { _ = try call { Int(fchmodat(folder, name, mode, 0)) } }
    } catch  where error.code == EEXIST {
      // Someone made it before us, with the mode of their choice.
    }
  }

  package func identity(ofPath path: String) throws(CallFailure) -> FileIdentity {
    try identity(of: path, in: AT_FDCWD)
  }

  package func identity(of name: String, in folder: Int32) throws(CallFailure) -> FileIdentity {
    var status = stat()
    _ = try call { Int(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) }
    return FileIdentity(status)
  }

  package func identity(of descriptor: Int32) throws(CallFailure) -> FileIdentity {
    var status = stat()
    _ = try call { Int(fstat(descriptor, &status)) }
    return FileIdentity(status)
  }

  package func names(in folder: Int32) throws(CallFailure) -> [String] { try names(in: folder, limit: .max) }

  /// Some of them where there are more than `limit`.
  func names(in folder: Int32, limit: Int) throws(CallFailure) -> [String] {
    // A descriptor of its own: closing the stream closes it.
    let copy = try openFolder(".", in: folder)
    guard let stream = fdopendir(copy) else {
      let code = errno
      Glibc.close(copy)
      throw CallFailure(code: code)
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
    if errno != 0 { throw CallFailure(code: errno) }
    return names
  }

  package func create(_ name: String, in folder: Int32, mode: UInt32) throws(CallFailure) -> Int32 {
    let file = Int32(try call { Int(poolflow_openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC, mode)) })
    do {
      // The daemon runs with umask 077, and the consumer reads as a member of the file's group.
      _ = try call { Int(fchmod(file, mode)) }
    } catch {
      Glibc.close(file)
      throw error
    }
    return file
  }

  package func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(CallFailure) -> Int {
    try call { bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } }
  }

  package func sync(_ descriptor: Int32) throws(CallFailure) {
    _ = try call { Int(fsync(descriptor)) }
  }

  package func beginSync(_ descriptor: Int32) {
    // A hint: where the file system has no such call, the sync does all of it.
    _ = poolflow_begin_write_back(descriptor, 0, 0)
  }

  package func syncAll(_ descriptor: Int32) throws(CallFailure) {
    guard Self.tellsOfAll else { throw CallFailure(code: ENOSYS) }
    _ = try call { Int(poolflow_sync_file_system(descriptor)) }
  }

  package func close(_ descriptor: Int32) throws(CallFailure) {
    // Never repeated: after EINTR Linux has closed it all the same, and the number may already be another file's.
    if Glibc.close(descriptor) != 0, errno != EINTR { throw CallFailure(code: errno) }
  }

  package func read(_ name: String, in folder: Int32, limit: Int) throws(CallFailure) -> [UInt8] {
    // Non-blocking, so that a FIFO of that name does not hold us for ever.
    let file = Int32(try call { Int(poolflow_openat(folder, name, O_RDONLY | O_NONBLOCK, 0)) })
    defer { Glibc.close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let read = try call {
        bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress?.advanced(by: count), limit - count) }
      }
      if read == 0 { break }
      count += read
    }
    return Array(bytes.prefix(count))
  }

  package func replace(_ name: String, by draft: String, in folder: Int32) throws(CallFailure) {
    _ = try call { Int(renameat(folder, draft, folder, name)) }
  }

  package func removeFolder(_ name: String, in folder: Int32) throws(CallFailure) {
    _ = try call { Int(unlinkat(folder, name, AT_REMOVEDIR)) }
  }

  package func stamp(of name: String, in folder: Int32) throws(CallFailure) -> FileStamp {
    var status = stat()
    _ = try call { Int(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) }
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

  package func move(_ name: String, from: Int32, to: Int32) throws(CallFailure) {
    _ = try call { Int(poolflow_rename_no_replace(from, name, to, name)) }
  }

  package func remove(_ name: String, in folder: Int32) throws(CallFailure) {
    _ = try call { Int(poolflow_unlinkat(folder, name)) }
  }

  /// Before Linux 5.8 `syncfs` kept to itself what could not be written.
  private static let tellsOfAll: Bool = {
    var names = utsname()
    guard uname(&names) == 0 else { return false }
    let release = withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 8)
  }()

  /// Repeats a call that a signal interrupted.
  private func call(_ body: () -> Int) throws(CallFailure) -> Int {
    while true {
      let result = body()
      if result >= 0 { return result }
      if errno != EINTR { throw CallFailure(code: errno) }
    }
  }
}

extension FileIdentity {
  fileprivate init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isFolder: status.st_mode & S_IFMT == S_IFDIR)
  }
}
