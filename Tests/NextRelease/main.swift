import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Glibc
import TradeStores

// The part of the next release's poolflowd that migrates a store: it reports READY and ends on a signal. Usage: `poolflow-next
// --state-dir FOLDER`.
do {
  var ending = sigset_t()
  sigemptyset(&ending)
  sigaddset(&ending, SIGTERM)
  pthread_sigmask(SIG_BLOCK, &ending, nil)
  let clock = SystemWallClock()
  let store = try Store(
    path: OwnProgram.arguments.last.map { $0 + "/poolflow.db" } ?? "", now: clock.now(), version: "next",
    migrations: Schema.next)
  ServiceManager().ready(status: "the store is of schema \(Schema.next.count)")
  var signal: Int32 = 0
  sigwait(&ending, &signal)
  try await store.endEpoch(at: clock.now())
} catch {
  Array("\(error)\n".utf8).withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit((error as? StoreError)?.exitCode ?? 1)
}
