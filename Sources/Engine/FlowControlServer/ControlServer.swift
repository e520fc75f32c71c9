import Dispatch
package import FlowControl
import FlowModel
package import FlowPlatform

/// Serves the control protocol on one listening socket until stopped.
///
/// One thread polls all clients and never blocks for one of them. Answers are computed in child tasks of `run`, one call of a
/// connection at a time. Without clients it causes no wake-ups.
package final class ControlServer: Sendable {
  private let loop: ControlLoop
  private let dispatch: ControlDispatch
  private let events: ControlEvents

  /// Serves `listener`, and closes and removes it at the end.
  ///
  /// - Parameters:
  ///   - services: nil if no questions can be answered now; every call is refused then.
  ///   - interfaces: all interfaces that the daemon describes to its callers.
  ///   - refusal: the refusal of calls that change something; nil if changes are allowed.
  package init(
    listener: UnixSocketListener, services: (any ControlServices)?, interfaces: InterfaceCatalogue, version: String,
    permission: ControlPermission = .ofThisProcess(), refusal: (@Sendable () -> ControlError)? = nil
  ) throws {
    events = ControlEvents()
    loop = ControlLoop(listener: listener, poller: try SocketPoller(), permission: permission, events: events)
    dispatch = ControlDispatch(services: services, interfaces: interfaces, version: version, refusal: refusal)
  }

  /// Serves until `stop` or cancellation; returns once every client is closed and every answer ended.
  ///
  /// - Throws: `SocketError` if the socket itself broke.
  package func run() async throws {
    let loop = loop
    let queue = DispatchQueue(label: "poolflow.control")
    // The loop blocks this queue's thread until its last event, `stopped`.
    queue.async { loop.run() }
    let failure = await withTaskCancellationHandler {
      await serve()
    } onCancel: {
      loop.stop()
    }
    if let failure { throw failure }
  }

  /// Closes the listening socket at once, and each client once its running call is answered, within two seconds. May be called
  /// from any thread, repeatedly.
  package func stop() {
    loop.stop()
  }

  private func serve() async -> SocketError? {
    await withDiscardingTaskGroup(returning: SocketError?.self) { group in
      while true {
        switch await events.next() {
        case .call(let frame, let caller):
          group.addTask(priority: .high) { await self.dispatch.answer(frame, caller, through: self.loop) }
        case .hungUp(let caller):
          group.addTask { self.dispatch.services?.hungUp(caller) }
        case .ended(let caller):
          group.addTask { await self.dispatch.services?.connectionEnded(caller) }
        case .stopped(let failure):
          // Calls that still run have no caller left.
          group.cancelAll()
          return failure
        }
      }
    }
  }
}

extension ControlServer {
  /// Listens at `path` with mode 0660 for the group `poolflow`, if it exists; creates missing directories.
  ///
  /// - Throws: `SocketError` with a message for the operator.
  package static func listen(at path: String) throws(SocketError) -> UnixSocketListener {
    try UnixSocketListener.makeDirectories(for: path)
    return try UnixSocketListener(
      path: path, mode: 0o660, groupID: Accounts.groupID(named: ControlPermission.groupName))
  }
}

/// Decides which users may use the control socket: root, the daemon's own user, and the members of one group.
package struct ControlPermission: Hashable, Sendable {
  static let groupName = "poolflow"

  let ownUID: UInt32
  /// Nil if the system has no such group.
  let groupID: UInt32?

  init(ownUID: UInt32, groupID: UInt32?) {
    self.ownUID = ownUID
    self.groupID = groupID
  }

  package static func ofThisProcess() -> ControlPermission {
    ControlPermission(ownUID: Accounts.ownUID, groupID: Accounts.groupID(named: groupName))
  }

  func admits(_ peer: PeerCredentials) -> Bool {
    if peer.uid == 0 || peer.uid == ownUID { return true }
    guard let groupID else { return false }
    return peer.isMember(of: groupID)
  }
}
