import FoundationEssentials
import Glibc
import PoolDaemon
import PoolModel
import PoolPlatform

// Fill descriptors 0 to 2 before opening anything, or a database could become "stdout".
StandardDescriptors.fillHoles()
ProcessMemory.boundAllocator()
let arguments = Array(OwnProgram.arguments.dropFirst())
let environment = ProcessInfo.processInfo.environment
do {
  let signals = try TerminationSignals()
  let pool = try WorkerPool(threads: Limits.workerThreads)
  let code = await withTaskExecutorPreference(pool) {
    await Daemon.main(arguments, environment: environment, signals: signals)
  }
  guard code == Daemon.beginAnew else {
    if code != 0 { ActivatedSocket.hangUpOnWaiting() }
    exit(code)
  }
  guard !signals.lastWord() else { exit(0) }
  throw SameProcess.beginAnew()
} catch {
  DaemonLog(environment: environment).error("cannot start: \(error)")
  ActivatedSocket.hangUpOnWaiting()
  exit(75)
}
