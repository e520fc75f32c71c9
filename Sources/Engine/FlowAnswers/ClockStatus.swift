import FlowControl
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowWork

/// The state of the clock and its last correction, for `status`, `doctor` and `why`.
struct ClockStatus: Sendable {
  let store: any ClockReport & Ledger & LedgerReport
  let scheduler: Scheduler?
  let clock: any WallClock

  /// The scheduler's judgement of the clock.
  ///
  /// - Returns: the state of the clock, and the problem with it; nil for none.
  func summary(now: Timestamp) async throws -> (ClockView, String?) {
    switch await scheduler?.clockFinding ?? .believable {
    case .believable: (.ok, try await clockWarning(now: now))
    case .notSet: (.implausible, "the clock says \(now); nothing is scheduled until it is set")
    case .onProbation(let end):
      (
        .probation,
        "\(await wasSetBack(end) ? Self.jumpedBack : Self.jumpedForward); it is trusted if it still shows this time at \(end)"
      )
    }
  }

  /// The same state as findings of `pfctl doctor`.
  func findings(now: Timestamp) async throws -> [FindingView] {
    var findings: [FindingView] = []
    switch try await summary(now: now) {
    case (.ok, nil): findings.append(FindingView("clock", .ok, "the clock is believed: \(now)"))
    case (.ok, let doubt?):
      let level: GravityView = try await settledSlotAhead(now: now) == nil ? .note : .warning
      findings.append(FindingView("clock", level, doubt, remedy: "see `timedatectl` if the time is wrong"))
    case (.implausible, _):
      findings.append(
        FindingView(
          "clock", .error, "the clock says \(now), so nothing is scheduled",
          remedy: "set the clock: `timedatectl set-ntp true`, or `date --set=…`"))
    case (.probation, let summary):
      findings.append(
        FindingView("clock", .warning, summary ?? "", remedy: "see `timedatectl` if the time is wrong"))
    }
    if let correction = try await recentCorrection(now: now) {
      findings.append(
        FindingView(
          "clock", .warning, correction.sentence,
          remedy: "nothing needs to be done; see `timedatectl` for what sets the clock"))
    }
    return findings
  }

  /// The last clock correction within `Limits.clockCorrectionShown`, if it is relevant to the operator.
  func recentCorrection(now: Timestamp) async throws -> ClockCorrection? {
    guard let correction = try await store.lastClockCorrection(), correction.isForOperator, correction.at <= now else {
      return nil
    }
    return now.since(correction.at) < Limits.clockCorrectionShown ? correction : nil
  }

  private static let jumpedForward = "the clock jumped forwards by more than a day"
  private static let jumpedBack = "the clock went back by more than a day"

  /// True if the clock was set back by more than a day.
  private func wasSetBack(_ instant: Timestamp) async -> Bool {
    await scheduler?.clockTrust.isFarBehind(instant) ?? false
  }

  /// Why a trusted clock may still be wrong; nil without any sign of it.
  private func clockWarning(now: Timestamp) async throws -> String? {
    if let settled = try await settledSlotAhead(now: now) {
      return "the clock says \(now), but slots up to \(settled) have run already: their jobs "
        + "do not run again before that"
    }
    guard let confirmed = try await store.clockTrust().confirmed, now.since(confirmed) > Limits.plausibleClockJump
    else {
      return nil
    }
    return "the clock says \(now), \(now.since(confirmed).inWords) after the time that was "
      + "last confirmed, \(confirmed); "
      + "jobs run by this clock, but no old records are deleted until it has agreed for a day"
  }

  /// The newest settled slot if the clock is behind it by more than a day; nil otherwise. Its jobs must not run again before
  /// it.
  private func settledSlotAhead(now: Timestamp) async throws -> Timestamp? {
    // The scheduler knows the newest planned slot, so every job is read only if that slot is ahead of the clock.
    let newest: Timestamp
    if let scheduler { newest = await scheduler.newestCursor } else { newest = try await store.newestCursor() }
    guard newest.since(now) > Limits.plausibleClockJump else { return nil }
    let jobs = try await store.settled(store.jobs(), asOf: now)
    guard let newest = jobs.map(\.cursor).max(), newest.since(now) > Limits.plausibleClockJump else { return nil }
    return newest
  }
}
