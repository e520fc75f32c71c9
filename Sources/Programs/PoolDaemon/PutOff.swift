import PoolPlatform

/// Writes that failed at the start because the disk was full or the server away. The daemon serves without them and repeats
/// them later.
actor PutOff {
  private var works: [(what: String, perform: @Sendable () async throws -> Void)] = []
  private let log: DaemonLog

  init(log: DaemonLog) {
    self.log = log
  }

  /// Runs `work` now; after a transient failure, queues it for `makeUp`.
  ///
  /// - Parameter what: noun phrase for the log, such as `the plan of the teams' jobs`.
  /// - Throws: any failure that is not transient.
  func perform(_ what: String, _ work: @escaping @Sendable () async throws -> Void) async throws {
    do {
      try await work()
    } catch {
      guard error.mayPass else { throw error }
      log.warning("\(what) is put off until there is room: \(error)")
      works.append((what, work))
    }
  }

  /// Repeats the queued work in order, until a transient failure.
  ///
  /// - Returns: true if anything was written.
  func makeUp() async -> Bool {
    var hasWritten = false
    // Called by housekeeping only, so no second call runs beside it.
    while let next = works.first {
      do {
        try await next.perform()
        hasWritten = true
        log.notice("\(next.what) was put off and is written now")
      } catch {
        if error.mayPass { break }
        log.error("\(next.what) was put off and fails now: \(error)")
      }
      works.removeFirst()
    }
    return hasWritten
  }
}
