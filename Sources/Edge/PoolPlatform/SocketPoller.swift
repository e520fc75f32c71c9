internal import CLinux
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

  /// How often what nobody else would repeat is tried: a wake-up that is lost is an answer that never goes out.
  private static let tries = 3

  /// Counts the wake-ups; unlike a socket it takes no memory of the kernel's to add to it.
  private let wakeUps: Int32

  package init() throws(SocketError) {
    wakeUps = poolflow_eventfd()
    guard wakeUps >= 0 else { throw .failed(operation: "make a counter of wake-ups", path: nil, errno: errno) }
  }

  deinit {
    close(wakeUps)
  }

  /// Ends the wait under way, or the next one. Safe from any thread.
  package func wake() {
    var one: UInt64 = 1
    // A full counter, EAGAIN, means that a wake-up is on its way already.
    for _ in 1...Self.tries where write(wakeUps, &one, 8) == 8 || errno == EAGAIN { return }
  }

  /// Waits until a socket is ready, `wake` is called or `timeout` is over; nil waits without end.
  ///
  /// Answers in the order of `interests`.
  package func wait(for interests: [Interest], timeout: Duration?) throws(SocketError) -> [Readiness] {
    var polled = [pollfd(fd: wakeUps, events: Int16(POLLIN), revents: 0)]
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
    var count: UInt64 = 0
    // What cannot be read now ends the next wait, too.
    _ = read(wakeUps, &count, 8)
  }
}

extension Double {
  /// The number as an integer, at most a day of milliseconds.
  fileprivate var asWhole: Int { Int(Swift.min(self, 86_400_000)) }
}
