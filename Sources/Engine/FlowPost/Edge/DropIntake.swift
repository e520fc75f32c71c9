import FlowModel
import FlowPlatform
import Glibc

/// Takes new events from the drop folder: plans each one, then removes its files there. The daemon owns that folder, so its
/// errors do not delay planned deliveries.
final class DropIntake {
  /// The interval between tries to take an unreadable file.
  private static let unreadableRetryInterval: Duration = .minutes(1)

  /// Names of files that cannot be read or removed, each of which was logged once.
  private var unreadableFiles: Set<String> = []
  private var unreadableTriedAt: Duration = .zero
  private let dropFolder: ErrorBackoff
  private let folder: PostFolder
  private let queue: DurableQueue
  private let planner: EventPlanner
  private let disk: ErrorBackoff
  private let log: PostLog

  init(_ folder: PostFolder, queue: DurableQueue, planner: EventPlanner, disk: ErrorBackoff, _ log: PostLog) {
    (self.folder, self.queue, self.planner, self.disk, self.log) = (folder, queue, planner, disk, log)
    dropFolder = ErrorBackoff(log)
  }

  /// True if the drop folder may be used now, after its last error.
  var isReady: Bool { dropFolder.isUsable }

  /// An error with one file of the drop folder, which does not prevent taking the others.
  private struct UnreadableFile: Error {
    let failure: SystemFailure
  }

  /// Takes all new events, up to the limit of unfinished deliveries.
  ///
  /// - Parameter proceed: called after each event, because taking a thousand events takes long: it keeps the transfers running.
  func takeAll(proceed: () -> Void) {
    guard queue.isReady, dropFolder.isUsable else { return }
    dropFolder.perform(unlessLoggedBy: disk) {
      let names = try folder.waiting()
      let up = MachineUptime.now()
      let isRetryDue = !unreadableFiles.isEmpty && up - unreadableTriedAt >= Self.unreadableRetryInterval
      if isRetryDue { (unreadableTriedAt, unreadableFiles) = (up, unreadableFiles.filter(Set(names).contains)) }
      for name in names where isRetryDue || !unreadableFiles.contains(name) {
        guard queue.state.count < Limits.postEvents else { return }
        do { try take(name) } catch let error as UnreadableFile {
          if unreadableFiles.isEmpty { unreadableTriedAt = up }
          guard unreadableFiles.insert(name).inserted else { continue }
          log.error("\(error.failure), trying again every minute; the other files in the drop folder are processed")
          continue
        }
        proceed()
      }
    }
    queue.saveAll()
  }

  /// Takes one event: plans its deliveries, then removes its files.
  private func take(_ name: String) throws {
    do { _ = try PathComponent(identity: name) } catch {
      // The daemon, the only other writer to this folder, does not use such names.
      return
    }
    guard !folder.wasTaken(name) else { return try asUnreadableFile { try folder.clear(fromDrop: name) } }
    let bytes: [UInt8]
    do { bytes = try folder.event(inDrop: name) } catch let error as SystemFailure {
      switch error.code {
      case ENOENT: return
      case EFBIG, ELOOP, EINVAL: return try quarantine(name, "it is larger than 1 MiB or not a regular file")
      default: return try asUnreadableFile { throw error }
      }
    }
    let event: PostEvent
    do throws(PostEvent.Fault) { event = try PostEvent(bytes, name: name) } catch {
      return try quarantine(name, error.description)
    }
    try planner.plan(event, bytes, calendar: try asUnreadableFile { try folder.calendar(inDrop: name) })
    try asUnreadableFile { try folder.clear(fromDrop: name) }
  }

  /// Moves an invalid file to `bad/`.
  private func quarantine(_ name: String, _ reason: String) throws {
    if !unreadableFiles.contains(name) {
      log.warning("a file of the drop folder is moved to bad/\(visible(name)): \(reason)")
    }
    try folder.quarantine(name, reason: reason)
    try asUnreadableFile { try folder.clear(fromDrop: name) }
  }

  /// Throws `UnreadableFile` for an error that concerns one file only.
  private func asUnreadableFile<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as SystemFailure where !error.affectsWholeMachine {
      throw UnreadableFile(failure: error)
    }
  }
}

/// Wakes the loop for new files in the drop, for the creation of `new/` by the daemon's first notice, and for requested
/// retries. Without inotify the drop is checked every 30 s.
final class FolderWatch {
  /// The descriptor to poll; -1 without inotify.
  let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  private let folder: PostFolder

  init(_ folder: PostFolder) {
    self.folder = folder
    watch()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Drops the pending events, whose contents are not used, and watches folders that were made meanwhile.
  func renew() {
    var events = [UInt8](repeating: 0, count: 8 << 10)
    while read(descriptor, &events, events.count) > 0 {}
    watch()
  }

  private func watch() {
    // Adding an existing watch again changes nothing.
    _ = inotify_add_watch(descriptor, folder.drop, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
    _ = inotify_add_watch(descriptor, "\(folder.drop)/new", UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE))
    _ = inotify_add_watch(descriptor, folder.path("retry"), UInt32(IN_MOVED_TO))
  }
}
