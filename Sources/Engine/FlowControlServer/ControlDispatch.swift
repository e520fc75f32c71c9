package import FlowControl
import FlowModel

/// Finds the method of a call, answers it in its turn and sends the reply frames.
struct ControlDispatch: Sendable {
  /// Nil if no questions can be answered now: every call is refused.
  let services: (any ControlServices)?
  /// The refusal of calls that change something, where the daemon itself does not run; nil if changes are allowed.
  private let refusal: (@Sendable () -> ControlError)?
  private let verbs: [String: ControlVerb]
  private let interfaces: InterfaceCatalogue

  init(
    services: (any ControlServices)?, interfaces: InterfaceCatalogue, version: String,
    refusal: (@Sendable () -> ControlError)?
  ) {
    self.services = services
    self.interfaces = interfaces
    self.refusal = refusal
    let own = DescribedService(version: version, interfaces: interfaces)
    let all = (services?.verbs ?? []) + ServiceCall.verbs(of: own)
    verbs = Dictionary(uniqueKeysWithValues: all.map { ($0.method, $0) })
  }

  /// The reply frames of a call in order, and its ticket.
  private struct Answer {
    var frames: [[UInt8]]
    /// Nil after an error, whose ticket has ended.
    var ticket: CallGate.Ticket?
  }

  /// Answers one call completely, including refusals of malformed frames.
  func answer(_ frame: [UInt8], _ caller: Caller, through loop: ControlLoop) async {
    var oneway = false
    var answer: Answer
    do {
      let head = try Envelope.head(of: frame)
      oneway = head.oneway
      if head.upgrade { throw ControlError.invalidParameter("upgrade", "connections cannot be upgraded") }
      guard let verb = verbs[head.method] else {
        if services == nil, let refusal { throw refusal() }
        throw unknown(head.method)
      }
      let stream = head.more && !oneway ? Stream(loop: loop, connection: caller.connection) : nil
      let call = try verb.call(in: frame, from: caller, stream: stream)
      answer = try await answerWhenAdmitted(call, caller, isOneway: oneway, gate: loop.gate)
    } catch is CallerGone {
      answer = Answer(frames: [])
    } catch let error as ControlError {
      answer = Answer(frames: [Envelope.error(error)])
    } catch is CancellationError {
      answer = Answer(
        frames: [Envelope.error(ControlError(.stopping, "the daemon is stopping; try again once it is back"))])
    } catch {
      // Errors never contain sensitive values, so their text may be sent.
      answer = Answer(
        frames: [
          Envelope.error(ControlError(.internal, "the daemon could not answer: \(error); its journal has the details"))
        ])
    }
    await send(&answer, oneway: oneway, to: caller, loop)
    if let ticket = answer.ticket { loop.gate.end(ticket) }
  }

  /// Sends the frames one by one; each waits until the reader has taken enough of the earlier ones.
  private func send(_ answer: inout Answer, oneway: Bool, to caller: Caller, _ loop: ControlLoop) async {
    var isConnected = !oneway
    // Reversed, so that each sent frame frees its memory.
    answer.frames.reverse()
    while isConnected, let frame = answer.frames.popLast() {
      isConnected = await loop.send(frame, to: caller.connection, last: answer.frames.isEmpty)
      if let ticket = answer.ticket { loop.gate.didRead(ticket, bytes: frame.count) }
      if answer.frames.isEmpty { return }
    }
    await loop.send(nil, to: caller.connection, last: true)
  }

  /// Computes the reply once it is the call's turn and there is memory budget for it.
  private func answerWhenAdmitted(
    _ call: ControlCall, _ caller: Caller, isOneway: Bool, gate: CallGate
  ) async throws -> Answer {
    // A oneway query has no effect.
    if isOneway, !call.changes { return Answer(frames: []) }
    if call.changes, let refusal { throw refusal() }
    let ticket = try await gate.enter(
      caller, work: call.work, answersAtLength: call.answersAtLength, isOneway: isOneway)
    do {
      try await services?.checkTrade(of: call.parameters)
      let frames: [[UInt8]]
      if call.changes, let services {
        frames = try await services.answerChange(call.parameters, caller, call.answer)
      } else {
        frames = try await call.answer()
      }
      let bytes = frames.reduce(0) { $0 + $1.count }
      if bytes > Limits.maxAnswerBytes { throw ControlError.answerTooLong }
      try await gate.didBuild(ticket, bytes: bytes, answersAtLength: call.answersAtLength)
      return Answer(frames: frames, ticket: ticket)
    } catch {
      gate.end(ticket)
      throw error
    }
  }

  /// Sends frames of a `more` call to its connection; throws `CancellationError` once the connection has gone.
  private struct Stream: ControlStream {
    let loop: ControlLoop
    let connection: UInt64

    func send(_ frame: [UInt8]) async throws {
      guard await loop.send(frame, to: connection, last: false) else { throw CancellationError() }
    }
  }

  /// The error for an unknown method or interface.
  private func unknown(_ method: String) -> ControlError {
    let interface = method.split(separator: ".").dropLast().joined(separator: ".")
    if interfaces.interface(named: interface) != nil {
      return ControlError(.methodNotFound, "there is no call \(method)", facts: ["method": method])
    }
    return ControlError(.interfaceNotFound, "there is no interface \(interface)", facts: ["interface": interface])
  }
}

/// The `org.varlink.service` interface, which every Varlink service has.
private struct DescribedService: ServiceService {
  let version: String
  let interfaces: InterfaceCatalogue

  func getInfo(_ call: ServiceCall.GetInfo, _ caller: Caller) -> ServiceCall.GetInfo.Reply {
    ServiceCall.GetInfo.Reply(
      vendor: "poolflow", product: "poolflowd", version: version, url: "",
      interfaces: interfaces.interfaces.map(\.name))
  }

  func getInterfaceDescription(
    _ call: ServiceCall.GetInterfaceDescription, _ caller: Caller
  ) throws -> ServiceCall.GetInterfaceDescription.Reply {
    guard let found = interfaces.interface(named: call.interface) else {
      throw ControlError(
        .interfaceNotFound, "there is no interface \(call.interface)", facts: ["interface": call.interface])
    }
    return ServiceCall.GetInterfaceDescription.Reply(description: found.text)
  }
}

extension ControlError {
  /// The refusal of a change during inspection, while no daemon runs.
  package static var notRunning: ControlError {
    ControlError(.notRunning, "this call changes data and needs the daemon, which is not running")
  }
}
