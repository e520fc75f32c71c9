// The calls of org.poolflow.Scheduler that tell what happens as it happens, and that end a run.

/// What an event is about.
package enum EventKindView: String, Codable, Sendable, CaseIterable {
  case run, delivery, sink, team, settings
}

/// Something that happened in the daemon.
package struct EventView: Codable, Sendable {
  package let at: String
  package let local: String
  package let kind: EventKindView
  package let team: String?
  package let job: String?
  /// Of a run: its id, as `why` and `cancel` take it. Of a delivery: the notice's.
  package let id: String?
  package let sink: String?
  /// One word: a run's outcome, `sent`, `refused`, `dead`, `sick`, `well`, `changed`.
  package let state: String
  package let detail: String

  package init(
    at: String, local: String, kind: EventKindView, team: String? = nil, job: String? = nil, id: String? = nil,
    sink: String? = nil, state: String, detail: String
  ) {
    self.at = at
    self.local = local
    self.kind = kind
    self.team = team
    self.job = job
    self.id = id
    self.sink = sink
    self.state = state
    self.detail = detail
  }
}

extension SchedulerCall {
  /// What happened of late; with `more`, what happens from now on, as it happens, until the caller hangs up.
  package struct Events: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Events"

    package let team: String?

    package init(team: String? = nil) {
      self.team = team
    }

    package struct Reply: Codable, Sendable {
      package let events: [EventView]
      /// Events that were dropped before these, because the caller read too slowly.
      package let lost: Int

      package init(events: [EventView], lost: Int = 0) {
        self.events = events
        self.lost = lost
      }
    }
  }

  /// Ends a run that is under way or waits for another attempt.
  package struct Cancel: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Cancel"
    package static let changes = true

    /// Such as `20260302T140000Z-morning-summary-1`.
    package let run: String

    package init(run: String) {
      self.run = run
    }

    package struct Reply: Codable, Sendable {
      /// As it is now; heavy work under way may still be at its last row.
      package let run: RunView

      package init(run: RunView) {
        self.run = run
      }
    }
  }
}
