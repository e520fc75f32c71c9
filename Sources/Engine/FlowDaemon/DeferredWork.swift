import FlowPlatform
import FlowServices

/// Writes that failed at the start because the disk was full or the server away. The daemon serves without them and repeats
/// them later.
actor DeferredWork {
  private var tasks: [(name: String, perform: @Sendable () async throws -> Void)] = []
  private let log: DaemonLog

  init(log: DaemonLog) {
    self.log = log
  }

  /// Runs `work` now; after a transient failure, queues it for `retryDeferred`.
  ///
  /// - Parameter name: noun phrase for the log, such as `the plan of the teams' jobs`.
  /// - Throws: any failure that is not transient.
  func perform(_ name: String, _ work: @escaping @Sendable () async throws -> Void) async throws {
    do {
      try await work()
    } catch {
      guard error.isTransient else { throw error }
      log.warning("\(name) is postponed until the disk has free space: \(error)")
      tasks.append((name, work))
    }
  }

  /// Repeats the queued work in order, until a transient failure.
  ///
  /// - Returns: true if anything was written.
  func retryDeferred() async -> Bool {
    var hasWritten = false
    // Called by housekeeping only, so no second call runs beside it.
    while let next = tasks.first {
      do {
        try await next.perform()
        hasWritten = true
        log.notice("\(next.name) was postponed and is written now")
      } catch {
        if error.isTransient { break }
        log.error("\(next.name) was postponed and fails now: \(error)")
      }
      tasks.removeFirst()
    }
    return hasWritten
  }
}
