internal import Glibc
package import PoolModel
package import PoolNotices
internal import Synchronization

/// Hands each notice to the systemd journal with structured fields.
///
/// At least once, and no further than the journal's socket: `.delivered` says that journald was given it. A journal that
/// is absent, gone or stopped is trouble of the sink, never a silent success.
package final class JournalSink: Sink {
  package static let standardPath = "/run/systemd/journal/socket"

  package let name: String
  package let kind = SinkKind.journal
  package let rate: SinkRate?
  private let timeout: Duration
  private let path: String
  private let patience: Duration
  private let queue: WorkQueue
  /// Used on `queue` only.
  private let socket = Mutex<JournalSocket?>(nil)

  /// - Parameter patience: how long one batch may wait for room in all: a burst fills the queue faster than journald reads.
  package init(
    name: String, path: String = JournalSink.standardPath, patience: Duration = .seconds(1),
    timeout: Duration = Limits.sinkTimeout, rate: SinkRate? = nil
  ) {
    self.name = name
    self.timeout = timeout
    self.rate = rate
    self.path = path
    self.patience = patience
    queue = WorkQueue(name, limit: timeout)
  }

  package func deliver(_ entries: [OutboxEntry]) async -> [Verdict] {
    let verdicts = await queue.perform { [self] () -> [Verdict] in
      let deadline = ContinuousClock.now.advanced(by: patience)
      var verdicts: [Verdict] = []
      for entry in entries {
        do throws(DeliveryError) {
          try socket.withLock { socket throws(DeliveryError) in
            try send(JournalMessage(of: entry.notice).bytes, through: &socket, until: deadline)
          }
          verdicts.append(.delivered)
        } catch {
          let stalled = Verdict.stalled(.temporary(error))
          return verdicts + Array(repeating: stalled, count: entries.count - verdicts.count)
        }
      }
      return verdicts
    }
    return verdicts ?? entries.map { _ in .stalled(.temporary(.stuck(sink: name, limit: timeout))) }
  }
}

extension JournalSink {
  private func send(
    _ bytes: [UInt8], through socket: inout JournalSocket?, until deadline: ContinuousClock.Instant
  ) throws(DeliveryError) {
    // A journal that was restarted has a new socket behind the same path: the old one fails once.
    var isRetry = socket == nil
    while true {
      if socket == nil { socket = try connected() }
      do throws(CallFailure) {
        try sendPatiently(bytes, through: &socket, until: deadline)
        return
      } catch {
        if error.code == EAGAIN { throw .journalBusy(path: path) }
        socket = nil
        if isRetry { throw .journal(.send, path: path, code: error.code) }
        isRetry = true
      }
    }
  }

  private func sendPatiently(
    _ bytes: [UInt8], through socket: inout JournalSocket?, until deadline: ContinuousClock.Instant
  ) throws(CallFailure) {
    while true {
      do throws(CallFailure) {
        try socket?.send(bytes)
        return
      } catch {
        if error.code == EINTR { continue }
        let left = ContinuousClock.now.duration(to: deadline)
        guard error.code == EAGAIN, left > .zero,
          socket?.waitForRoom(milliseconds: Int32(left.wholeMilliseconds)) == true
        else { throw error }
      }
    }
  }

  private func connected() throws(DeliveryError) -> JournalSocket {
    do { return try JournalSocket(path: path) } catch {
      if error.code == ENOENT || error.code == ECONNREFUSED { throw .journalAbsent(path: path) }
      throw .journal(.connect, path: path, code: error.code)
    }
  }
}
