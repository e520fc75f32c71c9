import FlowControl
import FlowModel
import TradeInterfaces

/// Bytes as a client's input to the control socket and, frame by frame, as a daemon's replies.
enum ControlInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let whole = calls(bytes, piece: max(1, bytes.count))
    try require(calls(bytes, piece: 1) == whole, "the calls depend on the pieces in which they arrive")
    let promise: Duration = .milliseconds(5) + .microseconds(bytes.count)
    for frame in whole.prefix(8) {
      guard let head = try limit.call("reading a call's head", promise, { try? Envelope.head(of: frame) }) else {
        continue
      }
      try refuseRepetition(in: frame)
      for method in methods where method.name == head.method { try method.check(frame, limit) }
      if head.method.isEmpty { for method in methods { try method.check(frame, limit) } }
    }
  }

  /// Every accepted call is refused once one of its keys is duplicated.
  private static func refuseRepetition(in frame: [UInt8]) throws(BrokenLaw) {
    try require(UntrustedJSON.fault(in: frame) == nil, "a call was let in that says a key twice")
    guard let brace = frame.firstIndex(of: UInt8(ascii: "{")) else { return }
    for key in [#"{"method":"twice","#, #"{"parameters":{"a":{"b":1,"b":2}},"#, #"{"x":[{"\u0061":0,"a":0}],"#] {
      let doubled = frame[..<brace] + Array(key.utf8) + frame[(brace + 1)...]
      let head = try? Envelope.head(of: Array(doubled))
      try require(head == nil, "a call was let in with a key that was said twice by \(key)")
    }
  }

  /// The frames from a channel whose calls are answered at once and whose reader takes everything; a final empty frame means
  /// that the channel closed.
  private static func calls(_ bytes: [UInt8], piece: Int) -> [[UInt8]] {
    var channel = ControlChannel(at: .zero, frameLimit: 2_048)
    var frames: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      channel.received(rest.prefix(piece), at: .zero)
      rest = rest.dropFirst(piece)
      while let frame = channel.nextCall(at: .zero) {
        frames.append(frame)
        channel.answer([65], last: true, at: .zero)
      }
      channel.wrote(channel.pendingOutput.count, at: .zero)
    }
    if channel.isFinished { frames.append([]) }
    return frames
  }

  private struct Method: Sendable {
    let name: String
    let check: @Sendable ([UInt8], TimeLimit) throws(BrokenLaw) -> Void
  }

  private static func method<M: ControlMethod>(_ type: M.Type) -> Method {
    Method(name: M.method) { (frame, limit) throws(BrokenLaw) in
      let promise: Duration = .milliseconds(5) + .microseconds(frame.count)
      let call = try limit.call("reading parameters", promise) { try? Envelope.parameters(of: frame, as: M.self) }
      if let call {
        guard let written = try? Envelope.call(call) else { throw BrokenLaw("a \(M.method) cannot be written") }
        let again = try? Envelope.parameters(of: written, as: M.self)
        try require(again.map(fields) == fields(call), "a \(M.method) changes when it is written and read again")
      }
      // The client side reads replies: any frame is a reply or is refused.
      let answer = try limit.call("reading an answer", promise) { try? Envelope.read(frame, as: M.Reply.self) }
      if let answer {
        guard let written = try? Envelope.answer(answer.reply) else {
          throw BrokenLaw("an answer to \(M.method) cannot be written")
        }
        let again = (try? Envelope.read(written, as: M.Reply.self)).map { fields($0.reply) }
        try require(again == fields(answer.reply), "an answer to \(M.method) changes when it is written and read again")
      }
    }
  }

  /// The fields of a call or a reply as text: the types are not `Equatable`, because the programs never compare them.
  private static func fields(_ value: some Any) -> String { String(reflecting: value) }

  private static let methods = InterfaceCatalogue.every.methods.map { method($0) }
}
