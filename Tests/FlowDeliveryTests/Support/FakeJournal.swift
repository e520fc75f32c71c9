import FlowDelivery
import Glibc
import Synchronization
import Testing

/// A socket that acts as journald, with an independent parser of the native protocol.
final class FakeJournal: Sendable {
  let path: String
  private let descriptor: Int32

  /// Binds the socket. The kernel's `max_dgram_qlen` limits the number of waiting messages.
  init(path: String) throws {
    self.path = path
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    try #require(descriptor >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }

  deinit {
    close(descriptor)
    waitUntilRefused()
  }

  /// Waits until no process has the socket open: another test's child process holds a copy between fork and exec.
  private func waitUntilRefused() {
    for _ in 1...10_000 {
      do { _ = try JournalSocket(path: path) } catch { return }
      poll(nil, 0, 1)
    }
  }

  /// Returns when a message is available, or after a short timeout.
  func waitForMessage() {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&wanted, 1, 10)
  }

  /// The fields of the next message, in order; nil if no message is available.
  func next() throws -> [(name: String, value: [UInt8])]? {
    guard let bytes = receive() else { return nil }
    var fields: [(String, [UInt8])] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = try #require(rest.firstIndex { $0 == 0x3D || $0 == 0x0A })
      let name = String(decoding: rest[..<end], as: UTF8.self)
      var value = rest[(end + 1)...]
      if rest[end] == 0x3D {
        value = value.prefix { $0 != 0x0A }
      } else {
        var length = 0
        for (place, byte) in value.prefix(8).enumerated() { length |= Int(byte) << (8 * place) }
        value = value.dropFirst(8).prefix(length)
        try #require(value.count == length)
      }
      fields.append((name, Array(value)))
      try #require(bytes[value.endIndex] == 0x0A)
      rest = bytes[(value.endIndex + 1)...]
    }
    return fields
  }

  /// All available messages as text by field name.
  func all() throws -> [[String: String]] {
    var messages: [[String: String]] = []
    while let fields = try next() {
      messages.append(
        Dictionary(fields.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }) { first, _ in first })
    }
    return messages
  }

  /// Whether the last message came as a file.
  var cameAsFile: Bool { wasFile.withLock { $0 } }
  private let wasFile = Mutex(false)

  private func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    return buffer.withUnsafeMutableBytes { bytes -> [UInt8]? in
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { control -> [UInt8]? in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { part -> [UInt8]? in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          let count = recvmsg(descriptor, &message, 0)
          guard count >= 0 else { return nil }
          wasFile.withLock { $0 = message.msg_controllen > 0 }
          if message.msg_controllen == 0 { return Array(bytes.prefix(count)) }
          return contents(of: control.loadUnaligned(fromByteOffset: 16, as: Int32.self))
        }
      }
    }
  }

  private func contents(of file: Int32) -> [UInt8] {
    defer { close(file) }
    // F_GET_SEALS: all four seals must be set, or a reader may not trust the file.
    guard fcntl(file, 1_034) == 0xF else { return [] }
    var status = stat()
    fstat(file, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = pread(file, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(count, 0)))
  }
}
