import Glibc

/// Something did not happen in time.
struct TooLate: Error, CustomStringConvertible {
  let description: String
}

extension Duration {
  /// The time limit of waits in tests. A passing test never waits longer than needed; on a busy machine even a small step may
  /// take many seconds.
  static let patience: Duration = .seconds(180)
}

/// A time limit by the monotonic clock, which no test changes.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(_ duration: Duration) {
    end = .now + duration
  }

  var hasPassed: Bool { ContinuousClock.now >= end }

  /// The remaining time for poll(2); at least 0.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
    return Int32(max(0, min(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1, 1_000_000)))
  }
}

/// Repeats a check until it holds.
///
/// - Throws: `TooLate` with `what` if it does not hold in time.
func eventually(
  _ what: @autoclosure () -> String, within limit: Duration = .patience, _ holds: () throws -> Bool
) throws {
  let deadline = Deadline(limit)
  while try !holds() {
    guard !deadline.hasPassed else { throw TooLate(description: "\(what()), not within \(limit)") }
    // The test waits for another process, which sends no signal: yield the processor for 5 ms.
    poll(nil, 0, 5)
  }
}

/// Waits until a descriptor is readable or its peer has closed it.
///
/// - Returns: false after the deadline.
func isReadable(_ descriptor: Int32, by deadline: Deadline) -> Bool {
  while true {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = poll(&wanted, 1, deadline.milliseconds)
    if count > 0 { return true }
    if count == 0 || errno != EINTR { return false }
  }
}
