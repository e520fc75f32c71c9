import FlowModel
package import FlowPlatform

/// The time sources of a scheduler. A test moves all of them by hand.
package struct SchedulerClocks: Sendable {
  let wall: any WallClock
  let timer: any WakeSource
  let uptime: @Sendable () -> Duration

  /// - Parameters:
  ///   - timer: wakes the scheduler up for its next tick.
  ///   - uptime: the machine's running time, sleep included; distinguishes a clock that was set from time that passed.
  package init(
    _ wall: any WallClock, timer: any WakeSource, uptime: @escaping @Sendable () -> Duration = MachineUptime.now
  ) {
    (self.wall, self.timer, self.uptime) = (wall, timer, uptime)
  }
}
