package import FlowControl
internal import FlowModel
internal import FlowPlatform

/// One connection to the daemon; sends one call at a time and waits for its reply.
package final class DaemonConnection {
  private let client: UnixSocketClient
  private let path: String
  /// The progress line shown on a terminal while a reply is awaited.
  private let waiting: ProgressLine?
  private var deadline = Limits.controlDeadline
  private var reader = FrameReader(limit: Limits.maxAnswerBytes)
  /// The send error; the daemon may have sent a reason before it closed the connection.
  private var sendError: SocketError?

  package init(path: String, deadline: Duration = Limits.controlDeadline, waiting: ProgressLine? = nil) throws {
    self.path = path
    self.waiting = waiting
    do {
      client = try UnixSocketClient(path: path, deadline: deadline)
    } catch {
      throw CommandFailure(error, path: path)
    }
  }

  /// The single reply to `call`.
  ///
  /// - Throws: `ControlError` from the daemon, `CommandFailure` if it does not answer.
  package func ask<M: ControlMethod>(_ call: M, deadline: Duration = Limits.controlDeadline) throws -> M.Reply {
    try send(Envelope.call(call), deadline)
    waiting?.end()
    defer { waiting?.end() }
    return try Envelope.read(try frameShowingProgress(), as: M.Reply.self).reply
  }

  /// The complete list, joined from all its pages.
  package func ask<M: ControlMethod>(_ call: M, deadline: Duration = Limits.controlDeadline) throws -> M.Reply
  where M.Reply: PagedReply {
    try send(Envelope.call(call, more: true), deadline)
    waiting?.end()
    defer { waiting?.end() }
    // Read all frames before decoding: while other callers wait, the daemon drops a client that reads a long reply slowly.
    var frames: [[UInt8]] = []
    repeat { frames.append(try frameShowingProgress()) } while Envelope.certainlyContinues(frames[frames.count - 1])
    var (whole, continues) = try Envelope.read(frames[0], as: M.Reply.self)
    for frame in frames.dropFirst() {
      let page = try Envelope.read(frame, as: M.Reply.self)
      whole.append(page.reply)
      continues = page.continues
    }
    // A daemon of another version may mark continued pages in another way.
    while continues {
      let page = try Envelope.read(try frameShowingProgress(), as: M.Reply.self)
      whole.append(page.reply)
      continues = page.continues
    }
    return whole
  }

  /// The single reply to `call`; `meanwhile` is called several times a second while waiting and may throw to stop.
  package func ask<M: ControlMethod>(_ call: M, deadline: Duration, meanwhile: () throws -> Void) throws -> M.Reply {
    let end = ContinuousClock.now.advanced(by: deadline)
    try send(Envelope.call(call), deadline)
    let frame = try nextFrame(pollingEvery: .milliseconds(200), until: end, meanwhile)
    return try Envelope.read(frame, as: M.Reply.self).reply
  }

  /// Calls `body` with each reply to `call` as it arrives; `meanwhile` is called several times a second while waiting.
  package func stream<M: ControlMethod>(
    _ call: M, deadline: Duration, meanwhile: (() -> Void)? = nil, _ body: (M.Reply) throws -> Void
  ) throws {
    try send(Envelope.call(call, more: true), deadline)
    while true {
      let end = ContinuousClock.now.advanced(by: deadline)
      let frame =
        try meanwhile.map { try nextFrame(pollingEvery: .milliseconds(100), until: end, $0) } ?? nextFrame()
      let (reply, continues) = try Envelope.read(frame, as: M.Reply.self)
      try body(reply)
      guard continues else { return }
    }
  }

  /// The next frame; a terminal shows a progress line after one second.
  private func frameShowingProgress() throws -> [UInt8] {
    guard let waiting else { return try nextFrame() }
    return try nextFrame(pollingEvery: .milliseconds(100), until: .now.advanced(by: deadline)) { waiting.tick() }
  }

  private func send(_ frame: [UInt8], _ deadline: Duration) throws {
    self.deadline = deadline
    do {
      try client.setDeadline(deadline)
      try client.send(frame + [0])
    } catch .closed {
      sendError = .closed
    } catch {
      throw CommandFailure(error, path: path)
    }
  }

  private func nextFrame(
    pollingEvery pause: Duration? = nil, until end: ContinuousClock.Instant = .now, _ meanwhile: () throws -> Void = {}
  ) throws -> [UInt8] {
    do {
      if let pause { try client.setDeadline(pause) }
      while true {
        if let frame = try reader.next() { return frame }
        do {
          guard let bytes = try client.receive() else { throw SocketError.closed }
          reader.append(bytes)
        } catch SocketError.timedOut(_) where ContinuousClock.now < end {
          try meanwhile()
        }
      }
    } catch let error as SocketError {
      throw CommandFailure(sendError ?? error, path: path)
    } catch is FrameReader.Oversize {
      throw CommandFailure(
        name: "internal",
        message: "the daemon's answer is larger than the limit of \(Limits.maxAnswerBytes >> 20) MiB",
        exitCode: ExitCode.internalFault)
    }
  }
}
