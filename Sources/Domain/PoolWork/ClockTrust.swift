package import PoolModel

/// How far the clock is believed for what cannot be undone, kept across lives.
///
/// A clock that says much more than it said last cannot be told from a long absence. Slots do not wait for the answer: a
/// clock that comes back takes back what was passed over. What is deleted stays deleted, so that waits until the clock has
/// agreed with itself for a day of running.
package struct ClockTrust: Hashable, Sendable {
  /// The newest instant that agreed with all before it; nil before the first look at the clock.
  package private(set) var confirmed: Timestamp?
  /// Running time by a clock that is more than a day past `confirmed`.
  package private(set) var doubted: Duration

  package init(confirmed: Timestamp? = nil, doubted: Duration = .zero) {
    self.confirmed = confirmed
    self.doubted = doubted
  }

  /// - Parameter elapsed: the machine's running time since the look before; zero for the first look of a life.
  package mutating func look(at now: Timestamp, elapsed: Duration) {
    let isDoubted = confirmed.map { now.since($0) - (doubted == .zero ? elapsed : .zero) > Limits.believableJump }
    guard isDoubted == true else {
      confirmed = now
      doubted = .zero
      return
    }
    doubted += elapsed
    guard doubted >= Limits.clockConfirmation else { return }
    confirmed = now
    doubted = .zero
  }

  /// Whether the clock stands more than a day before what nobody had reason to doubt: it is then as likely wrong now as it
  /// was before. One that comes back from a jump that was seen does not.
  package func isFarBehind(_ now: Timestamp) -> Bool {
    confirmed.map { $0.since(now) > Limits.believableJump } == true
  }

  /// The time by which things are old enough to be deleted: now where the clock agrees, else what was confirmed last.
  package func deletionTime(_ now: Timestamp) -> Timestamp {
    confirmed.map { now.since($0) > Limits.believableJump ? $0 : now } ?? now
  }
}

/// What is known of the clock at a start.
package struct ClockMemory: Hashable, Sendable {
  package let trust: ClockTrust
  /// Something was written down at an instant that has not come yet.
  package let isAhead: Bool
  /// The clock by which this was asked: where it comes back before the first look, what was written meanwhile is ahead.
  package let asked: Timestamp?

  package init(trust: ClockTrust = ClockTrust(), isAhead: Bool = false, asked: Timestamp? = nil) {
    self.trust = trust
    self.isAhead = isAhead
    self.asked = asked
  }
}

/// What was mended when the clock came back from an instant that it has not reached yet.
package struct ClockMend: Hashable, Sendable {
  package let at: Timestamp
  /// The newest instant that had been written down.
  package let ahead: Timestamp
  /// When the clock was seen last before it stood ahead; nil where nobody saw it go forwards.
  package let since: Timestamp?
  /// Jobs that went back to their newest run.
  package let jobs: Int
  /// Slots whose verdicts were taken back.
  package let slots: Int
  /// Runs of slots that have not come yet: they do not run again.
  package let early: Int
  /// Deliveries and runs whose next try was pulled back.
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

  /// A correction of a few seconds is no news.
  package var isWorthTelling: Bool {
    slots > 0 || distance > Limits.believableJump
      || (distance > Limits.absenceFrom && (since != nil || jobs + early + retries > 0))
  }

  /// The operator hears of what changed what teams are told, and of days.
  package var isOperators: Bool { slots > 0 || distance > Limits.believableJump }

  /// `the clock had stood at 2027-04-06T14:00:00Z, 400 d ahead; 7 jobs went back to their newest run, …`.
  package var sentence: String {
    var parts: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { parts.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }
    add(jobs, "job went back to its newest run", "jobs went back to their newest run")
    add(slots, "slot that was passed over is open again", "slots that were passed over are open again")
    add(early, "slot to come has run and does not run again", "slots to come have run and do not run again")
    add(retries, "next try was pulled back", "next tries were pulled back")
    let what = parts.isEmpty ? "nothing had to be mended" : parts.joined(separator: ", ")
    let start = since.map { " at some time after \($0)" } ?? ""
    return "until \(at) the clock had stood at \(ahead)\(start), \(distance.inWords) ahead; \(what)"
  }
}
