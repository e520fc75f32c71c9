internal import Glibc

/// Readings of CLOCK_MONOTONIC, as systemd compares them.
enum MonotonicTime {
  static var microseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int(now.tv_sec) * 1_000_000 + Int(now.tv_nsec) / 1_000
  }
}
