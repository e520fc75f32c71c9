internal import Glibc
internal import PoolPlatform

/// A settings file that was put where it belongs, and what was there before.
struct WrittenFile {
  let path: String
  private let before: String?

  /// Puts the file there whole and on the disk, readable for everybody: no secret is in it.
  ///
  /// - Parameter before: what it takes the place of; nil where nothing may be there.
  init(_ file: SetupFile, before: String?) throws(SystemFailure) {
    (path, self.before) = (file.path, before)
    try Self.put(file.text, at: file.path, isNew: before == nil)
  }

  /// As it was.
  func undo() {
    if let before {
      // The way back is tried once: what stands there then is told by the check that failed.
      try? Self.put(before, at: path, isNew: false)
    } else {
      unlink(path)
    }
  }

  static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

  private static func put(_ text: String, at path: String, isNew: Bool) throws(SystemFailure) {
    let folder = folder(of: path)
    if mkdir(folder, 0o755) == 0 {
      // Whatever root's mask is: the programs' own users read it.
      chmod(folder, 0o755)
    } else if errno != EEXIST {
      throw SystemFailure("cannot make '\(folder)'")
    }
    // No name that is read as settings.
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
    // A link takes nobody's place.
    guard isNew ? link(partial, path) == 0 : rename(partial, path) == 0 else {
      throw SystemFailure("cannot make '\(path)'")
    }
    try PrivateFiles.flush(folder)
  }
}
