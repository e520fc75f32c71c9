import CLinux
import Glibc

/// The daemon's own folder: made private, and held by one process at a time.
package final class StateDirectory: Sendable {
  /// Why the folder cannot be ours. Each case says what to do.
  package enum Failure: Error, CustomStringConvertible {
    case cannotCreate(path: String, code: Int32)
    case notADirectory(path: String)
    case notWritable(path: String, code: Int32)
    case openToOthers(path: String, mode: UInt32)
    case foreignOwner(path: String, owner: UInt32)
    case held(path: String, by: String)

    package var description: String {
      switch self {
      case .cannotCreate(let path, let code):
        "cannot create the state directory '\(path)': \(SystemFailure.words(code)); "
          + "choose another with --state-dir or make its parent writable"
      case .notADirectory(let path):
        "the state directory '\(path)' is not a directory; choose another with --state-dir"
      case .notWritable(let path, let code):
        "cannot write to the state directory '\(path)': \(SystemFailure.words(code)); "
          + "give it to the daemon's user or choose another with --state-dir"
      case .openToOthers(let path, let mode):
        "the state directory '\(path)' is writable by others (mode \(String(mode, radix: 8))); "
          + "run: chmod go-w '\(path)'"
      case .foreignOwner(let path, let owner):
        "the state directory '\(path)' belongs to user \(owner); run the daemon as that user or chown it"
      case .held(let path, let by):
        "another poolflowd\(by) holds the state directory '\(path)'; stop it first or choose another with --state-dir"
      }
    }

    /// As sysexits.h names them: 73 cannot create, 75 try later, 77 no permission.
    package var exitCode: Int32 {
      switch self {
      case .cannotCreate, .notADirectory, .notWritable: 73
      case .openToOthers, .foreignOwner: 77
      case .held: 75
      }
    }
  }

  package let path: String
  /// Open for the process's life: closing it would give the lock up.
  private let lock: Int32

  /// Makes the folder (0700) where it is missing and takes its lock.
  package init(path: String) throws(Failure) {
    try Self.make(path)
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotCreate(path: path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(path: path) }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw .foreignOwner(path: path, owner: status.st_uid)
    }
    guard status.st_mode & 0o022 == 0 else { throw .openToOthers(path: path, mode: status.st_mode & 0o7777) }
    let descriptor = poolflow_openat(AT_FDCWD, path + "/lock", O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw .notWritable(path: path, code: errno) }
    guard poolflow_flock_exclusive(descriptor) == 0 else {
      let holder = Self.readHolder(descriptor)
      close(descriptor)
      throw .held(path: path, by: holder)
    }
    // Written over what is there, which takes no room. On a disk that is full all the same nobody is named as the holder;
    // the lock holds without.
    let text = "\(getpid())\n"
    let written = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    guard written > 0 || SystemFailure.isDiskFull(errno) else {
      let code = errno
      close(descriptor)
      throw .notWritable(path: path, code: code)
    }
    ftruncate(descriptor, max(0, written))
    self.path = path
    lock = descriptor
  }

  deinit {
    close(lock)
  }

  private static func make(_ path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0 { return }
    // Parents are made readable, the folder itself private.
    var parent = ""
    let parts = path.split(separator: "/")
    for (index, part) in parts.enumerated() {
      parent += (index == 0 && !path.hasPrefix("/") ? "" : "/") + part
      if mkdir(parent, index == parts.count - 1 ? 0o700 : 0o755) != 0, errno != EEXIST {
        throw .cannotCreate(path: path, code: errno)
      }
    }
  }

  private static func readHolder(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0, let number = Int(trimmedDigits(buffer.prefix(count))) else { return "" }
    return " (process \(number))"
  }

  private static func trimmedDigits(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { (48...57).contains($0) }, as: UTF8.self)
  }
}
