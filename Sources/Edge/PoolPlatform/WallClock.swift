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
