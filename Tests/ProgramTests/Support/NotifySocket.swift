import FlowPlatform
import Foundation
import Glibc

/// The service manager's side of `sd_notify`: collects the messages of a program.
final class NotifySocket {
  let path: String
  private let descriptor: Int32
  private(set) var lines: [String] = []

  init(path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    unlink(path)
    guard withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
      throw CannotStart(description: "cannot bind '\(path)': \(errno)")
    }
    // The daemon may run as another user.
    chmod(path, 0o777)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// - Throws: `TooLate` if the program ends or does not send `line` within `limit`.
  func wait(for line: String, from program: RunningProgram, within limit: Duration = .patience) throws {
    let deadline = Deadline(limit)
    while true {
      takeAll()
      if lines.contains(line) { return }
      if program.wait(by: Deadline(.zero)) != nil {
        // Messages sent before the end count.
        takeAll()
        if lines.contains(line) { return }
        throw TooLate(description: "\(line) was never said; the program ended with \(program.ending as Any)")
      }
      guard !deadline.hasPassed else { throw TooLate(description: "\(line) was not said within \(limit)") }
      _ = isReadable(descriptor, by: Deadline(.milliseconds(20)))
    }
  }

  /// Drops all messages before a new start of the program.
  func forget() {
    takeAll()
    lines = []
  }

  func takeAll() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return }
      lines += String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}

/// Calls `body` with the socket address of a path.
func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix(107)) }
  return withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  }
}
