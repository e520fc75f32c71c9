import PoolPlatform

/// What a start could not write for want of room, and serves without: it is made up for once there is room.
actor PutOff {
  private var works: [(what: String, perform: @Sendable () async throws -> Void)] = []
  private let log: DaemonLog

  init(log: DaemonLog) {
    self.log = log
  }

  /// Performs it now or, where there is no room, with a later `makeUp`.
  ///
  /// - Parameter what: names it in a sentence, such as `the mark of this life`.
  /// - Throws: whatever has another cause.
  func perform(_ what: String, _ work: @escaping @Sendable () async throws -> Void) async throws {
    do {
      try await work()
    } catch {
      guard error.mayPass else { throw error }
      log.warning("\(what) is put off until there is room: \(error)")
      works.append((what, work))
    }
  }

  /// In their order, as far as the room goes.
  ///
  /// - Returns: whether something was written.
  func makeUp() async -> Bool {
    var hasWritten = false
    // One at a time, by one caller.
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
