internal import FlowModel

/// State machine of one connection to the daemon: received bytes become calls, one at a time, and answers become bytes to send.
/// It has no file descriptor and no clock; times are readings of a monotonic clock.
package struct ControlChannel: Sendable {
  private var reader: FrameReader
  private let deadline: Duration
  private var output = ChannelOutput()
  private var partialSince: Duration?
  private var inputEnded = false
  /// True if the connection closes after the queued output; no further call is read.
  private var closing = false

  /// True once the peer has closed both directions, so that no answer can be delivered.
  package private(set) var isGone = false
  /// True while a returned call is not completely answered.
  package private(set) var isAnswering = false
  /// Time of the connection's last activity.
  package private(set) var lastActive: Duration
  /// Time of connection while the first call has not arrived; nil afterwards.
  private var waitingForFirstCallSince: Duration?

  package init(
    at now: Duration, frameLimit: Int = Limits.controlFrameBytes, deadline: Duration = Limits.controlDeadline
  ) {
    reader = FrameReader(limit: frameLimit)
    self.deadline = deadline
    lastActive = now
    waitingForFirstCallSince = now
  }

  // MARK: In

  /// Buffers received bytes; ignored once the connection is closing.
  package mutating func received(_ bytes: some Sequence<UInt8>, at now: Duration) {
    lastActive = now
    guard !closing else { return }
    reader.append(bytes)
    if reader.hasBytes, partialSince == nil { partialSince = now }
  }

  /// The peer has closed its sending side; calls received before are still answered.
  package mutating func inputDidEnd() {
    inputEnded = true
  }

  /// The peer has closed both directions. Buffered `oneway` calls are still executed; all other calls are dropped.
  package mutating func peerDidDisconnect() {
    isGone = true
    output.drop()
  }

  /// True if the next call may be read: the previous one is answered, and at most `controlBacklogBytes` are unread. This is the
  /// back-pressure on callers that do not read.
  private var acceptsCalls: Bool { !isAnswering && output.pending.count <= Limits.controlBacklogBytes }

  /// The next call, or nil while one is being answered. A frame above the limit is refused, and the connection then closes.
  package mutating func nextCall(at now: Duration) -> [UInt8]? {
    guard acceptsCalls, !closing else { return nil }
    do {
      while let frame = try reader.next() {
        partialSince = nil
        waitingForFirstCallSince = nil
        guard !isGone || Envelope.mayBeOneway(frame) else { continue }
        isAnswering = true
        return frame
      }
      return nil
    } catch {
      let kib = error.limit / 1_024
      refuse(ControlError(.tooLarge, "a call may have at most \(kib) KiB; send less at once"), at: now)
      return nil
    }
  }

  // MARK: Out

  /// Queues an answer; `last` completes the call, so that the next one can be read. A nil frame completes a `oneway` call.
  package mutating func answer(_ frame: [UInt8]?, last: Bool, at now: Duration) {
    if let frame, !closing || isAnswering, !isGone { output.append(frame, at: now) }
    guard last else { return }
    isAnswering = false
    lastActive = now
    // A partial frame that waited behind this call gets its full deadline from now on.
    partialSince = reader.hasBytes ? now : nil
  }

  /// Sends an error, then closes.
  package mutating func refuse(_ error: ControlError, at now: Duration) {
    output.append(Envelope.error(error), at: now)
    isAnswering = false
    close()
  }

  /// Closes after the current call is answered and its bytes are sent.
  package mutating func close() {
    closing = true
    partialSince = nil
  }

  package var pendingOutput: ArraySlice<UInt8> { output.pending }

  /// Records that `count` bytes of `pendingOutput` were written to the socket.
  package mutating func wrote(_ count: Int, at now: Duration) {
    let wasFull = !acceptsCalls
    output.wrote(count, at: now)
    lastActive = now
    // The rest of a partial frame could not be read during back-pressure, so its deadline restarts.
    if wasFull, acceptsCalls { partialSince = reader.hasBytes ? now : nil }
  }

  // MARK: Poll events

  /// True if the connection should be polled for input: not while a call is answered or the backlog is full, so that further
  /// input stays in the socket.
  package var wantsInput: Bool { acceptsCalls && !inputEnded && !closing }
  package var wantsOutput: Bool { !output.pending.isEmpty }

  /// True if nothing is left to do and the connection can be closed.
  package var isFinished: Bool { !isAnswering && !wantsOutput && (closing || inputEnded) }

  /// True if the connection is idle and may be closed in favour of a new one.
  package var isIdle: Bool { !isAnswering && !wantsOutput && partialSince == nil }

  /// Time since which the peer is late: with its first call, the rest of a call, or reading output; nil if it is not.
  package var peerLateSince: Duration? {
    [acceptsCalls ? partialSince : nil, output.since, waitingForFirstCallSince].compactMap { $0 }.min()
  }

  /// Time at which the peer loses its unread answer if others wait for the memory: it read no more than its socket buffer
  /// holds, stopped reading, or is not done after a full deadline. Nil if it has read everything.
  package var memoryDeadline: Duration? { output.memoryDeadline(after: deadline) }

  /// Deadline for the rest of the peer's frame or for reading output; nil if neither is pending.
  package var overdueAt: Duration? {
    let waits = [acceptsCalls ? partialSince : nil, output.since].compactMap { $0 }
    return waits.min().map { $0 + deadline }
  }
}
