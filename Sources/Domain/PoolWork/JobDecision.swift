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
  /// What was chosen for its job besides the rule.
  package let timing: JobTiming

  package init(
    jobID: JobID, kind: JobKind, slot: Timestamp, asOf: Timestamp, now: Timestamp, lateness: Duration, install: String,
    timing: JobTiming = .unchosen
  ) {
    self.jobID = jobID
    self.kind = kind
    self.slot = slot
    self.asOf = asOf
    self.now = now
    self.lateness = lateness
    self.install = install
    self.timing = timing
  }

  /// Equal on every attempt of the same slot: what makes a repeat harmless.
  package var noticeID: String { "\(slot.compact)-\(kind.rawValue)-\(jobID.number)-\(install)" }
  /// The same of what one person is told.
  package func noticeID(for person: PersonKey) -> String { "\(noticeID)-\(person.text)" }
}

/// A trade's decision with the facts that it looks at: whoever runs it never sees them.
package typealias RunDecision = @Sendable (RunContext, Zone) -> Outcome

/// What a trade's decisions about one team look at, all of one moment.
package protocol DecisionFacts: Sendable {
  var team: Team { get }
  /// Whatever a run of the team's decides by these facts.
  var decision: RunDecision { get }
  /// The count of the store's changes that was asked for before anything was read.
  /// Nil where they were not read for a run.
  var changesSeen: Int? { get set }
}

/// From what a trade decides to the outcome of a run. Used by the daemon, by `simulate` and by `why` alike.
package enum JobDecision {
  /// The outcome of heavy work that succeeded, as a simulation takes it for granted.
  package static func effect(of kind: JobKind) -> Outcome { Outcome(result: .done, detail: kind.effect?.words) }

  /// What a run is about, and how late it is for whom it is told.
  package static func moment(of run: RunContext, team: Team, zone: Zone) -> DigestMoment {
    var late: DigestMoment.Lateness?
    if run.lateness >= Limits.lateAfter {
      let format = RegionalFormat(team)
      late = DigestMoment.Lateness(due: zone.spoken(run.slot, format), sent: zone.spoken(run.now, format))
    }
    return DigestMoment(zone: zone, asOf: run.asOf, run: run.noticeID, late: late)
  }

  /// The outcome of a run that found out whether it speaks.
  ///
  /// - Parameters:
  ///   - personal: what single persons are told besides, where the whole team is told anything.
  ///   - expires: until when its notices are worth reading.
  package static func outcome(
    of run: RunContext, team: Team, at moment: DigestMoment, _ decision: Decision, personal: [PersonalDecision] = [],
    expires: Timestamp?, account: any DecisionAccount
  ) -> Outcome {
    switch decision {
    case .silent(let silence):
      return Outcome(result: .skipped, reason: silence.code, detail: silence.sentence, account: account)
    case .speak(let draft):
      return Outcome(
        result: .notified, detail: draft.body,
        notice: notice(draft, run: run, team: team, at: moment, expires: expires),
        personal: personal.compactMap { own in
          guard case .speak(let draft) = own.decision else { return nil }
          return notice(draft, run: run, team: team, at: moment, expires: expires, own: own)
        }, account: account)
    }
  }

  /// - Parameter own: whose own it is; nil for the whole team's.
  private static func notice(
    _ draft: NoticeDraft, run: RunContext, team: Team, at moment: DigestMoment, expires: Timestamp?,
    own: PersonalDecision? = nil
  ) -> Notice {
    var lines = draft.lines
    if let late = moment.late { lines.insert(late.words(in: own?.language ?? team.language), at: 0) }
    return Notice(
      id: own.map { run.noticeID(for: $0.person) } ?? moment.run ?? run.noticeID, teamID: team.id, teamName: team.name,
      jobID: run.jobID, job: run.kind.rawValue,
      slot: run.slot, identifier: draft.identifier, title: draft.title, body: draft.body, lines: lines,
      dataJSON: draft.dataJSON, lateness: run.lateness, createdAt: run.now, expiresAt: expires,
      severity: draft.severity ?? run.kind.severity, person: own?.person)
  }
}

extension Zone {
  /// `Mon 7:00 AM MST`, in the words of whom it is told.
  package func spoken(_ instant: Timestamp, _ format: RegionalFormat) -> String {
    let local = local(at: instant)
    return "\(format.clock(local)) \(abbreviation(at: instant))"
  }

  /// `Mon 2026-03-02 07:00 MST`, with seconds only where there are any.
  package func dateText(at instant: Timestamp) -> String {
    let local = local(at: instant)
    return "\(local.date.weekday.abbreviation) \(local.date) \(local.time) \(abbreviation(at: instant))"
  }
}
