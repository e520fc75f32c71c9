import FlowAnswers
import FlowControl
import FlowControlServer
import FlowDelivery
import FlowModel
import FlowNodes
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore

/// The process of a node on standby: it answers questions from the shared store, refuses changes, and restarts in-process
/// to serve once it may.
struct StandbyProcess {
  let node: ClusterMember
  let paths: DaemonPaths
  let log: DaemonLog

  /// Answers questions until the node may serve, the settings are to be reloaded, or a signal ends the daemon.
  ///
  /// - Returns: the exit code, or `Daemon.restartInProcess`.
  func runUntilStopped(
    options: DaemonOptions, reading: SettingsReading, environment: [String: String], modules: DaemonModules,
    _ signals: TerminationSignals
  ) async throws -> Int32 {
    // Locks the state folder against other daemons of this machine.
    let state = try StateDirectory(path: paths.state)
    defer { withExtendedLifetime(state) {} }
    let manager = ServiceManager()
    let listener = try ActivatedSocket.listener() ?? ControlServer.listen(at: paths.socket)
    var services: Services?
    do {
      services = try Inspection.services(
        over: paths, options: options, reading: reading, environment: environment, modules: modules, node: node,
        log: log)
    } catch {
      // The server is away, or the store's schema is of another version than this program.
      log.error("this node answers no queries while it is on standby: \(error)")
    }
    let server = try ControlServer(
      listener: listener, services: services, interfaces: modules.interfaces, version: Daemon.version,
      refusal: { [node] in node.refusal })
    let cannotAnswer = services == nil
    let ending = await withTaskGroup(of: ClusterMember.Ending?.self) { group in
      group.addTask {
        do { try await server.run() } catch { log.error("the control socket broke: \(error)") }
        return nil
      }
      group.addTask { await node.standBy(until: signals, cannotAnswer: cannotAnswer, manager: manager) }
      var ending: ClusterMember.Ending?
      while ending == nil, let next = await group.next() { ending = next }
      server.stop()
      if ending == .end { manager.stopping() } else { manager.reloading() }
      await group.waitForAll()
      return ending ?? .end
    }
    switch ending {
    case .end:
      log.report(.daemonStopped, .info, "stopped")
      return 0
    case .reload:
      log.notice("the settings are read again")
      return Daemon.restartInProcess
    case .serve: return Daemon.restartInProcess
    }
  }
}
