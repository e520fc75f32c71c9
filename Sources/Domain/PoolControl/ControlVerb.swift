/// A method of an interface together with what answers it.
///
/// There are ninety, and a call waits for a socket: one piece of code for all of them, not one for each.
package struct ControlVerb: Sendable {
  /// The whole name on the wire.
  package let method: String
  private let read: @Sendable ([UInt8], Caller, (any ControlStream)?) throws -> ControlCall

  /// A verb with one answer, which comes in pages where it is a list.
  init<M: ControlMethod>(_ verb: @escaping @Sendable (M, Caller) async throws -> M.Reply) {
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

  /// A verb that tells more before its last answer.
  init<M: ControlMethod>(_ verb: @escaping @Sendable (M, Caller, MoreAnswers<M.Reply>?) async throws -> M.Reply) {
    method = M.method
    read = { frame, caller, stream in
      let call = try Envelope.parameters(of: frame, as: M.self)
      return ControlCall(call, streaming: stream != nil) {
        [try Envelope.answer(try await verb(call, caller, stream.map { MoreAnswers(stream: $0) }))]
      }
    }
  }

  /// Reads a call; it is answered when its turn comes.
  ///
  /// - Parameters:
  ///   - frame: a whole call whose head names this method.
  ///   - stream: where answers before the last go; nil where the caller takes one alone.
  /// - Throws: `ControlError` for parameters that cannot be read.
  package func call(
    in frame: [UInt8], from caller: Caller, stream: (any ControlStream)?
  ) throws -> ControlCall {
    try read(frame, caller, stream)
  }
}

/// A call that was read, and what answers it.
package struct ControlCall: Sendable {
  package let parameters: any ControlMethod
  package let changes: Bool
  package let work: CallWork
  package let answersAtLength: Bool
  /// Does what is asked, and makes the frames of the last answer.
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

/// Where the answers of a call go that others follow.
package protocol ControlStream: Sendable {
  /// Waits while the caller reads slowly.
  /// - Throws: `CancellationError` when the caller has gone.
  func send(_ frame: [UInt8]) async throws
}

/// Where a verb hands the answers that come before its last one.
package struct MoreAnswers<Reply: Codable & Sendable>: Sendable {
  fileprivate let stream: any ControlStream

  /// - Throws: `CancellationError` when the caller has gone: stop then.
  package func send(_ reply: Reply) async throws { try await stream.send(Envelope.answer(reply, continues: true)) }
}

/// Who is calling, as the kernel says.
package struct Caller: Hashable, Sendable {
  package let uid: UInt32
  package let gid: UInt32
  package let pid: Int32
  /// Different for every connection of this process; uploads belong to one.
  package let connection: UInt64

  package init(uid: UInt32, gid: UInt32, pid: Int32, connection: UInt64) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.connection = connection
  }
}
