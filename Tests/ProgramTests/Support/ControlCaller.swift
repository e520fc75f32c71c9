import Glibc

/// A client of the control socket that sends and receives raw bytes.
final class ControlCaller {
  private let descriptor: Int32
  private var bytes: [UInt8] = []

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
      throw CannotStart(description: "cannot connect to '\(path)': \(errno)")
    }
  }

  deinit {
    close(descriptor)
  }

  /// - Returns: the number of bytes accepted before the daemon closed the connection.
  @discardableResult
  func send(_ text: String) throws -> Int {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }

  /// Shuts down the sending direction.
  func endOutput() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next reply without its NUL byte.
  func frame(within limit: Duration = .patience) throws -> String {
    let deadline = Deadline(limit)
    while true {
      if let end = bytes.firstIndex(of: 0) {
        defer { bytes.removeSubrange(...end) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      guard try receive(by: deadline) else { throw TooLate(description: "the daemon closed the connection") }
    }
  }

  /// True if the daemon closed the connection or sent something.
  var hasEnded: Bool { isReadable(descriptor, by: Deadline(.zero)) }

  /// True if the daemon closed the connection, even if unread bytes remain.
  var hasBeenClosed: Bool {
    var asked = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&asked, 1, 0) > 0 && Int32(asked.revents) & POLLHUP != 0
  }

  /// The first bytes received and not yet read; they stay unread.
  var firstBytes: String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }

  /// Waits until the daemon closes the connection.
  ///
  /// - Returns: the bytes received and not yet read.
  func end(within limit: Duration = .patience) throws -> String {
    let deadline = Deadline(limit)
    while try receive(by: deadline) {}
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Returns: false at the end of the connection.
  private func receive(by deadline: Deadline) throws -> Bool {
    guard isReadable(descriptor, by: deadline) else { throw TooLate(description: "the daemon said nothing in time") }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    bytes += buffer[..<count]
    return true
  }
}
