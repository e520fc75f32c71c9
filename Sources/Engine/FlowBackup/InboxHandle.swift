import CLinux
import FlowModel
import FlowPlatform
import Glibc

/// An open folder of the inbox; every name is resolved inside it only.
final class InboxHandle {
  private let descriptor: Int32
  private let displayPath: String

  /// Opens the inbox at the operator's path, which may be a symbolic link.
  convenience init(_ path: String) throws(SystemFailure) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure("cannot open the inbox '\(path)'") }
    self.init(descriptor, path)
  }

  private init(_ descriptor: Int32, _ displayPath: String) {
    self.descriptor = descriptor
    self.displayPath = displayPath
  }

  deinit { close(descriptor) }

  /// Opens a subfolder, which must not be a symbolic link.
  func folder(_ name: String) throws(SystemFailure) -> InboxHandle {
    let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { throw SystemFailure("cannot open '\(displayPath)/\(name)'") }
    return InboxHandle(inner, "\(displayPath)/\(name)")
  }

  /// The sorted names in the folder, at most `Limits.inboxFiles`.
  func names(hidden: Bool = false) throws(SystemFailure) -> [String] {
    // `closedir` closes this descriptor, so it must not be the handle's own.
    let again = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard again >= 0, let listing = fdopendir(again) else { throw SystemFailure("cannot read '\(displayPath)'") }
    defer { closedir(listing) }
    var names: [String] = []
    while names.count < Limits.inboxFiles, let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != "..", hidden || !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The status of a file, without following a link; nil if it does not exist.
  func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Opens a file for reading; nil with `errno` if it cannot be opened.
  func file(_ name: String) -> Int32? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    return file >= 0 ? file : nil
  }

  /// Renames a file, without replacing another one.
  ///
  /// - Returns: false if the file does not exist any more.
  func rename(_ name: String, to other: String) throws(SystemFailure) -> Bool {
    if poolflow_rename_no_replace(descriptor, name, descriptor, other) == 0 { return true }
    guard errno == ENOENT else { throw SystemFailure("cannot rename '\(displayPath)/\(name)' to '\(other)'") }
    return false
  }

  /// Writes a file that the folder's group may read, so that its users can see the results.
  func write(_ name: String, _ bytes: [UInt8]) throws(SystemFailure) {
    let partial = ".\(name).partial"
    // Remove the leftover of an earlier try; usually there is none.
    unlinkat(descriptor, partial, 0)
    let file = openat(descriptor, partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw SystemFailure("cannot make '\(displayPath)/\(name)'") }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFailure("cannot write '\(displayPath)/\(name)'") }
      rest = rest.dropFirst(count)
    }
    guard fchmod(file, 0o640) == 0, fsync(file) == 0, renameat(descriptor, partial, descriptor, name) == 0 else {
      throw SystemFailure("cannot write '\(displayPath)/\(name)'")
    }
  }

  func flush() throws(SystemFailure) {
    guard fsync(descriptor) == 0 else { throw SystemFailure("cannot flush '\(displayPath)'") }
  }

  /// Removes a file. If that fails, the next scan tries again.
  func remove(_ name: String) { unlinkat(descriptor, name, 0) }
}
