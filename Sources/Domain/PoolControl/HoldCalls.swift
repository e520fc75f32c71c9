// The calls of org.poolflow.Scheduler that make jobs stand still for a while, and what they tell.

/// What holds a job back.
package enum HoldKindView: String, Codable, Sendable, CaseIterable {
  case pause, skip
}

/// A job, or all jobs of a team, that stand still for a while.
package struct HoldView: Codable, Sendable {
  package let kind: HoldKindView
  /// None for all jobs of the team.
  package let job: String?
  /// None for a job of the server.
  package let team: String?
  package let from: String
  /// Of a pause with an end.
  package let until: String?
  package let untilLocal: String?
  /// Slots that a skip has still to pass over.
  package let skipsLeft: Int?
  package let note: String
  package let setBy: String

  package init(
    kind: HoldKindView, job: String? = nil, team: String? = nil, from: String, until: String? = nil,
    untilLocal: String? = nil, skipsLeft: Int? = nil, note: String, setBy: String
  ) {
    self.kind = kind
    self.job = job
    self.team = team
    self.from = from
    self.until = until
    self.untilLocal = untilLocal
    self.skipsLeft = skipsLeft
    self.note = note
    self.setBy = setBy
  }

  private enum CodingKeys: String, CodingKey {
    case kind, job, team, from, until, note
    case untilLocal = "until_local"
    case skipsLeft = "skips_left"
    case setBy = "set_by"
  }
}

extension SchedulerCall {
  /// Lets no slot of a job, or of all jobs of a team, run until `until` or `Resume`.
  package struct Pause: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Pause"
    package static let changes = true

    /// None for all jobs of the team.
    package let job: String?
    /// None for a job of the server; one of the two is named.
    package let team: String?
    /// RFC 3339, or a date with or without a time in the team's zone.
    package let until: String?
    package let note: String?

    package init(job: String? = nil, team: String? = nil, until: String? = nil, note: String? = nil) {
      self.job = job
      self.team = team
      self.until = until
      self.note = note
    }

    package struct Reply: Codable, Sendable {
      package let hold: HoldView

      package init(hold: HoldView) {
        self.hold = hold
      }
    }
  }

  /// Ends what holds a job, or a team as a whole; slots that passed meanwhile are not run.
  package struct Resume: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Resume"
    package static let changes = true

    package let job: String?
    package let team: String?

    package init(job: String? = nil, team: String? = nil) {
      self.job = job
      self.team = team
    }

    package struct Reply: Codable, Sendable {
      /// How many holds were in force.
      package let ended: Int

      package init(ended: Int) {
        self.ended = ended
      }
    }
  }

  /// Passes over the next slots of a job; it returns by itself.
  package struct Skip: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Skip"
    package static let changes = true

    package let job: String
    package let team: String?
    package let count: Int

    package init(job: String, team: String? = nil, count: Int) {
      self.job = job
      self.team = team
      self.count = count
    }

    package struct Reply: Codable, Sendable {
      package let hold: HoldView
      /// The first slot that runs again.
      package let next: OccurrenceView?

      package init(hold: HoldView, next: OccurrenceView? = nil) {
        self.hold = hold
        self.next = next
      }
    }
  }
}
