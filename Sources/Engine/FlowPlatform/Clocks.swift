package import FlowModel
import Glibc

/// The current wall-clock time, which decides whether jobs are due. Never used to measure durations.
package protocol WallClock: Sendable {
  func now() -> Timestamp
}

/// Reads CLOCK_REALTIME, in milliseconds.
package struct SystemWallClock: WallClock {
  package init() {}

  package func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

/// The time since boot, including suspend: CLOCK_BOOTTIME, which cannot be set.
package enum MachineUptime {
  package static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// Reads CLOCK_MONOTONIC, the clock of systemd's notification protocol.
enum MonotonicTime {
  static var microseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int(now.tv_sec) * 1_000_000 + Int(now.tv_nsec) / 1_000
  }
}
