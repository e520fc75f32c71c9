/// A method of an interface together with what answers it: bytes in, bytes out.
package struct ControlVerb: Sendable {
  /// The whole name on the wire.
  package let method: String
  package let changes: Bool
  private let body: @Sendable ([UInt8], Caller, any ControlExchange) async throws -> [UInt8]

  /// A verb with one answer.
  init<M: ControlMethod>(_ verb: @escaping @Sendable (M, Caller) async throws -> M.Reply) {
    method = M.method
    changes = M.changes
    body = { frame, caller, exchange in
      let call = try Envelope.parameters(of: frame, as: M.self)
      return try await exchange.admit(call, from: caller) { try Envelope.answer(try await verb(call, caller)) }
    }
  }

  /// A verb that may answer more than once.
  init<M: ControlMethod>(_ verb: @escaping @Sendable (M, Caller, MoreAnswers<M.Reply>?) async throws -> M.Reply) {
    method = M.method
    changes = M.changes
    body = { frame, caller, exchange in
      let call = try Envelope.parameters(of: frame, as: M.self)
      let more = exchange.takesMore ? MoreAnswers<M.Reply>(exchange: exchange) : nil
      return try await exchange.admit(call, from: caller) { try Envelope.answer(try await verb(call, caller, more)) }
    }
  }

  /// - Parameter frame: a whole call whose head names this method.
  /// - Returns: the last answer's frame.
  package func answer(_ frame: [UInt8], from caller: Caller, over exchange: any ControlExchange) async throws -> [UInt8]
  {
    try await body(frame, caller, exchange)
  }
}

/// What a call passes through on its way to its verb, and its answers on their way back.
package protocol ControlExchange: Sendable {
  /// The caller takes several answers.
  var takesMore: Bool { get }

  /// Sends an answer that others follow; waits while the caller reads slowly.
  /// - Throws: `CancellationError` when the caller has gone.
  func send(_ frame: [UInt8]) async throws

  /// Lets a call through, refuses it, or keeps a record of it around `body`.
  func admit(
    _ call: some ControlMethod, from caller: Caller, _ body: () async throws -> [UInt8]
  ) async throws -> [UInt8]
}

/// Where a verb hands the answers that come before its last one.
package struct MoreAnswers<Reply: Codable & Sendable>: Sendable {
  fileprivate let exchange: any ControlExchange

  /// - Throws: `CancellationError` when the caller has gone: stop then.
  package func send(_ reply: Reply) async throws { try await exchange.send(Envelope.answer(reply, continues: true)) }
}
