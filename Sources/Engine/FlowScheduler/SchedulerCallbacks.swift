package import FlowModel
package import FlowWork

/// The functions of the daemon that a scheduler calls.
package struct SchedulerCallbacks: Sendable {
  let report: @Sendable (String) -> Void
  let heartbeat: @Sendable (Scheduler, Timestamp) async -> Void
  let healthPulse: @Sendable ((job: JobRecord, at: Timestamp)?) async -> Void
  let clockCorrected: @Sendable (ClockCorrection) async -> Void

  /// - Parameters:
  ///   - report: logs a sentence about a failure that the daemon survives.
  ///   - heartbeat: once-a-minute work; called after a tick, so that it needs no wake-up of its own.
  ///   - healthPulse: called after every tick with the next job and its instant, as a sign that the scheduler is healthy.
  ///   - clockCorrected: called after a clock that was ahead has been corrected and its effects are rolled back.
  package init(
    report: @escaping @Sendable (String) -> Void,
    heartbeat: @escaping @Sendable (Scheduler, Timestamp) async -> Void = { _, _ in },
    healthPulse: @escaping @Sendable ((job: JobRecord, at: Timestamp)?) async -> Void = { _ in },
    clockCorrected: @escaping @Sendable (ClockCorrection) async -> Void = { _ in }
  ) {
    self.report = report
    self.heartbeat = heartbeat
    self.healthPulse = healthPulse
    self.clockCorrected = clockCorrected
  }
}
