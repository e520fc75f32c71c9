import Glibc
package import PoolModel

/// What the time is: decides what is due. Never used to measure how long something took.
package protocol WallClock: Sendable {
  func now() -> Timestamp
}

/// CLOCK_REALTIME.
package struct SystemWallClock: WallClock {
  package init() {}

  package func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

/// How long the machine has run, sleep included: CLOCK_BOOTTIME, which nobody can set.
package enum MachineUptime {
  package static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// Readings of CLOCK_MONOTONIC, as systemd compares them.
enum MonotonicTime {
  static var microseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int(now.tv_sec) * 1_000_000 + Int(now.tv_nsec) / 1_000
  }
}
