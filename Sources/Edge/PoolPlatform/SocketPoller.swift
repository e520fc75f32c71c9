internal import Glibc

/// Waits for many sockets at once on one thread, and can be woken from others.
package final class SocketPoller: Sendable {
  /// What to wait for on one socket.
  package struct Interest {
    package let socket: UnixSocket
    package let reading: Bool
    package let writing: Bool

    package init(_ socket: UnixSocket, reading: Bool, writing: Bool) {
      self.socket = socket
      self.reading = reading
      self.writing = writing
    }
  }

  package struct Readiness: Sendable {
    package let readable: Bool
    package let writable: Bool
    /// The peer is gone; nothing that we write is read.
    package let hungUp: Bool
  }

  private let wakeReader: UnixSocket
  private let wakeWriter: UnixSocket

  package init() throws(SocketError) {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
      throw .failed(operation: "make a pair of sockets", path: nil, errno: errno)
    }
    wakeReader = UnixSocket(owning: pair[0])
    wakeWriter = UnixSocket(owning: pair[1])
  }

  /// Ends the wait under way, or the next one. Safe from any thread.
  package func wake() {
    // A full buffer means that a wake-up is on its way already.
    _ = try? wakeWriter.send([1])
  }

  /// Waits until a socket is ready, `wake` is called or `timeout` is over; nil waits without end.
  ///
  /// Answers in the order of `interests`.
  package func wait(for interests: [Interest], timeout: Duration?) throws(SocketError) -> [Readiness] {
    var polled = [pollfd(fd: wakeReader.descriptor, events: Int16(POLLIN), revents: 0)]
    for interest in interests {
      let events = (interest.reading ? POLLIN : 0) | (interest.writing ? POLLOUT : 0)
      polled.append(pollfd(fd: interest.socket.descriptor, events: Int16(events), revents: 0))
    }
    // Rounded up: a wait that ends a moment early would spin.
    let milliseconds = timeout.map { Int32(clamping: max(0, $0 / .milliseconds(1)).rounded(.up).asWhole) } ?? -1
    guard poll(&polled, nfds_t(polled.count), milliseconds) >= 0 || errno == EINTR else {
      throw .failed(operation: "wait for sockets", path: nil, errno: errno)
    }
    if polled[0].revents != 0 { drainWakeUps() }
    return polled.dropFirst().map {
      let events = Int32($0.revents)
      return Readiness(
        readable: events & POLLIN != 0, writable: events & POLLOUT != 0,
        hungUp: events & (POLLHUP | POLLERR | POLLNVAL) != 0)
    }
  }

  private func drainWakeUps() {
    var buffer = [UInt8](repeating: 0, count: 256)
    // Our own pair: an error here means the same as "empty".
    while case .bytes(let count)? = try? wakeReader.receive(into: &buffer), count == buffer.count {}
  }
}

extension Double {
  /// The number as an integer, at most a day of milliseconds.
  fileprivate var asWhole: Int { Int(Swift.min(self, 86_400_000)) }
}
