import FlowAnswers
import FlowBackup
import FlowCalendar
import FlowControl
import FlowControlServer
import FlowDelivery
import FlowModel
import FlowNodes
package import FlowPlatform
import FlowScheduler
package import FlowServices
import FlowSettings
import FlowStore
import FlowWork
import Glibc

/// The daemon process: prepares, reports ready, runs until a signal, drains and ends.
package struct Daemon: Sendable {
  package static let version = ProductVersion.text

  private let wiring: Wiring
  private let log: DaemonLog
  private let manager = ServiceManager()

  /// Runs `poolflowd`.
  ///
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - signals: created before everything else, so that no signal is missed.
  ///   - modules: the trades whose teams it serves, and the database servers that it can use.
  /// - Returns: an exit code of sysexits.h, or `restartInProcess`.
  package static func main(
    _ arguments: [String], environment: [String: String], signals: TerminationSignals, modules: DaemonModules
  ) async -> Int32 {
    let log = DaemonLog(environment: environment)
    do {
      let options = try DaemonOptions(arguments)
      if options.wantsHelp { return printText(DaemonOptions.help) }
      if options.wantsVersion { return printText("poolflowd \(version)\n") }
      umask(0o077)
      // A recovery command runs on the calling thread and needs no `/proc`.
      if options.recoveryCommand == nil, !OwnProgram.hasProcFileSystem { throw ProcNotMounted() }
      let reading = try SettingsReading(
        configPath: options.configPath, environment: environment, terminal: ProcessIdentity.standardOutputIsTerminal,
        catalogue: modules.trades.jobs.every)
      guard reading.problems.isEmpty else { throw SettingsError.mistakes(reading.problems) }
      if options.inspects {
        try await Inspection.run(
          options: options, reading: reading, environment: environment, modules: modules, log: log)
        return 0
      }
      if let recoveryCommand = options.recoveryCommand {
        return printText(
          try Recovery.run(
            recoveryCommand, options: options, reading: reading, environment: environment, modules: modules) + "\n")
      }
      let paths = DaemonPaths(options: options, settings: reading.settings, environment: environment)
      let node = try ClusterMember.named(
        by: reading.settings.store, paths: paths, environment: environment, modules: modules, log: log)
      if let node, await node.obstacle() != nil {
        return try await StandbyProcess(node: node, paths: paths, log: log).runUntilStopped(
          options: options, reading: reading, environment: environment, modules: modules, signals)
      }
      do {
        let wiring = try await Wiring(
          options: options, reading: reading, environment: environment, modules: modules, node: node, log: log)
        return await Daemon(wiring: wiring, log: log).runUntilStopped(signals)
      } catch StoreError.refused(_, .held) where node != nil {
        // Another process wants the store to itself, or the schema is being migrated.
        try? await Task.sleep(for: Limits.nodeTick)
        return restartInProcess
      }
    } catch SettingsError.mistakes(let problems) {
      for problem in problems { log.writeLines(.error, problem.description) }
      log.error("cannot start: \(SettingsError.mistakes(problems).summary); nothing was started")
      return ExitCode.badSettings
    } catch {
      // Errors in the settings have several lines with carets.
      for line in "cannot start: \(error)".split(separator: "\n") { log.error(String(line)) }
      return exitCode(of: error)
    }
  }

  private init(wiring: Wiring, log: DaemonLog) {
    self.wiring = wiring
    self.log = log
  }

  private static func printText(_ text: String) -> Int32 {
    terminalText(text, colours: false).withCString { _ = write(1, $0, strlen($0)) }
    return 0
  }

  /// The exit code of sysexits.h for an error at start-up.
  private static func exitCode(of error: any Error) -> Int32 {
    switch error {
    case is DaemonOptions.Mistake, is SocketMismatch: ExitCode.usage
    case let error as SettingsError: if case .unreadable = error { ExitCode.noInput } else { ExitCode.badSettings }
    case let error as StateDirectory.Failure: error.exitCode
    case let error as StoreError: error.exitCode
    case is LostStore, is EmptyDatabase, is RestoreRefusal: ExitCode.badData
    case is StoreNotAccessible, is WrongStateFolder: ExitCode.notPermitted
    case is RecordsOnServer, is NoServerNamed, is ConnectionString.Mistake: ExitCode.usage
    case let error as StoreCopy.Refusal: if case .noStore = error { ExitCode.noInput } else { ExitCode.badData }
    case SocketError.pathTooLong: ExitCode.badSettings
    case is SocketError: ExitCode.cannotCreate
    case is ActivatedSocket.Failure: ExitCode.badSettings
    case is ProcNotMounted, is ZoneError, is NoZones: ExitCode.badSettings
    case is Credential.Failure, is WebhookSignature.Fault: ExitCode.badSettings
    case is SystemFailure: ExitCode.inputOutput
    default: ExitCode.internalFault
    }
  }

  /// The reason why a task of the daemon ended.
  private enum Ending: Sendable {
    case signal
    case server((any Error)?)
    case child
    /// The daemon restarts in-process, with another store or with other partitions.
    case restart
  }

  /// Returned by `main` if the caller shall start the daemon again in the same process.
  package static let restartInProcess: Int32 = -1

  /// Handles SIGHUP: like `pfctl reload`, with the result in the log.
  private func reload() async {
    manager.reloading()
    do {
      let changes = try await wiring.reload(at: wiring.context.clock.now())
      for change in changes { log.notice("settings: \(change.words)") }
      let words = changes.isEmpty ? "nothing has changed" : changes.map(\.words).joined(separator: "; ")
      wiring.context.events.publish(.settings(words), at: wiring.context.clock.now())
      log.report(
        .settingsApplied, .info, changes.isEmpty ? "settings reloaded: nothing has changed" : "settings read again")
    } catch {
      log.writeLines(.error, "\(error)")
      log.report(.settingsRefused, .error, "the effective settings stay as they are")
    }
    manager.ready(status: "Ready, \(wiring.context.choice.name)")
  }

  /// Serves until a signal, a broken control socket or a restart.
  ///
  /// - Returns: the exit code, or `restartInProcess`.
  private func runUntilStopped(_ signals: TerminationSignals) async -> Int32 {
    do {
      try await prepare()
    } catch {
      log.error("cannot start: \(error)")
      return Self.exitCode(of: error)
    }
    manager.ready(status: "Ready, \(wiring.context.choice.name)")
    log.report(
      .daemonReady, .info, "ready; store \(wiring.context.choice.name), control socket \(wiring.context.paths.socket)",
      [("POOLFLOW_VERSION", ProductVersion.text)])
    var code: Int32 = 0
    var stopRequestedAt = ContinuousClock.now
    await withTaskGroup(of: Ending.self) { group in
      addServers(to: &group, signals)
      addWorkers(to: &group)
      for await ending in group {
        if case .server(let error?) = ending {
          log.error("the control socket broke: \(error)")
          code = ExitCode.inputOutput
        }
        if case .restart = ending { code = Self.restartInProcess }
        if case .child = ending, Task.isCancelled == false { continue }
        break
      }
      stopRequestedAt = .now
      // A service manager takes `STOPPING` as final; a restart in-process is announced as a reload.
      if code == Self.restartInProcess { manager.reloading() } else { manager.stopping() }
      wiring.context.events.finish()
      group.cancelAll()
      wiring.server.stop()
    }
    await wiring.dispatcher.drain(for: max(.zero, Limits.drainTime - stopRequestedAt.duration(to: .now)))
    do {
      try await wiring.context.store.endEpoch(at: wiring.context.clock.now())
      try EpochMark(epoch: wiring.context.store.epoch, hasEnded: true).write(to: wiring.context.paths.epochMark)
    } catch {
      log.error("\(error)")
    }
    log.report(.daemonStopped, .info, "stopped")
    return code
  }

  /// Settles what an earlier process left and plans the jobs; a node acquires its partitions first.
  private func prepare() async throws {
    if wiring.stateLock.hadCrashed {
      log.report(.daemonCrashed, .warning, "the previous daemon process crashed; see the journal for the cause")
    }
    switch wiring.mode {
    case .alone: try await wiring.scheduler.prepare(crashed: wiring.stateLock.hadCrashed)
    case .node(let node, let handoff):
      try await node.begin(handoff)
      try await node.sendHeartbeats { try await wiring.scheduler.prepare(crashed: wiring.stateLock.hadCrashed) }
    }
  }

  /// Adds the tasks whose end stops or restarts the daemon: signals, the control socket, requests for a restart, and the
  /// membership of a node.
  private func addServers(to group: inout TaskGroup<Ending>, _ signals: TerminationSignals) {
    group.addTask {
      for await signal in signals.events {
        // Signals that arrived during a reload may have pushed SIGTERM out of the buffer.
        if signal == .terminate || signals.isStopRequested { return .signal }
        await reload()
      }
      return .child
    }
    group.addTask {
      do {
        try await wiring.server.run()
        return .server(nil)
      } catch {
        return .server(error)
      }
    }
    group.addTask {
      for await _ in wiring.services.restartRequests { return .restart }
      return .child
    }
    if case .node(let node, let handoff) = wiring.mode {
      group.addTask {
        await node.serve(handoff, wiring.context.store)
        return .restart
      }
    }
  }

  /// Adds the tasks that scan folders, run jobs and deliver notices.
  private func addWorkers(to group: inout TaskGroup<Ending>) {
    group.addTask {
      for await _ in wiring.inbox.wakeUps { await wiring.services.scanInbox() }
      return .child
    }
    group.addTask {
      // Read the receipts that arrived while the daemon was down.
      wiring.receipts.wake()
      for await _ in wiring.receipts.wakeUps { await wiring.receipts.scan() }
      return .child
    }
    group.addTask {
      await wiring.scheduler.run()
      return .child
    }
    group.addTask {
      await wiring.runner.performBackgroundTasks()
      return .child
    }
    group.addTask {
      await wiring.dispatcher.run()
      return .child
    }
    group.addTask {
      await wiring.sinkWatch.handleEvents(
        store: wiring.context.store, dispatcher: wiring.dispatcher, clock: wiring.context.clock, log: log,
        routes: { await wiring.context.settings.reading.settings.sinks.map(\.route) })
      return .child
    }
  }
}

/// No `/proc` is mounted, as in a bare chroot or container; libdispatch would end the process sooner or later.
private struct ProcNotMounted: Error, CustomStringConvertible {
  let description =
    "/proc is not mounted: libdispatch, which distributes work among processors, would end this process because it reads "
    + "its threads there; mount it: `mount -t proc proc /proc`"
}
