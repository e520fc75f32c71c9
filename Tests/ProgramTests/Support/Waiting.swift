import Glibc

/// Something that should have happened by now.
struct TooLate: Error, CustomStringConvertible {
  let description: String
}

extension Duration {
  /// How long a test waits for what must come. What comes ends the wait at once, so this costs a test that passes nothing;
  /// on a machine whose processors are all busy with something else even a small step may take many seconds.
  static let patience: Duration = .seconds(180)
}

/// The end of somebody's patience, by a clock that no test moves.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(_ duration: Duration) {
    end = .now + duration
  }

  var hasPassed: Bool { ContinuousClock.now >= end }

  /// For poll(2); at least 0.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
    return Int32(max(0, min(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1, 1_000_000)))
  }
}

/// Looks at a fact until it holds.
///
/// - Throws: `TooLate` with `what` when it does not hold in time.
func eventually(
  _ what: @autoclosure () -> String, within limit: Duration = .patience, _ holds: () throws -> Bool
) throws {
  let deadline = Deadline(limit)
  while try !holds() {
    guard !deadline.hasPassed else { throw TooLate(description: "\(what()), not within \(limit)") }
    // Another process is what we wait for, and it tells nobody: give it the processor for a moment.
    poll(nil, 0, 5)
  }
}

/// Waits until a descriptor has something to read, or its other end has gone.
func isReadable(_ descriptor: Int32, by deadline: Deadline) -> Bool {
  while true {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = poll(&wanted, 1, deadline.milliseconds)
    if count > 0 { return true }
    if count == 0 || errno != EINTR { return false }
  }
}
