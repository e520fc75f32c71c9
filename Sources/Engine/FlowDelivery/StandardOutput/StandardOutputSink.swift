package import FlowModel
package import FlowNotices
internal import Glibc
internal import Synchronization

/// Writes each notice to a descriptor, by default standard output, as one JSON event per line or as text.
///
/// Delivery is at least once: a notice written just before a crash is written again with the same `id`. If the reader is slow,
/// stopped or gone, the sink waits for `maxWait` and then reports a failure, without delaying other sinks. The daemon must
/// ignore SIGPIPE, because a closed pipe would otherwise end it.
package final class StandardOutputSink: Sink {
  /// The output format, named as in the settings.
  package enum Format: String, Sendable, CaseIterable {
    /// CloudEvents in newline-delimited JSON.
    case ndjson
    /// Text for people, see `NoticeText.lines(of:)`.
    case text
    /// One line that names no person, see `NoticeText.reference(to:)`.
    case reference
  }

  package let name: String
  package let kind = SinkKind.standardOutput
  package let rate: SinkRate?
  private let timeout: Duration
  private let descriptor: Int32
  private let format: Format
  private let event: NoticeEvent
  private let maxWait: Duration
  private let queue: WorkQueue

  /// The unwritten rest of a notice that was written in part. It must be written next, or the reader gets a torn line.
  private struct Remainder {
    let sequence: Int64
    var bytes: ArraySlice<UInt8>
  }
  /// Accessed on `queue` only.
  private let remainder = Mutex<Remainder?>(nil)

  /// - Parameters:
  ///   - descriptor: must stay open as long as the sink is used; the sink does not close it.
  ///   - maxWait: the total time one batch may wait for its reader; below `Limits.drainTime`, because a shutdown waits for it.
  package init(
    name: String, descriptor: Int32 = 1, format: Format, source: String, maxWait: Duration = .seconds(1),
    timeout: Duration = Limits.sinkTimeout, rate: SinkRate? = nil
  ) {
    self.name = name
    self.timeout = timeout
    self.rate = rate
    self.descriptor = descriptor
    self.format = format
    self.maxWait = maxWait
    event = NoticeEvent(source: source)
    queue = WorkQueue(name, limit: timeout)
  }

  package func deliver(_ entries: [OutboxEntry]) async -> [SinkVerdict] {
    let verdicts = await queue.perform { [self] in remainder.withLock { write(entries, &$0) } }
    return verdicts ?? entries.map { _ in .stalled(.temporary(.timedOut(sink: name, limit: timeout))) }
  }
}

extension StandardOutputSink {
  private func write(_ entries: [OutboxEntry], _ remainder: inout Remainder?) -> [SinkVerdict] {
    let deadline = ContinuousClock.now.advanced(by: maxWait)
    var verdicts: [SinkVerdict] = []
    var firstFailure: SinkError?
    for entry in entries {
      if let firstFailure {
        verdicts.append(.stalled(firstFailure))
        continue
      }
      do throws(SinkError) {
        try write(entry, &remainder, until: deadline)
        verdicts.append(.delivered)
      } catch {
        switch error {
        case .permanent: verdicts.append(.refused(error))
        case .temporary:
          firstFailure = error
          verdicts.append(.stalled(error))
        }
      }
    }
    return verdicts
  }

  /// Writes one entry, after the remainder of an earlier one.
  private func write(
    _ entry: OutboxEntry, _ remainder: inout Remainder?, until deadline: ContinuousClock.Instant
  ) throws(SinkError) {
    if let left = remainder {
      try writeRest(left, &remainder, until: deadline)
      if left.sequence == entry.sequence { return }
    }
    let bytes: [UInt8]
    switch format {
    case .text: bytes = Array(NoticeText.lines(of: entry.notice).utf8)
    case .reference: bytes = Array(NoticeText.reference(to: entry.notice).utf8)
    case .ndjson:
      do { bytes = try event.bytes(of: entry.notice) + [UInt8(ascii: "\n")] } catch { throw .permanent(error) }
    }
    try writeRest(Remainder(sequence: entry.sequence, bytes: bytes[...]), &remainder, until: deadline)
  }

  /// Writes `part`. If an error interrupts it after the first byte, the unwritten bytes are kept in `remainder`.
  private func writeRest(
    _ part: Remainder, _ remainder: inout Remainder?, until deadline: ContinuousClock.Instant
  ) throws(SinkError) {
    var rest = part.bytes
    let isBegun = remainder != nil
    defer {
      remainder =
        rest.isEmpty || (!isBegun && rest.count == part.bytes.count)
        ? nil : Remainder(sequence: part.sequence, bytes: rest)
    }
    while !rest.isEmpty {
      try waitUntilWritable(until: deadline)
      // A writable pipe is only guaranteed to accept PIPE_BUF bytes without blocking.
      let written = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
        continue
      }
      switch errno {
      case EINTR, EAGAIN: continue
      case EPIPE: throw .temporary(.outputClosed(sink: name))
      default: throw .temporary(.output(sink: name, code: errno))
      }
    }
  }

  /// Waits until the descriptor is writable; throws `outputBlocked` at the deadline.
  private func waitUntilWritable(until deadline: ContinuousClock.Instant) throws(SinkError) {
    while true {
      var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let left = max(ContinuousClock.now.duration(to: deadline).wholeMilliseconds, 0)
      let ready = Glibc.poll(&poll, 1, Int32(left))
      if ready > 0 {
        // `poll` also returns for a closed pipe; the write then fails with EPIPE.
        guard poll.revents & Int16(POLLNVAL) == 0 else { throw .temporary(.output(sink: name, code: EBADF)) }
        return
      }
      if ready == 0 { throw .temporary(.outputBlocked(sink: name, maxWait: maxWait)) }
      if errno != EINTR { throw .temporary(.output(sink: name, code: errno)) }
    }
  }
}
