internal import Glibc

/// What stands at a path, a link for itself and not for what it leads to.
package enum FileKind: Hashable, Sendable, CustomStringConvertible {
  case file, folder, socket, pipe, device
  case link(to: String)

  /// Nil where there is nothing, or it may not be looked at.
  package init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFSOCK: self = .socket
    case S_IFIFO: self = .pipe
    case S_IFLNK: self = .link(to: Self.target(of: path))
    default: self = .device
    }
  }

  private static func target(of path: String) -> String {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &text, text.count)
    return String(decoding: text.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// As the middle of a sentence.
  package var description: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .socket: "a socket"
    case .pipe: "a pipe"
    case .device: "a device"
    case .link(let target): "a symbolic link to '\(target)'"
    }
  }
}
