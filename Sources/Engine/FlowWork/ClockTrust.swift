package import FlowModel

extension Limits {
  /// The running time for which a clock must be consistent before data is deleted by it. An operator notices a wrong time
  /// within hours, and keeping old backups for one more day costs little disk space.
  package static let clockConfirmation: Duration = .hours(24)
}

/// The newest wall-clock time that is trusted for irreversible work; the store keeps it across restarts.
///
/// A clock that is far ahead of the last known time is either wrong, or right after a long downtime. Slots do not wait for
/// the answer: when the clock comes back, their verdicts are rolled back. Deletions cannot be rolled back, so they wait until
/// the clock has been consistent for `Limits.clockConfirmation` (24 h) of running time.
package struct ClockTrust: Hashable, Sendable {
  /// The newest confirmed clock reading; nil before the first reading.
  package private(set) var confirmed: Timestamp?
  /// Running time accumulated while the clock is more than a day past `confirmed`.
  package private(set) var unconfirmedDuration: Duration

  package init(confirmed: Timestamp? = nil, unconfirmedDuration: Duration = .zero) {
    self.confirmed = confirmed
    self.unconfirmedDuration = unconfirmedDuration
  }

  /// Records one clock reading.
  ///
  /// - Parameter elapsed: the machine's running time since the previous reading; zero for the first reading of a process.
  package mutating func tick(at now: Timestamp, elapsed: Duration) {
    let isDoubted = confirmed.map {
      now.since($0) - (unconfirmedDuration == .zero ? elapsed : .zero) > Limits.plausibleClockJump
    }
    guard isDoubted == true else {
      confirmed = now
      unconfirmedDuration = .zero
      return
    }
    unconfirmedDuration += elapsed
    guard unconfirmedDuration >= Limits.clockConfirmation else { return }
    confirmed = now
    unconfirmedDuration = .zero
  }

  /// Whether `now` is more than a day before the newest confirmed time, so that the clock is probably wrong. False when the
  /// clock returns from a jump that was itself never confirmed.
  package func isFarBehind(_ now: Timestamp) -> Bool {
    confirmed.map { $0.since(now) > Limits.plausibleClockJump } == true
  }

  /// The reference time for age-based deletion: `now` while the clock is trusted, otherwise the last confirmed time.
  package func deletionTime(_ now: Timestamp) -> Timestamp {
    confirmed.map { now.since($0) > Limits.plausibleClockJump ? $0 : now } ?? now
  }
}

/// The store's knowledge of the clock when the daemon starts.
package struct StoredClockState: Hashable, Sendable {
  package let trust: ClockTrust
  /// Whether the store contains an instant in the future.
  package let isAhead: Bool
  /// The clock reading when the store answered; if the first tick reads an earlier time, whatever was written in between is
  /// in the future.
  package let readAt: Timestamp?

  package init(trust: ClockTrust = ClockTrust(), isAhead: Bool = false, readAt: Timestamp? = nil) {
    self.trust = trust
    self.isAhead = isAhead
    self.readAt = readAt
  }
}

/// The result of rolling back data that was written while the clock was ahead.
package struct ClockCorrection: Hashable, Sendable {
  package let at: Timestamp
  /// The newest instant found in the store.
  package let ahead: Timestamp
  /// The last clock reading before the clock ran ahead; nil if no process saw the jump.
  package let since: Timestamp?
  /// Jobs whose cursor went back to their newest run.
  package let jobs: Int
  /// Slots whose verdicts were rolled back.
  package let slots: Int
  /// Runs of slots that are still in the future; they do not run again.
  package let early: Int
  /// Deliveries and runs whose next try was moved back to an earlier time.
  package let retries: Int

  package init(
    at: Timestamp, ahead: Timestamp, since: Timestamp?, jobs: Int, slots: Int, early: Int, retries: Int
  ) {
    self.at = at
    self.ahead = ahead
    self.since = since
    self.jobs = jobs
    self.slots = slots
    self.early = early
    self.retries = retries
  }

  package var distance: Duration { ahead.since(at) }

  /// Whether the correction is worth logging; one of a few seconds that changed nothing is not.
  package var isWorthLogging: Bool {
    slots > 0 || distance > Limits.plausibleClockJump
      || (distance > Limits.shortestDowntime && (since != nil || jobs + early + retries > 0))
  }

  /// Whether the operator gets a notice: verdicts of teams' slots changed, or the clock was more than a day ahead.
  package var isForOperator: Bool { slots > 0 || distance > Limits.plausibleClockJump }

  /// One sentence: `until … the clock had shown 2027-04-06T14:00:00Z, 400 d ahead; 7 jobs went back to their newest run,
  /// …`.
  package var sentence: String {
    var parts: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { parts.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }
    add(jobs, "job went back to its newest run", "jobs went back to their newest run")
    add(slots, "skipped slot can run again", "skipped slots can run again")
    add(
      early, "future slot has run already and does not run again",
      "future slots have run already and do not run again")
    add(retries, "next try was moved to an earlier time", "next tries were moved to an earlier time")
    let what = parts.isEmpty ? "nothing had to be corrected" : parts.joined(separator: ", ")
    let start = since.map { " at some time after \($0)" } ?? ""
    return "until \(at) the clock had shown \(ahead)\(start), \(distance.inWords) ahead; \(what)"
  }
}
