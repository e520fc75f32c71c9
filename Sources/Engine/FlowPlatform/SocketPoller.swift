internal import CLinux
internal import Glibc

/// Waits for many sockets on one thread (poll(2)); other threads can wake it.
package final class SocketPoller: Sendable {
  /// The events to wait for on one socket.
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

  /// The events that occurred on one socket.
  package struct Readiness: Sendable {
    package let readable: Bool
    package let writable: Bool
    /// The peer has closed the connection or the socket failed; writing is pointless.
    package let hungUp: Bool
  }

  /// The number of attempts to write a wake-up. A lost wake-up would leave a reply unsent.
  private static let tries = 3

  /// An eventfd that counts wake-ups; unlike a socket, it needs no kernel memory per wake-up.
  private let wakeUps: Int32

  package init() throws(SocketError) {
    wakeUps = poolflow_eventfd()
    guard wakeUps >= 0 else { throw .failed(operation: "make a counter of wake-ups", path: nil, errno: errno) }
  }

  deinit {
    close(wakeUps)
  }

  /// Ends the current wait, or the next one. Safe to call from any thread.
  package func wake() {
    var one: UInt64 = 1
    // EAGAIN means that the counter is full, so a wake-up is pending anyway.
    for _ in 1...Self.tries where write(wakeUps, &one, 8) == 8 || errno == EAGAIN { return }
  }

  /// Waits until a socket is ready, `wake` is called or `timeout` has passed; nil waits indefinitely.
  ///
  /// - Returns: the events of each socket, in the order of `interests`.
  package func wait(for interests: [Interest], timeout: Duration?) throws(SocketError) -> [Readiness] {
    var polled = [pollfd(fd: wakeUps, events: Int16(POLLIN), revents: 0)]
    for interest in interests {
      let events = (interest.reading ? POLLIN : 0) | (interest.writing ? POLLOUT : 0)
      polled.append(pollfd(fd: interest.socket.descriptor, events: Int16(events), revents: 0))
    }
    // Rounded up, because a wait that ends too early would make the caller spin.
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
    // If this read fails, the counter stays set and also ends the next wait.
    _ = read(wakeUps, &count, 8)
  }
}

extension Double {
  /// The number as an integer, capped at the milliseconds of a day.
  fileprivate var asWhole: Int { Int(Swift.min(self, 86_400_000)) }
}
