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

  package init(
    jobID: JobID, kind: JobKind, slot: Timestamp, asOf: Timestamp, now: Timestamp, lateness: Duration, install: String
  ) {
    self.jobID = jobID
    self.kind = kind
    self.slot = slot
    self.asOf = asOf
    self.now = now
    self.lateness = lateness
    self.install = install
  }

  /// Equal on every attempt of the same slot: what makes a repeat harmless.
  package var noticeID: String { "\(slot.compact)-\(kind.rawValue)-\(jobID.number)-\(install)" }
}

/// The decision itself: facts in, outcome out. Used by the daemon, by `simulate` and by `why` alike.
package enum JobDecision {
  package static func decide(_ run: RunContext, facts: TeamFacts, zone: Zone) -> Outcome {
    let moment = moment(of: run, team: facts.team, zone: zone)
    let date = moment.date
    let decision: Decision
    switch run.kind {
    case .morningSummary: decision = MorningSummary.decide(facts, at: moment)
    case .lowStock: decision = LowStockForTomorrow.decide(facts, on: date)
    case .weeklyDigest: decision = WeeklyDigest.decide(facts, at: moment)
    case .trialReminder: decision = TrialExpiring.decide(facts, at: run.now)
    case .backup, .lsiRefresh, .routePrecompute: return effect(of: run.kind)
    }
    let inputs = DecisionInputs(kind: run.kind, date: date, facts: facts)
    switch decision {
    case .silent(let silence):
      return Outcome(
        result: .skipped, reason: silence.rawValue, detail: silence.sentence, notice: nil, inputs: inputs)
    case .speak(let draft):
      return Outcome(
        result: .notified, reason: nil, detail: draft.body,
        notice: notice(draft, run: run, facts: facts, at: moment), inputs: inputs)
    }
  }

  /// What a run comes to that is heavy work, where nothing goes wrong.
  package static func effect(of kind: JobKind) -> Outcome {
    Outcome(result: .done, reason: nil, detail: kind.effect, notice: nil)
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
    _ draft: NoticeDraft, run: RunContext, facts: TeamFacts, at moment: DigestMoment
  ) -> Notice {
    var lines = draft.lines
    if let late = moment.late { lines.insert(Speech(facts.team).late(due: late.due, sent: late.sent), at: 0) }
    return Notice(
      id: moment.run ?? run.noticeID, teamID: facts.team.id, teamName: facts.team.name, jobID: run.jobID,
      job: run.kind.rawValue,
      slot: run.slot, identifier: draft.identifier, title: draft.title, body: draft.body, lines: lines,
      dataJSON: draft.dataJSON, lateness: run.lateness, createdAt: run.now,
      expiresAt: run.kind.expiry(slot: run.slot, team: facts.team), severity: run.kind.severity)
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
