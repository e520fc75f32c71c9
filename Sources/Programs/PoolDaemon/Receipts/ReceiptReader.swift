import PoolDelivery
import PoolDigests
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings
import PoolStore

/// Takes down what others say became of the notices that they took: a file goes only after the store has it.
actor ReceiptReader {
  /// A wish for a look; ends when its reader's task is cancelled.
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
  /// What was said, so that it is said once in a life.
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

  /// What lies there now; whatever comes later is a nudge.
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

  private func look(into place: ReceiptPlace) async throws {
    if place.isOurs { try place.folder.make() }
    // Before what is there is read, so that nothing comes in between unseen.
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

  private func say(_ text: String, _ level: DaemonLog.Level) {
    guard said.count < Limits.problemsShown, said.insert(text).inserted else { return }
    log.write(level, text)
  }

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

/// Where receipts of one sink's notices lie.
struct ReceiptPlace: Sendable {
  let sink: String
  private let path: String
  /// The drop that it lies in, where it does.
  let drop: String?
  /// The daemon makes it.
  let isOurs: Bool
  /// Somebody said that it is there.
  let isNamed: Bool

  var folder: ReceiptFolder { ReceiptFolder(path: path) }

  /// - Parameter drops: the sinks' own folders, by name.
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

  /// Whether somebody may say something there.
  var isThere: Bool { do { return try folder.names(limit: 0) != nil } catch { return false } }
}
