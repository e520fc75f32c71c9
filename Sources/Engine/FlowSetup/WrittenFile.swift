internal import FlowCommandKit
internal import FlowOperations
internal import FlowPlatform
internal import Glibc

/// A settings file that was written, and its previous text.
struct WrittenFile {
  let path: String
  private let before: String?

  /// Writes the complete file and syncs it to disk, readable by everyone: it contains no secret.
  ///
  /// - Parameter before: the text it replaces; nil if no file may exist.
  init(_ file: SetupFile, before: String?) throws(SystemFailure) {
    (path, self.before) = (file.path, before)
    try Self.put(file.text, at: file.path, isNew: before == nil)
  }

  /// Restores the previous text.
  func undo() {
    if let before {
      // The restore is tried once; the failed check that caused it is reported.
      try? Self.put(before, at: path, isNew: false)
    } else {
      unlink(path)
    }
  }

  private static func put(_ text: String, at path: String, isNew: Bool) throws(SystemFailure) {
    let folder = ConfigFiles.folder(of: path)
    if mkdir(folder, 0o755) == 0 {
      // Independent of root's umask: the services' users must read it.
      chmod(folder, 0o755)
    } else if errno != EEXIST {
      throw SystemFailure("cannot make '\(folder)'")
    }
    // A name that is not read as settings.
    let partial = path + ".partial"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw SystemFailure("cannot make '\(partial)'") }
    defer {
      close(descriptor)
      unlink(partial)
    }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw SystemFailure("cannot write '\(partial)'") }
      rest = rest.dropFirst(max(0, count))
    }
    guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0 else {
      throw SystemFailure("cannot write '\(partial)'")
    }
    // `link` fails if the file exists, so no other file is overwritten.
    guard isNew ? link(partial, path) == 0 : rename(partial, path) == 0 else {
      throw SystemFailure("cannot make '\(path)'")
    }
    try PrivateFiles.flush(folder)
  }
}
