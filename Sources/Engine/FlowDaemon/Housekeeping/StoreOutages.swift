import FlowAnswers
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore

/// Detects when the database server does not answer or the disk is full. Both can only be logged then; once the store can
/// write again, the operator gets one notice.
final class StoreOutages {
  private let store: any StoreUpkeep
  private let storeName: String
  private let statePath: String
  private let notices: OperatorNotices
  private let log: DaemonLog
  private let onStoreReturned: @Sendable () -> Void
  /// Since when the database server does not answer; nil while it does.
  private var serverAwaySince: Timestamp?
  /// Since when the disk is full; nil while it has space.
  private var diskFullSince: Timestamp?

  /// - Parameter onStoreReturned: called when the server answers again.
  init(on context: ServiceContext, notices: OperatorNotices, onStoreReturned: @escaping @Sendable () -> Void) {
    store = context.store
    storeName = context.choice.name
    statePath = context.paths.state
    log = context.log
    self.notices = notices
    self.onStoreReturned = onStoreReturned
  }

  /// False while the database server is away: that is only logged. Once the server is back, the operator gets one notice.
  func isServerAvailable(now: Timestamp) async -> Bool {
    if let why = await store.serverAway {
      if serverAwaySince == nil {
        log.error("the store (\(storeName)) does not answer: \(why); no new work starts until it does")
        serverAwaySince = now
      }
      return false
    }
    guard let since = serverAwaySince else { return true }
    log.notice("the store (\(storeName)) answers again: the work due since \(since) is caught up")
    // Sinks whose lanes backed off while the store was away are woken.
    onStoreReturned()
    do {
      // A short restart of the server is not worth a notice.
      if now.since(since) >= Limits.serverOutageReported, notices.ownsServerWork {
        try await notices.notify(.serverWasAway(name: storeName, since: since), now: now)
      }
      serverAwaySince = nil
    } catch {
      log.error("\(error); the operator is notified within a minute that the server was unreachable")
    }
    return true
  }

  /// Checks free disk space. A full disk can only be logged; once it has space again, the operator gets one notice.
  func checkDiskSpace(now: Timestamp) async {
    guard await !store.isOutOfDiskSpace else {
      if diskFullSince == nil {
        log.error("the disk of '\(statePath)' is full: nothing can be written until space is free")
        diskFullSince = now
      }
      return
    }
    do {
      try await store.keepDiskReserve()
      guard let since = diskFullSince else { return }
      log.notice("the disk of '\(statePath)' has free space again: the work missed since \(since) is caught up")
      try await notices.notify(.diskWasFull(path: statePath, since: since), now: now)
      diskFullSince = nil
    } catch {
      log.error("\(error); the disk space reserved for emergencies is checked again within a minute")
    }
  }
}
