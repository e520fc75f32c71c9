internal import PoolControl
internal import PoolModel

/// Finds the verb for a call and sends its answers.
struct ControlDispatch: Sendable {
  let backend: any ControlBackend
  /// Nothing may be changed: the daemon itself does not run.
  private let readOnly: Bool
  private let verbs: [String: ControlVerb]

  init(backend: any ControlBackend, version: String, readOnly: Bool) {
    self.backend = backend
    self.readOnly = readOnly
    let all = backend.verbs + ServiceCall.verbs(of: DescribedService(version: version))
    verbs = Dictionary(uniqueKeysWithValues: all.map { ($0.method, $0) })
  }

  /// Answers one call to its end, whatever it holds.
  func answer(_ frame: [UInt8], _ caller: Caller, through loop: ControlLoop) async {
    var oneway = false
    var last: [UInt8]
    do {
      let head = try Envelope.head(of: frame)
      oneway = head.oneway
      if head.upgrade { throw ControlError.invalidParameter("upgrade", "connections cannot be upgraded") }
      guard let verb = verbs[head.method] else { throw Self.unknown(head.method) }
      let exchange = Exchange(
        takesMore: head.more && !head.oneway, readOnly: readOnly, backend: backend, loop: loop,
        connection: caller.connection)
      last = try await verb.answer(frame, from: caller, over: exchange)
      if last.count > Limits.controlReplyBytes { throw ControlError.answerTooLong }
    } catch let error as ControlError {
      last = Envelope.error(error)
    } catch is CancellationError {
      last = Envelope.error(ControlError(.stopping, "the daemon is stopping; try again once it is back"))
    } catch {
      // The error's own words: nothing sensitive may stand in an error.
      last = Envelope.error(ControlError(.internal, "the daemon could not answer: \(error); its journal knows more"))
    }
    await loop.send(oneway ? nil : last, to: caller.connection, last: true)
  }

  /// One call under way.
  private struct Exchange: ControlExchange {
    let takesMore: Bool
    let readOnly: Bool
    let backend: any ControlBackend
    let loop: ControlLoop
    let connection: UInt64

    func send(_ frame: [UInt8]) async throws {
      guard await loop.send(frame, to: connection, last: false) else { throw CancellationError() }
    }

    func admit<M: ControlMethod>(
      _ call: M, from caller: Caller, _ body: () async throws -> [UInt8]
    ) async throws -> [UInt8] {
      guard M.changes else { return try await body() }
      if readOnly {
        throw ControlError(
          .notRunning,
          "this changes something, and poolflowd is not running: start it with `systemctl start poolflowd` or "
            + "`poolflowd`")
      }
      return try await backend.audited(call, caller, body)
    }
  }

  /// A method that nobody has, or an interface that nobody has.
  private static func unknown(_ method: String) -> ControlError {
    let interface = method.split(separator: ".").dropLast().joined(separator: ".")
    if InterfaceDescription.all.contains(where: { $0.name == interface }) {
      return ControlError(.methodNotFound, "there is no call \(method)", facts: ["method": method])
    }
    return ControlError(.interfaceNotFound, "there is no interface \(interface)", facts: ["interface": interface])
  }
}

extension ControlError {
  static let answerTooLong = ControlError(
    .tooLarge, "the answer passes \(Limits.controlReplyBytes >> 20) MiB; ask for less, or for one team")
}

/// What every Varlink service tells of itself.
private struct DescribedService: ServiceService {
  let version: String

  func getInfo(_ call: ServiceCall.GetInfo, _ caller: Caller) -> ServiceCall.GetInfo.Reply {
    ServiceCall.GetInfo.Reply(
      vendor: "poolflow", product: "poolflowd", version: version, url: "",
      interfaces: InterfaceDescription.all.map(\.name))
  }

  func getInterfaceDescription(
    _ call: ServiceCall.GetInterfaceDescription, _ caller: Caller
  ) throws -> ServiceCall.GetInterfaceDescription.Reply {
    guard let found = InterfaceDescription.all.first(where: { $0.name == call.interface }) else {
      throw ControlError(
        .interfaceNotFound, "there is no interface \(call.interface)", facts: ["interface": call.interface])
    }
    return ServiceCall.GetInterfaceDescription.Reply(description: found.text)
  }
}
