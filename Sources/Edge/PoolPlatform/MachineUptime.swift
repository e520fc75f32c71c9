import Glibc

/// How long the machine has run, sleep included: CLOCK_BOOTTIME, which nobody can set.
package enum MachineUptime {
  package static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
