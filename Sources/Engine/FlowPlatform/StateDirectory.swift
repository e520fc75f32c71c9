import CLinux
import Glibc

/// The daemon's state directory, private and locked by one process at a time.
package final class StateDirectory: Sendable {
  /// The reason why the directory cannot be used. Each message gives advice.
  package enum Failure: Error, CustomStringConvertible {
    case cannotCreate(path: String, code: Int32)
    case notADirectory(path: String)
    case notWritable(path: String, code: Int32)
    case openToOthers(path: String, mode: UInt32)
    case ownedByOtherUser(path: String, owner: UInt32)
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
      case .ownedByOtherUser(let path, let owner):
        "the state directory '\(path)' belongs to user \(owner); run the daemon as that user or chown it"
      case .held(let path, let by):
        "another poolflowd\(by) holds the state directory '\(path)'; stop it first or choose another with --state-dir"
      }
    }

    /// Exit codes of sysexits.h: 73 cannot create, 75 try later, 77 no permission.
    package var exitCode: Int32 {
      switch self {
      case .cannotCreate, .notADirectory, .notWritable: 73
      case .openToOthers, .ownedByOtherUser: 77
      case .held: 75
      }
    }
  }

  package let path: String
  /// Stays open until this object is released: closing it releases the lock.
  private let lock: Int32

  /// Creates the directory (mode 0700) if it is missing and takes its lock.
  package init(path: String) throws(Failure) {
    try Self.make(path)
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotCreate(path: path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(path: path) }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw .ownedByOtherUser(path: path, owner: status.st_uid)
    }
    guard status.st_mode & 0o022 == 0 else { throw .openToOthers(path: path, mode: status.st_mode & 0o7777) }
    let descriptor = poolflow_openat(AT_FDCWD, path + "/lock", O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw .notWritable(path: path, code: errno) }
    guard poolflow_flock_exclusive(descriptor) == 0 else {
      let holder = Self.readHolder(descriptor)
      close(descriptor)
      throw .held(path: path, by: holder)
    }
    // Overwrites the old text, which needs no disk space. If the disk is full nevertheless, the lock is valid but names
    // no process.
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
    // Parent directories get mode 0755, the state directory itself 0700.
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
