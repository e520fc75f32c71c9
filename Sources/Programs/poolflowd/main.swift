import FlowDaemon
import FlowModel
import FlowPlatform
import FlowServices
import FoundationEssentials
import Glibc
import Trades

extension Limits {
  /// Threads for decisions, replies and waiting tasks; the store, sinks and sockets have threads of their own.
  static let workerThreads = 4
}

// Fill descriptors 0 to 2 before opening anything, or a database could become "stdout".
StandardDescriptors.openMissing()
ProcessMemory.limitAllocator()
let arguments = Array(OwnProgram.arguments.dropFirst())
let environment = ProcessInfo.processInfo.environment
do {
  let signals = try TerminationSignals()
  let pool = try WorkerPool(threads: Limits.workerThreads)
  let code = await withTaskExecutorPreference(pool) {
    await Daemon.main(
      arguments, environment: environment, signals: signals,
      modules: .all)
  }
  guard code == Daemon.restartInProcess else {
    if code != 0 { ActivatedSocket.closeWaitingConnections() }
    exit(code)
  }
  guard !signals.stopWasRequested() else { exit(0) }
  throw ProcessRestart.restartInProcess()
} catch {
  DaemonLog(environment: environment).error("cannot start: \(error)")
  ActivatedSocket.closeWaitingConnections()
  exit(75)
}
