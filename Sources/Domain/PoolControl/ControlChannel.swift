internal import PoolModel

/// One connection to the daemon as a state machine: bytes come in, calls come out, one at a time; answers go in, bytes
/// come out. It holds no descriptor and no clock; times are readings of one that never goes back.
package struct ControlChannel: Sendable {
  private var reader: FrameReader
  private let deadline: Duration
  private var output: [UInt8] = []
  private var written = 0
  private var partialSince: Duration?
  private var outputSince: Duration?
  /// Since when there was always something that the peer had not taken.
  private var unreadSince: Duration?
  /// The peer took more after its buffer was full once: it reads.
  private var isRead = false
  private var inputEnded = false
  /// Set once the connection is to close after what is queued: no further call is read.
  private var closing = false

  /// True once the peer has closed: nobody hears an answer.
  package private(set) var isGone = false
  /// True while a call was handed out and not answered to its end.
  package private(set) var isAnswering = false
  /// When the connection last did something.
  package private(set) var lastActive: Duration
  /// Since when a first call is owed; nil once there was one.
  private var silentSince: Duration?

  package init(
    at now: Duration, frameLimit: Int = Limits.controlFrameBytes, deadline: Duration = Limits.controlDeadline
  ) {
    reader = FrameReader(limit: frameLimit)
    self.deadline = deadline
    lastActive = now
    silentSince = now
  }

  // MARK: In

  package mutating func received(_ bytes: some Sequence<UInt8>, at now: Duration) {
    lastActive = now
    guard !closing else { return }
    reader.append(bytes)
    if reader.hasBytes, partialSince == nil { partialSince = now }
  }

  /// The peer sends nothing more; what it asked is still answered.
  package mutating func inputDidEnd() {
    inputEnded = true
  }

  /// The peer has closed both ways. What it sent before is looked through for calls that want no answer; the others were
  /// for nobody, and are dropped.
  package mutating func peerHasGone() {
    isGone = true
    output = []
    written = 0
    outputSince = nil
    unreadSince = nil
  }

  /// A call is taken when the one before is answered and the answers are read as far as they must be: nobody piles up
  /// answers that it does not take.
  private var takesCalls: Bool { !isAnswering && pendingOutput.count <= Limits.controlBacklogBytes }

  /// The next call, unless one is being answered. A frame beyond the bound is refused and ends the connection.
  package mutating func nextCall(at now: Duration) -> [UInt8]? {
    guard takesCalls, !closing else { return nil }
    do {
      while let frame = try reader.next() {
        partialSince = nil
        silentSince = nil
        guard !isGone || Envelope.mayBeOneway(frame) else { continue }
        isAnswering = true
        return frame
      }
      return nil
    } catch {
      let kib = error.limit / 1_024
      refuse(ControlError(.tooLarge, "a call may have \(kib) KiB; send less at once"), at: now)
      return nil
    }
  }

  // MARK: Out

  /// Queues an answer; `last` ends the call, so that the next one can be read. Nil answers a `oneway` call.
  package mutating func answer(_ frame: [UInt8]?, last: Bool, at now: Duration) {
    if let frame, !closing || isAnswering, !isGone { queue(frame, at: now) }
    guard last else { return }
    isAnswering = false
    lastActive = now
    // A half frame that waited behind this call gets its whole time now.
    partialSince = reader.hasBytes ? now : nil
  }

  /// Tells the peer why, then closes.
  package mutating func refuse(_ error: ControlError, at now: Duration) {
    queue(Envelope.error(error), at: now)
    isAnswering = false
    close()
  }

  /// Closes once the call under way is answered and its bytes are taken.
  package mutating func close() {
    closing = true
    partialSince = nil
  }

  private mutating func queue(_ frame: [UInt8], at now: Duration) {
    if output.isEmpty {
      outputSince = now
      unreadSince = now
      isRead = false
    }
    output.append(contentsOf: frame)
    output.append(0)
  }

  package var pendingOutput: ArraySlice<UInt8> { output[written...] }

  package mutating func wrote(_ count: Int, at now: Duration) {
    let wasFull = !takesCalls
    written += count
    if let unreadSince, unreadSince < now { isRead = true }
    outputSince = now
    lastActive = now
    if written == output.count {
      output.removeAll(keepingCapacity: output.capacity <= 64 << 10)
      written = 0
      outputSince = nil
      unreadSince = nil
    } else if written > Limits.controlBacklogBytes {
      output.removeFirst(written)
      written = 0
    }
    // Half a frame could not go on while we did not read.
    if wasFull, takesCalls { partialSince = reader.hasBytes ? now : nil }
  }

  // MARK: What to wait for

  /// Reads nothing while a call is answered or its answer is not taken: what the peer sends meanwhile waits in the socket.
  package var wantsInput: Bool { takesCalls && !inputEnded && !closing }
  package var wantsOutput: Bool { written < output.count }

  /// True once nothing is left to do: close it.
  package var isFinished: Bool { !isAnswering && !wantsOutput && (closing || inputEnded) }

  /// A connection that only waits, and could make room for another.
  package var isIdle: Bool { !isAnswering && !wantsOutput && partialSince == nil }

  /// Since when the peer owes a first call, the rest of one, or the taking of our bytes; nil while it owes nothing.
  package var owesSince: Duration? {
    [takesCalls ? partialSince : nil, outputSince, silentSince].compactMap { $0 }.min()
  }

  /// When the peer has let its answer lie for long enough to lose it to somebody who waits for the room: it never took
  /// more than its buffer holds, or has stopped to, or is not done after a whole deadline. Nil while it has everything.
  package var losesRoomAt: Duration? {
    let patience = isRead ? Limits.readerPatience : Limits.deafPatience
    return [outputSince.map { $0 + patience }, unreadSince.map { $0 + deadline }].compactMap { $0 }.min()
  }

  /// When the peer's time for the rest of its frame, or for taking our bytes, is over; nil while it owes nothing.
  package var overdueAt: Duration? {
    let waits = [takesCalls ? partialSince : nil, outputSince].compactMap { $0 }
    return waits.min().map { $0 + deadline }
  }
}
