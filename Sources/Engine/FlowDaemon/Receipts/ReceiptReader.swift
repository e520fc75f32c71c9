import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore

/// Reads receipts of delivered notices into the store; a file is deleted only after the store has its contents.
actor ReceiptReader {
  /// Requests for a scan; ends when its reader's task is cancelled.
  nonisolated let wakeUps: AsyncStream<Void>
  private nonisolated let continuation: AsyncStream<Void>.Continuation
  private nonisolated let executor = QueueExecutor(label: "poolflow.receipts")
  private let store: any Receipts
  private let settings: EffectiveSettings
  private let losses: LossReport
  private let senders: SenderWatch
  private let clock: any WallClock
  private let log: DaemonLog
  private var watch: FolderWatch?
  /// Logged messages, so that each is logged once in a process.
  private var loggedMessages: Set<String> = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    store: any Receipts, settings: EffectiveSettings, losses: LossReport, senders: SenderWatch,
    clock: any WallClock, log: DaemonLog
  ) {
    (self.store, self.settings, self.losses, self.senders) = (store, settings, losses, senders)
    (self.clock, self.log) = (clock, log)
    (wakeUps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  nonisolated func wake() { continuation.yield() }

  /// Reads the receipts present now; later ones cause another scan.
  func scan() async {
    for source in ReceiptSource.all(in: await settings.reading.settings.sinks, drops: await settings.dropFolders) {
      do {
        try await scan(into: source)
      } catch {
        logOnce("\(error); reading receipts is tried again every minute", .warning)
      }
    }
    await losses.notify()
    await senders.scan(now: clock.now())
  }

  /// Reads the receipts of one folder in batches.
  private func scan(into source: ReceiptSource) async throws {
    if source.isCreatedByDaemon { try source.folder.make() }
    // Watch the folder before reading it, so that no file in between is missed.
    watch(source)
    guard let names = try source.folder.names() else {
      if source.isConfigured {
        logOnce("the folder '\(source.folder.path)' of sink '\(source.sink)' does not exist", .warning)
      }
      return
    }
    for start in stride(from: 0, to: names.count, by: Limits.receiptsAtOnce) {
      let found = try source.folder.read(names[start..<min(start + Limits.receiptsAtOnce, names.count)])
      let unknownCount = try await store.keep(found.receipts, from: source.sink, now: clock.now())
      try source.folder.remove(found.names)
      notify(of: found, unknownCount: unknownCount, in: source)
    }
  }

  /// Logs files that were no receipts of this sink.
  private func notify(of found: ReceiptFolder.ScanResult, unknownCount: Int, in source: ReceiptSource) {
    let path = source.folder.path
    if found.invalid > 0 {
      logOnce("a file in '\(path)' is not a receipt: \(found.firstFault); such files are removed", .warning)
    }
    if unknownCount > 0 {
      logOnce(
        "a receipt in '\(path)' names a notice that sink '\(source.sink)' never got; such receipts are removed",
        .warning)
    }
    if found.unreadable > 0 { logOnce("a file in '\(path)' cannot be read; it is left there", .warning) }
  }

  /// Logs a message unless this process has logged it before.
  private func logOnce(_ text: String, _ level: DaemonLog.Level) {
    guard loggedMessages.count < Limits.problemsShown, loggedMessages.insert(text).inserted else { return }
    log.write(level, text)
  }

  /// Watches a receipt folder for new files.
  private func watch(_ source: ReceiptSource) {
    if watch == nil {
      do { watch = try FolderWatch { [continuation] in continuation.yield() } } catch {
        logOnce("\(error); receipts are read once a minute", .warning)
      }
    }
    if let dropFolder = source.dropFolder { watch?.add(dropFolder, made: true) }
    watch?.add(source.folder.path)
  }
}
