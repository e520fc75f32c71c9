package import PoolCalendar
package import PoolModel
package import PoolNotices

/// One claim of a slot: what the decision is about, and when it is taken.
package struct RunContext: Sendable {
  package let jobID: JobID
  package let kind: JobKind
  /// The slot's identity for ever.
  package let slot: Timestamp
  /// The instant whose local date the work is about: the slot, or what an operator asked for.
  package let asOf: Timestamp
  /// When the decision is taken.
  package let now: Timestamp
  /// Zero for manual runs.
  package let lateness: Duration
  /// The store's own mark, part of every notice's identity.
  package let install: String
  /// How long after its slot a notice is worth reading, where somebody chose it.
  package let expiry: Duration?

  package init(
    jobID: JobID, kind: JobKind, slot: Timestamp, asOf: Timestamp, now: Timestamp, lateness: Duration, install: String,
    expiry: Duration? = nil
  ) {
    self.jobID = jobID
    self.kind = kind
    self.slot = slot
    self.asOf = asOf
    self.now = now
    self.lateness = lateness
    self.install = install
    self.expiry = expiry
  }

  /// Equal on every attempt of the same slot: what makes a repeat harmless.
  package var noticeID: String { "\(slot.compact)-\(kind.rawValue)-\(jobID.number)-\(install)" }
}

/// The decision itself: facts in, outcome out. Used by the daemon, by `simulate` and by `why` alike.
package enum JobDecision {
  package static func decide(_ run: RunContext, facts: TeamFacts, zone: Zone) -> Outcome {
    switch run.kind.work {
    case .effect: return effect(of: run.kind)
    case .decision(let scenario): return decide(scenario, run, facts: facts, zone: zone)
    }
  }

  /// The outcome of heavy work that succeeded, as a simulation takes it for granted.
  package static func effect(of kind: JobKind) -> Outcome {
    Outcome(result: .done, reason: nil, detail: kind.effect?.words, notice: nil)
  }

  private static func decide(_ scenario: Scenario, _ run: RunContext, facts: TeamFacts, zone: Zone) -> Outcome {
    let moment = moment(of: run, team: facts.team, zone: zone)
    let inputs = DecisionInputs(scenario: scenario, date: moment.date, facts: facts)
    switch scenario.decision(facts, at: DecisionMoment(digest: moment, now: run.now)) {
    case .silent(let silence):
      return Outcome(result: .skipped, reason: silence.code, detail: silence.sentence, notice: nil, inputs: inputs)
    case .speak(let draft):
      let expires = run.expiry.map { run.slot.advanced(by: $0) } ?? scenario.expiry(run.slot, facts.team)
      return Outcome(
        result: .notified, reason: nil, detail: draft.body,
        notice: notice(draft, run: run, facts: facts, at: moment, expires: expires), inputs: inputs,
        route: draft.route)
    }
  }

  private static func moment(of run: RunContext, team: Team, zone: Zone) -> DigestMoment {
    var late: DigestMoment.Lateness?
    if run.lateness >= Limits.lateAfter {
      let speech = Speech(team)
      late = DigestMoment.Lateness(due: zone.spoken(run.slot, speech), sent: zone.spoken(run.now, speech))
    }
    return DigestMoment(zone: zone, asOf: run.asOf, run: run.noticeID, late: late)
  }

  private static func notice(
    _ draft: NoticeDraft, run: RunContext, facts: TeamFacts, at moment: DigestMoment, expires: Timestamp?
  ) -> Notice {
    var lines = draft.lines
    if let late = moment.late { lines.insert(Speech(facts.team).late(due: late.due, sent: late.sent), at: 0) }
    return Notice(
      id: moment.run ?? run.noticeID, teamID: facts.team.id, teamName: facts.team.name, jobID: run.jobID,
      job: run.kind.rawValue,
      slot: run.slot, identifier: draft.identifier, title: draft.title, body: draft.body, lines: lines,
      dataJSON: draft.dataJSON, lateness: run.lateness, createdAt: run.now,
      expiresAt: expires, severity: run.kind.severity)
  }
}

extension Zone {
  /// `Mon 7:00 AM MST`, in the words of whom it is told.
  package func spoken(_ instant: Timestamp, _ speech: Speech) -> String {
    let local = local(at: instant)
    return "\(speech.clock(local)) \(abbreviation(at: instant))"
  }

  /// `Mon 2026-03-02 07:00 MST`, with seconds only where there are any.
  package func dateText(at instant: Timestamp) -> String {
    let local = local(at: instant)
    return "\(local.date.weekday.abbreviation) \(local.date) \(local.time) \(abbreviation(at: instant))"
  }
}
