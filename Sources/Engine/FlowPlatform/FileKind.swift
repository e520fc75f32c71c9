internal import Glibc

/// The type of the file at a path; symbolic links are not followed.
package enum FileKind: Hashable, Sendable, CustomStringConvertible {
  case file, folder, socket, pipe, device
  case link(to: String)

  /// Nil if the path does not exist or is not accessible.
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

  /// A noun phrase for the middle of a sentence, such as "a socket".
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
