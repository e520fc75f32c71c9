// The calls of org.poolflow.Scheduler. Times are RFC 3339 in UTC, durations seconds; keys on the wire are snake_case.

package enum SchedulerCall {
  /// How the daemon is doing, on one screen.
  package struct Status: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Status"

    package init() {}

    package struct Reply: Codable, Sendable {
      package let version: String
      package let pid: Int
      package let startedAt: String
      package let now: String
      package let schemaVersion: Int
      package let clock: ClockView
      /// What is wrong with the clock, in a sentence.
      package let clockDetail: String?
      /// What was mended when the clock came back from a time ahead, for a day after it.
      package let clockMended: String?
      package let disk: DiskView
      /// What is wrong with the room on the store's disk, in a sentence.
      package let diskDetail: String?
      package let stateDir: String
      package let configPath: String?
      package let teams: Int
      package let pools: Int
      package let jobs: Int
      /// The next slots, three at most.
      package let next: [OccurrenceView]
      package let runsLastDay: RunCountsView
      package let outbox: OutboxCountsView
      package let sinks: [SinkView]
      /// Teams in trouble, by name; a daemon of before tells of none.
      package let troubles: [TeamTroubleView]?
      /// The server's own work whose newest run failed, with the reason, a sentence each.
      package let failedWork: [String]?

      package init(
        version: String, pid: Int, startedAt: String, now: String, schemaVersion: Int, clock: ClockView,
        clockDetail: String? = nil, clockMended: String? = nil, disk: DiskView, diskDetail: String? = nil,
        stateDir: String, configPath: String? = nil, teams: Int, pools: Int, jobs: Int, next: [OccurrenceView],
        runsLastDay: RunCountsView, outbox: OutboxCountsView, sinks: [SinkView],
        troubles: [TeamTroubleView]? = nil, failedWork: [String]? = nil
      ) {
        self.version = version
        self.pid = pid
        self.startedAt = startedAt
        self.now = now
        self.schemaVersion = schemaVersion
        self.clock = clock
        self.clockDetail = clockDetail
        self.clockMended = clockMended
        self.disk = disk
        self.diskDetail = diskDetail
        self.stateDir = stateDir
        self.configPath = configPath
        self.teams = teams
        self.pools = pools
        self.jobs = jobs
        self.next = next
        self.runsLastDay = runsLastDay
        self.outbox = outbox
        self.sinks = sinks
        self.troubles = troubles
        self.failedWork = failedWork
      }

      private enum CodingKeys: String, CodingKey {
        case version, pid, now, clock, disk, teams, pools, jobs, next, outbox, sinks, troubles
        case failedWork = "failed_work"
        case startedAt = "started_at"
        case schemaVersion = "schema_version"
        case clockDetail = "clock_detail"
        case clockMended = "clock_mended"
        case diskDetail = "disk_detail"
        case stateDir = "state_dir"
        case configPath = "config_path"
        case runsLastDay = "runs_last_day"
      }
    }
  }

  /// Every job of one team or of all, the next to run first.
  package struct List: ControlMethod {
    package static let method = "org.poolflow.Scheduler.List"

    package let team: String?

    package init(team: String? = nil) {
      self.team = team
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var jobs: [JobView]

      package init(jobs: [JobView]) {
        self.jobs = jobs
      }
    }
  }

  /// The coming slots of one job or of all, in order; `count` at most.
  package struct Next: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Next"

    package let job: String?
    package let team: String?
    package let count: Int

    package init(job: String? = nil, team: String? = nil, count: Int) {
      self.job = job
      self.team = team
      self.count = count
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var occurrences: [OccurrenceView]

      package init(occurrences: [OccurrenceView]) {
        self.occurrences = occurrences
      }
    }
  }

  /// Runs a job now; its schedule does not move.
  package struct Run: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Run"
    package static let work = CallWork.long
    package static let changes = true

    package let job: String
    /// None for work of the server itself.
    package let team: String?
    /// The day the work is about: RFC 3339, or a date with or without a time in the team's zone; now without it.
    package let asOf: String?
    /// With `more`: answer whenever the run has changed, until it has its verdict.
    package let wait: Bool?

    package init(job: String, team: String? = nil, asOf: String? = nil, wait: Bool? = nil) {
      self.job = job
      self.team = team
      self.asOf = asOf
      self.wait = wait
    }

    private enum CodingKeys: String, CodingKey {
      case job, team, wait
      case asOf = "as_of"
    }

    package struct Reply: Codable, Sendable {
      package let run: RunView

      package init(run: RunView) {
        self.run = run
      }
    }
  }

  /// Past runs, the newest first; `failed` keeps those that failed or were missed.
  package struct History: ControlMethod {
    package static let method = "org.poolflow.Scheduler.History"

    package let job: String?
    package let team: String?
    package let limit: Int
    package let failed: Bool
    /// RFC 3339; with a team also a date with or without a time in its zone.
    package let since: String?

    package init(job: String? = nil, team: String? = nil, limit: Int, failed: Bool, since: String? = nil) {
      self.job = job
      self.team = team
      self.limit = limit
      self.failed = failed
      self.since = since
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var runs: [RunView]

      package init(runs: [RunView]) {
        self.runs = runs
      }
    }
  }

  /// What would run and be sent in the coming days; nothing is sent. With `more`, events come as they are decided and
  /// the summary last.
  package struct Simulate: ControlMethod {
    package static let method = "org.poolflow.Scheduler.Simulate"
    package static let answersAtLength = true
    package static let work = CallWork.long

    package let days: Int
    package let team: String?
    /// RFC 3339; now without it.
    package let from: String?
    /// RFC 3339; takes the place of `days`.
    package let to: String?
    /// The text of settings that hold instead of those in force.
    package let config: String?
    /// Decide the past anew, and tell what the ledger has for each slot.
    package let replay: Bool?

    package init(
      days: Int, team: String? = nil, from: String? = nil, to: String? = nil, config: String? = nil,
      replay: Bool? = nil
    ) {
      self.days = days
      self.team = team
      self.from = from
      self.to = to
      self.config = config
      self.replay = replay
    }

    package struct Reply: Codable, Sendable {
      package let events: [SimulatedEventView]
      /// Only in the last reply.
      package let summary: SimulationView?

      package init(events: [SimulatedEventView], summary: SimulationView? = nil) {
        self.events = events
        self.summary = summary
      }
    }
  }
}
