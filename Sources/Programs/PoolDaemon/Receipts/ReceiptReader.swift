import PoolDelivery
import PoolDigests
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings
import PoolStore

/// Reads receipts of delivered notices into the store; a file is deleted only after the store has its contents.
actor ReceiptReader {
  /// Requests for a scan; ends when its reader's task is cancelled.
  nonisolated let nudges: AsyncStream<Void>
  private nonisolated let wish: AsyncStream<Void>.Continuation
  private nonisolated let executor = QueueExecutor(label: "poolflow.receipts")
  private let store: any Receipts
  private let settings: SettingsInForce
  private let losses: LossReport
  private let senders: SenderWatch
  private let clock: any WallClock
  private let log: DaemonLog
  private var watch: FolderWatch?
  /// Logged messages, so that each is logged once in a process.
  private var said: Set<String> = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    store: any Receipts, settings: SettingsInForce, losses: LossReport, senders: SenderWatch,
    clock: any WallClock, log: DaemonLog
  ) {
    (self.store, self.settings, self.losses, self.senders) = (store, settings, losses, senders)
    (self.clock, self.log) = (clock, log)
    (nudges, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  nonisolated func nudge() { wish.yield() }

  /// Reads the receipts present now; later ones cause another scan.
  func look() async {
    for place in ReceiptPlace.all(in: await settings.reading.settings.sinks, drops: await settings.dropFolders) {
      do {
        try await look(into: place)
      } catch {
        say("\(error); receipts are looked for again every minute", .warning)
      }
    }
    await losses.tell()
    await senders.look(now: clock.now())
  }

  /// Reads the receipts of one folder in batches.
  private func look(into place: ReceiptPlace) async throws {
    if place.isOurs { try place.folder.make() }
    // Watch the folder before reading it, so that no file in between is missed.
    watch(place)
    guard let names = try place.folder.names() else {
      if place.isNamed { say("the folder '\(place.folder.path)' of sink '\(place.sink)' is not there", .warning) }
      return
    }
    for start in stride(from: 0, to: names.count, by: Limits.receiptsAtOnce) {
      let found = try place.folder.read(names[start..<min(start + Limits.receiptsAtOnce, names.count)])
      let strangers = try await store.keep(found.receipts, from: place.sink, now: clock.now())
      try place.folder.remove(found.names)
      tell(of: found, strangers: strangers, in: place)
    }
  }

  /// Logs files that were no receipts of this sink.
  private func tell(of found: ReceiptFolder.Found, strangers: Int, in place: ReceiptPlace) {
    let path = place.folder.path
    if found.bad > 0 {
      say("a file in '\(path)' is no receipt: \(found.fault); such files are removed", .warning)
    }
    if strangers > 0 {
      say("a receipt in '\(path)' is about nothing that sink '\(place.sink)' was given; such are removed", .warning)
    }
    if found.closed > 0 { say("a file in '\(path)' cannot be read; it stays there", .warning) }
  }

  /// Logs a message unless this process has logged it before.
  private func say(_ text: String, _ level: DaemonLog.Level) {
    guard said.count < Limits.problemsShown, said.insert(text).inserted else { return }
    log.write(level, text)
  }

  /// Watches a receipt folder for new files.
  private func watch(_ place: ReceiptPlace) {
    if watch == nil {
      do { watch = try FolderWatch { [wish] in wish.yield() } } catch {
        say("\(error); receipts are looked for every minute", .warning)
      }
    }
    if let drop = place.drop { watch?.add(drop, made: true) }
    watch?.add(place.folder.path)
  }
}

/// The folder with the receipts of one sink's notices.
struct ReceiptPlace: Sendable {
  let sink: String
  private let path: String
  /// The drop folder that contains it; nil for a folder elsewhere.
  let drop: String?
  /// True if the daemon creates the folder.
  let isOurs: Bool
  /// True if the settings name the folder, so that its absence is worth a warning.
  let isNamed: Bool

  var folder: ReceiptFolder { ReceiptFolder(path: path) }

  /// The receipt folders of all file-drop sinks.
  ///
  /// - Parameter drops: the sinks' drop folders, by sink name.
  static func all(in sinks: [Settings.SinkSettings], drops: [String: String]) -> [ReceiptPlace] {
    sinks.compactMap { sink in
      guard sink.kind == .fileDrop, let drop = drops[sink.name] else { return nil }
      let beside = "\(drop)/\(Receipt.folderName)"
      return switch sink.receipts {
      case .none: nil
      case .ifThere: ReceiptPlace(sink: sink.name, path: beside, drop: drop, isOurs: false, isNamed: false)
      case .beside: ReceiptPlace(sink: sink.name, path: beside, drop: drop, isOurs: true, isNamed: true)
      case .folder(let path): ReceiptPlace(sink: sink.name, path: path, drop: nil, isOurs: false, isNamed: true)
      }
    }
  }

  /// True if the folder exists, so that a sender may write receipts.
  var isThere: Bool { do { return try folder.names(limit: 0) != nil } catch { return false } }
}
