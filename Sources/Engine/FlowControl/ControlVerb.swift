/// A method of an interface with its handler.
///
/// Type-erased: about ninety methods share one code path instead of one specialization each; the time per call is dominated by
/// the socket.
package struct ControlVerb: Sendable {
  /// Full method name on the wire.
  package let method: String
  private let read: @Sendable ([UInt8], Caller, (any ControlStream)?) throws -> ControlCall

  /// A method with a single answer; a list is sent in pages.
  package init<M: ControlMethod>(_ verb: @escaping @Sendable (M, Caller) async throws -> M.Reply) {
    method = M.method
    read = { frame, caller, stream in
      let call = try Envelope.parameters(of: frame, as: M.self)
      let more = stream != nil
      return ControlCall(call, streaming: more) {
        let reply = try await verb(call, caller)
        guard !M.changes, let list = reply as? any PagedReply else { return [try Envelope.answer(reply)] }
        return try list.frames(more: more)
      }
    }
  }

  /// A method that streams answers before its last one.
  package init<M: ControlMethod>(_ verb: @escaping @Sendable (M, Caller, MoreAnswers<M.Reply>?) async throws -> M.Reply)
  {
    method = M.method
    read = { frame, caller, stream in
      let call = try Envelope.parameters(of: frame, as: M.self)
      return ControlCall(call, streaming: stream != nil) {
        [try Envelope.answer(try await verb(call, caller, stream.map { MoreAnswers(stream: $0) }))]
      }
    }
  }

  /// Decodes a call; `ControlCall.answer` runs it later.
  ///
  /// - Parameters:
  ///   - frame: a complete call that names this method.
  ///   - stream: receiver of the answers before the last one; nil if the caller accepts only one.
  /// - Throws: `ControlError` if the parameters cannot be decoded.
  package func call(
    in frame: [UInt8], from caller: Caller, stream: (any ControlStream)?
  ) throws -> ControlCall {
    try read(frame, caller, stream)
  }
}

/// A decoded call, ready to run.
package struct ControlCall: Sendable {
  package let parameters: any ControlMethod
  package let changes: Bool
  package let work: CallWork
  package let answersAtLength: Bool
  /// Runs the call and returns the frames of the last answer.
  package let answer: @Sendable () async throws -> [[UInt8]]

  fileprivate init<M: ControlMethod>(
    _ call: M, streaming: Bool, _ answer: @escaping @Sendable () async throws -> [[UInt8]]
  ) {
    parameters = call
    changes = M.changes
    work = streaming ? M.streamingWork : M.work
    answersAtLength = streaming ? M.streamsAtLength : M.answersAtLength
    self.answer = answer
  }
}

/// Receiver of a call's answers before the last one.
package protocol ControlStream: Sendable {
  /// Sends one answer; waits while the caller reads slowly.
  /// - Throws: `CancellationError` if the caller has disconnected.
  func send(_ frame: [UInt8]) async throws
}

/// Typed sender for the answers that a handler sends before its last one.
package struct MoreAnswers<Reply: Codable & Sendable>: Sendable {
  fileprivate let stream: any ControlStream

  /// - Throws: `CancellationError` if the caller has disconnected; the handler should then stop.
  package func send(_ reply: Reply) async throws { try await stream.send(Envelope.answer(reply, continues: true)) }
}

/// Identity of the calling process, as reported by the kernel (SO_PEERCRED).
package struct Caller: Hashable, Sendable {
  package let uid: UInt32
  package let gid: UInt32
  package let pid: Int32
  /// Unique number of the connection within this process; uploads belong to one connection.
  package let connection: UInt64

  package init(uid: UInt32, gid: UInt32, pid: Int32, connection: UInt64) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.connection = connection
  }
}
