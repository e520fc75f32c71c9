package import FlowModel
package import FlowNotices
internal import Glibc
internal import Synchronization

/// Sends each notice to the systemd journal with structured fields.
///
/// Delivery is at least once and ends at the journal's socket: `.delivered` means that journald received the message. If
/// journald is absent, stopped or closes its socket, the sink reports a failure.
package final class JournalSink: Sink {
  package static let standardPath = "/run/systemd/journal/socket"

  package let name: String
  package let kind = SinkKind.journal
  package let rate: SinkRate?
  private let timeout: Duration
  private let path: String
  private let maxWait: Duration
  private let queue: WorkQueue
  /// Accessed on `queue` only.
  private let socket = Mutex<JournalSocket?>(nil)

  /// - Parameter maxWait: the total time one batch may wait for queue space, since a burst fills the queue faster than
  ///   journald reads.
  package init(
    name: String, path: String = JournalSink.standardPath, maxWait: Duration = .seconds(1),
    timeout: Duration = Limits.sinkTimeout, rate: SinkRate? = nil
  ) {
    self.name = name
    self.timeout = timeout
    self.rate = rate
    self.path = path
    self.maxWait = maxWait
    queue = WorkQueue(name, limit: timeout)
  }

  package func deliver(_ entries: [OutboxEntry]) async -> [SinkVerdict] {
    let verdicts = await queue.perform { [self] () -> [SinkVerdict] in
      let deadline = ContinuousClock.now.advanced(by: maxWait)
      var verdicts: [SinkVerdict] = []
      for entry in entries {
        do throws(DeliveryError) {
          try socket.withLock { socket throws(DeliveryError) in
            try send(JournalMessage(of: entry.notice).bytes, through: &socket, until: deadline)
          }
          verdicts.append(.delivered)
        } catch {
          let stalled = SinkVerdict.stalled(.temporary(error))
          return verdicts + Array(repeating: stalled, count: entries.count - verdicts.count)
        }
      }
      return verdicts
    }
    return verdicts ?? entries.map { _ in .stalled(.temporary(.timedOut(sink: name, limit: timeout))) }
  }
}

extension JournalSink {
  /// Sends a message, reconnecting once if the socket has failed.
  private func send(
    _ bytes: [UInt8], through socket: inout JournalSocket?, until deadline: ContinuousClock.Instant
  ) throws(DeliveryError) {
    // After a restart of journald the old socket fails once; the same path then leads to the new socket.
    var isRetry = socket == nil
    while true {
      if socket == nil { socket = try openSocket() }
      do throws(SystemCallError) {
        try sendWaitingForSpace(bytes, through: &socket, until: deadline)
        return
      } catch {
        if error.code == EAGAIN { throw .journalBusy(path: path) }
        socket = nil
        if isRetry { throw .journal(.send, path: path, code: error.code) }
        isRetry = true
      }
    }
  }

  /// Sends a message, waiting until `deadline` while the journal's queue is full.
  private func sendWaitingForSpace(
    _ bytes: [UInt8], through socket: inout JournalSocket?, until deadline: ContinuousClock.Instant
  ) throws(SystemCallError) {
    while true {
      do throws(SystemCallError) {
        try socket?.send(bytes)
        return
      } catch {
        if error.code == EINTR { continue }
        let left = ContinuousClock.now.duration(to: deadline)
        guard error.code == EAGAIN, left > .zero,
          socket?.waitForSpace(milliseconds: Int32(left.wholeMilliseconds)) == true
        else { throw error }
      }
    }
  }

  private func openSocket() throws(DeliveryError) -> JournalSocket {
    do { return try JournalSocket(path: path) } catch {
      if error.code == ENOENT || error.code == ECONNREFUSED { throw .journalAbsent(path: path) }
      throw .journal(.connect, path: path, code: error.code)
    }
  }
}
