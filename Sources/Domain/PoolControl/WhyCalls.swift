// The call of org.poolflow.Scheduler that explains.

/// One fact in the chain that explains a slot.
package struct FactView: Codable, Sendable {
  /// RFC 3339, UTC; none for what has no instant of its own.
  package let at: String?
  package let local: String?
  /// In one word: `rule`, `due`, `down`, `started`, `decided`, `notice`, `sink`, `next`, …
  package let word: String
  package let text: String

  package init(at: String? = nil, local: String? = nil, word: String, text: String) {
    self.at = at
    self.local = local
    self.word = word
    self.text = text
  }
}

/// A command that may help, and what it would do.
package struct AdviceView: Codable, Sendable {
  package let command: String
  package let effect: String

  package init(command: String, effect: String) {
    self.command = command
    self.effect = effect
  }
}

extension SchedulerCall {
  /// Why a slot ran, did not run, was late or silent, or why a notice did not arrive: the facts in order of time.
  package struct Why: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Why"

    /// A job, a run's or a notice's id.
    package let subject: String
    /// Needed for a job.
    package let team: String?
    /// The slot at or before it; now without it. RFC 3339, or a date with or without a time in the team's zone.
    package let at: String?

    package init(subject: String, team: String? = nil, at: String? = nil) {
      self.subject = subject
      self.team = team
      self.at = at
    }

    package struct Reply: Codable, Sendable {
      /// The answer in one sentence.
      package let answer: String
      package let job: String
      /// None for a job of the server.
      package let team: String?
      package let zone: String
      package let slot: String?
      package let slotLocal: String?
      package let run: RunView?
      package let facts: [FactView]
      package let advice: [AdviceView]

      package init(
        answer: String, job: String, team: String? = nil, zone: String, slot: String? = nil, slotLocal: String? = nil,
        run: RunView? = nil, facts: [FactView], advice: [AdviceView]
      ) {
        self.answer = answer
        self.job = job
        self.team = team
        self.zone = zone
        self.slot = slot
        self.slotLocal = slotLocal
        self.run = run
        self.facts = facts
        self.advice = advice
      }

      private enum CodingKeys: String, CodingKey {
        case answer, job, team, zone, slot, run, facts, advice
        case slotLocal = "slot_local"
      }
    }
  }
}
