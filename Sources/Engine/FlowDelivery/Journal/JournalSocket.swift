internal import CLinux
internal import Glibc

/// A non-blocking socket to the journal. `sd_journal_send` is unsuitable: it reports success if there is no journal, and blocks
/// while journald is stopped.
package struct JournalSocket: ~Copyable {
  private let descriptor: Int32

  /// Opens a connected socket: only on a connected socket does `poll` report free space in the journal's queue.
  package init(path: String) throws(SystemCallError) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw SystemCallError(code: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    let fitsInAddress = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      // One byte remains for the terminating zero.
      guard name.count < buffer.count else { return false }
      buffer.copyBytes(from: name)
      return true
    }
    var code = fitsInAddress ? 0 : ENAMETOOLONG
    if fitsInAddress {
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      code = result == 0 ? 0 : errno
    }
    if code != 0 {
      close(descriptor)
      throw SystemCallError(code: code)
    }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Sends one message as a datagram; a message too large for a datagram is sent as a sealed memory file.
  ///
  /// - Throws: the errno; EAGAIN if the journal's queue is full.
  package func send(_ bytes: [UInt8]) throws(SystemCallError) {
    let sent = bytes.withUnsafeBytes { poolflow_send_no_signal(descriptor, $0.baseAddress, $0.count) }
    if sent >= 0 { return }
    switch errno {
    case EMSGSIZE, ENOBUFS: try sendAsFile(bytes)
    case let code: throw SystemCallError(code: code)
    }
  }

  /// Waits at most `milliseconds` until the journal's queue has space.
  ///
  /// - Returns: whether the queue has space.
  package func waitForSpace(milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) > 0
  }

  /// Sends a message as a sealed memory file.
  private func sendAsFile(_ bytes: [UInt8]) throws(SystemCallError) {
    let file = poolflow_memfd_create("poolflow-journal")
    guard file >= 0 else { throw SystemCallError(code: errno) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw SystemCallError(code: errno)
      }
      rest = rest.dropFirst(written)
    }
    // 1033 is F_ADD_SEALS and 0xF all four seals; Glibc's module lacks both. journald accepts only files that cannot change.
    guard fcntl(file, 1_033, 0xF) == 0 else { throw SystemCallError(code: errno) }
    try sendDescriptor(file)
  }

  /// Sends an empty message with the descriptor as ancillary data.
  private func sendDescriptor(_ file: Int32) throws(SystemCallError) {
    // A `cmsghdr` (length, level, type) followed by one descriptor, padded to 8 bytes. C builds it with macros, which Swift
    // cannot import.
    let header = MemoryLayout<cmsghdr>.size
    let code = withUnsafeTemporaryAllocation(byteCount: header + 8, alignment: 8) { control -> Int32 in
      control.initializeMemory(as: UInt8.self, repeating: 0)
      control.storeBytes(of: header + MemoryLayout<Int32>.size, as: Int.self)
      control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      control.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
      control.storeBytes(of: file, toByteOffset: header, as: Int32.self)
      var message = msghdr()
      message.msg_control = control.baseAddress
      message.msg_controllen = control.count
      return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL)) >= 0 ? 0 : errno
    }
    if code != 0 { throw SystemCallError(code: code) }
  }
}
