package import FlowCalendar
package import FlowModel
package import FlowNotices

/// The input of one decision besides the facts: the claimed slot and the time of the decision.
package struct RunContext: Sendable {
  package let jobID: JobID
  package let kind: JobKind
  /// The slot's nominal instant; part of the run's permanent identity.
  package let slot: Timestamp
  /// The instant whose local date the notice is about: the slot, or the instant that an operator asked for.
  package let asOf: Timestamp
  /// The time of the decision.
  package let now: Timestamp
  /// The delay of the run against its slot; zero for manual runs.
  package let lateness: Duration
  /// The store's id, eight hexadecimal digits; part of every notice id.
  package let install: String
  /// The job's chosen options besides the rule.
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

  /// The notice id; equal for every attempt of the same slot, so it serves as the idempotency key.
  package var noticeID: String { "\(slot.compact)-\(kind.rawValue)-\(jobID.number)-\(install)" }
  /// The id of the notice that one person gets in addition to the team's notice.
  package func noticeID(for person: PersonKey) -> String { "\(noticeID)-\(person.text)" }
}

/// A trade's decision together with the facts that it reads; the scheduler calls it without seeing the facts.
package typealias RunDecision = @Sendable (RunContext, Zone) -> Outcome

/// The facts of one team, read at one moment, that a trade's decisions use.
package protocol DecisionFacts: Sendable {
  var team: Team { get }
  /// The decision of any of the team's runs, by these facts.
  var decision: RunDecision { get }
  /// The store's change counter from before the facts were read, used to detect outdated decisions; nil if the facts were not
  /// read for a run.
  var changesSeen: Int? { get set }
}

/// Turns a trade's decision into the outcome of a run. The daemon, `simulate` and `why` share this code.
package enum JobDecision {
  /// The outcome that a simulation assumes for a background task: success.
  package static func serverTask(of kind: JobKind) -> Outcome { Outcome(result: .done, detail: kind.serverTask?.words) }

  /// The day that the run's notice is about, with the due and sent times if the run is at least `Limits.lateAfter` late.
  package static func moment(of run: RunContext, team: Team, zone: Zone) -> DigestMoment {
    var late: DigestMoment.Lateness?
    if run.lateness >= Limits.lateAfter {
      let format = RegionalFormat(team)
      late = DigestMoment.Lateness(due: zone.spoken(run.slot, format), sent: zone.spoken(run.now, format))
    }
    return DigestMoment(zone: zone, asOf: run.asOf, run: run.noticeID, late: late)
  }

  /// The outcome of a run from its decision: `notified` with its notices, or `skipped` with the suppression reason.
  ///
  /// - Parameters:
  ///   - personal: decisions for individual people; used only if the team's notice is sent.
  ///   - expires: the instant after which the notices are useless; nil for never.
  package static func outcome(
    of run: RunContext, team: Team, at moment: DigestMoment, _ decision: Decision, personal: [PersonalDecision] = [],
    expires: Timestamp?, account: any DecisionExplanation
  ) -> Outcome {
    switch decision {
    case .suppressed(let silence):
      return Outcome(result: .skipped, reason: silence.code, detail: silence.sentence, account: account)
    case .notice(let draft):
      return Outcome(
        result: .notified, detail: draft.body,
        notice: notice(draft, run: run, team: team, at: moment, expires: expires),
        personal: personal.compactMap { own in
          guard case .notice(let draft) = own.decision else { return nil }
          return notice(draft, run: run, team: team, at: moment, expires: expires, own: own)
        }, account: account)
    }
  }

  /// - Parameter own: the person whose notice it is; nil for the team's notice.
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
  /// `Mon 7:00 AM MST`, in the reader's language and clock format.
  package func spoken(_ instant: Timestamp, _ format: RegionalFormat) -> String {
    let local = local(at: instant)
    return "\(format.clock(local)) \(abbreviation(at: instant))"
  }

  /// `Mon 2026-03-02 07:00 MST`; seconds appear only if they are not zero.
  package func dateText(at instant: Timestamp) -> String {
    let local = local(at: instant)
    return "\(local.date.weekday.abbreviation) \(local.date) \(local.time) \(abbreviation(at: instant))"
  }
}
