import Glibc

/// A fake daemon: a socket that accepts callers and sends the bytes a test gives, or nothing.
final class ListeningSocket: Sendable {
  private let listener: Int32

  init(at path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let bound = withUnsafePointer(to: &address) { [listener] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(listener, 4) == 0 else { throw CannotStart(description: "no socket at '\(path)'") }
  }

  deinit { close(listener) }

  /// The next caller's connection; -1 if none comes in time.
  func accepted() -> Int32 { isReadable(listener, by: Deadline(.patience)) ? accept(listener, nil, nil) : -1 }

  /// Reads one request up to its NUL byte.
  func hear(_ connection: Int32) {
    var byte: UInt8 = 1
    while byte != 0, isReadable(connection, by: Deadline(.patience)), read(connection, &byte, 1) == 1 {}
  }

  func say(_ bytes: [UInt8], to connection: Int32) { _ = write(connection, bytes + [0], bytes.count + 1) }
}
