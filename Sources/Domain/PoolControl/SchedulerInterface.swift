extension InterfaceDescription {
  /// `org.poolflow.Scheduler`, as the daemon serves it: what runs when, what ran, and what would run.
  package static let scheduler = InterfaceDescription(
    name: "org.poolflow.Scheduler",
    text: """
      # Jobs, their coming slots and their past runs. Times are RFC 3339 in UTC, durations seconds.
      interface org.poolflow.Scheduler

      # Whether the daemon believes its clock; it schedules nothing while it does not.
      type ClockView (ok, probation, implausible)

      # Whether there is room on the store's disk; nothing is written while it is full.
      type DiskView (ok, low, full)

      # Where a job stands now.
      type JobStateView (scheduled, running, never, disabled, paused)

      # Why a run began.
      type TriggerView (schedule, manual)

      # How a run ended, or stands: a waiting one is tried again; a missed, coalesced or paused slot never began.
      type OutcomeView (running, waiting, done, notified, skipped, failed, missed, coalesced, paused)

      # One coming slot of a job.
      type OccurrenceView (
        job: string,
        team: ?string,
        at: string,
        local: string,
        zone: string,
        note: ?string
      )

      # Runs of the last 24 hours by outcome.
      type RunCountsView (done: int, notified: int, skipped: int, failed: int, missed: int)

      # Entries of the outbox by state.
      type OutboxCountsView (
        pending: int,
        staged: int,
        sent: int,
        dead: int,
        held: int,
        oldest_pending_s: ?float
      )

      # What of one team stands in the way of some work for it, and of nobody else's.
      type TeamTroubleView (team: string, work: string, why: string, since: string)

      # One way out, and how it is doing.
      type SinkView (name: string, kind: string, state: string, detail: string)

      # One job with its next and its last run.
      type JobView (
        job: string,
        team: ?string,
        rule: string,
        zone: string,
        state: JobStateView,
        next: ?string,
        next_local: ?string,
        note: ?string,
        hold: ?HoldView,
        last: ?string,
        last_local: ?string,
        last_result: ?OutcomeView,
        last_reason: ?string,
        last_late_s: ?float
      )

      # One run of a slot, as the ledger keeps it.
      type RunView (
        id: string,
        job: string,
        team: ?string,
        slot: string,
        slot_local: string,
        zone: string,
        trigger: TriggerView,
        outcome: OutcomeView,
        reason: string,
        detail: string,
        note: ?string,
        inputs: ?string,
        next_try_at: ?string,
        late_s: float,
        started_at: ?string,
        finished_at: ?string,
        attempts: int,
        notice_id: ?string
      )

      # What holds a job back.
      type HoldKindView (pause, skip)

      # A job, or all jobs of a team, that stand still for a while.
      type HoldView (
        kind: HoldKindView,
        job: ?string,
        team: ?string,
        from: string,
        until: ?string,
        until_local: ?string,
        skips_left: ?int,
        note: string,
        set_by: string
      )

      # One fact in the chain that explains a slot.
      type FactView (at: ?string, local: ?string, word: string, text: string)

      # A command that may help, and what it would do.
      type AdviceView (command: string, effect: string)

      # What an event is about.
      type EventKindView (run, delivery, sink, team, settings)

      # Something that happened in the daemon. `state` is one word: a run's outcome, sent, refused, dead, sick, well,
      # changed.
      type EventView (
        at: string,
        local: string,
        kind: EventKindView,
        team: ?string,
        job: ?string,
        id: ?string,
        sink: ?string,
        state: string,
        detail: string
      )

      # One decision of a simulated day, with the notice it would send.
      type SimulatedEventView (
        at: string,
        begins: string,
        local: string,
        zone: string,
        job: string,
        team: ?string,
        outcome: OutcomeView,
        reason: string,
        detail: string,
        title: ?string,
        body: ?string,
        lines: []string,
        sinks: []string,
        was: ?OutcomeView
      )

      # What a whole simulation came to.
      type SimulationView (from: string, to: string, runs: int, notices: int, skipped: int, failed: int)

      # How the daemon is doing, on one screen.
      method Status() -> (
        version: string,
        pid: int,
        started_at: string,
        now: string,
        schema_version: int,
        clock: ClockView,
        clock_detail: ?string,
        clock_mended: ?string,
        disk: DiskView,
        disk_detail: ?string,
        state_dir: string,
        config_path: ?string,
        teams: int,
        pools: int,
        jobs: int,
        next: []OccurrenceView,
        runs_last_day: RunCountsView,
        outbox: OutboxCountsView,
        sinks: []SinkView,
        troubles: ?[]TeamTroubleView,
        failed_work: ?[]string
      )

      # Every job of one team or of all, the next to run first.
      method List(team: ?string) -> (jobs: []JobView)

      # The coming slots of one job or of all, in order; `count` at most.
      method Next(job: ?string, team: ?string, count: int) -> (occurrences: []OccurrenceView)

      # Runs a job now, about the day of `as_of`; its schedule does not move. With `wait`, and `more`, the run comes
      # again whenever it has changed, until it has its verdict.
      method Run(job: string, team: ?string, as_of: ?string, wait: ?bool) -> (run: RunView)

      # Ends a run that is under way or waits for another attempt.
      method Cancel(run: string) -> (run: RunView)

      # What happened of late; with `more`, what happens from now on, as it happens, until the caller hangs up. `lost`
      # counts the events that were dropped before these, because the caller read too slowly.
      method Events(team: ?string) -> (events: []EventView, lost: int)

      # Past runs, the newest first; `failed` keeps those that failed or were missed, `since` those whose
      # slots are not before it.
      method History(job: ?string, team: ?string, limit: int, failed: bool, since: ?string) -> (runs: []RunView)

      # Lets no slot of a job, or of all jobs of a team, run until `until` or `Resume`.
      method Pause(job: ?string, team: ?string, until: ?string, note: ?string) -> (hold: HoldView)

      # Ends what holds a job, or a team as a whole; slots that passed meanwhile are not run.
      method Resume(job: ?string, team: ?string) -> (ended: int)

      # Passes over the next slots of a job; it returns by itself.
      method Skip(job: string, team: ?string, count: int) -> (hold: HoldView, next: ?OccurrenceView)

      # Why a slot ran, did not run, was late or silent, or why a notice did not arrive: the facts in order of time.
      # `subject` is a job, or the id of a run or a notice.
      method Why(subject: string, team: ?string, at: ?string) -> (
        answer: string,
        job: string,
        team: ?string,
        zone: string,
        slot: ?string,
        slot_local: ?string,
        run: ?RunView,
        facts: []FactView,
        advice: []AdviceView
      )

      # What would run and be sent in the coming days; nothing is sent. With `more`, events come as they are
      # decided and the summary last. `to` takes the place of `days`; `config` is the text of settings that hold
      # instead of those in force; `replay` decides the past anew and tells what the ledger has for each slot.
      method Simulate(
        days: int,
        team: ?string,
        from: ?string,
        to: ?string,
        config: ?string,
        replay: ?bool
      ) -> (events: []SimulatedEventView, summary: ?SimulationView)

      # No job has this name.
      error NoSuchJob (message: string, name: string, suggestion: ?string)

      # No run or notice has this id.
      error NoSuchRun (message: string, name: string)

      # The run has had its end.
      error RunHasEnded (message: string, name: string)
      """)
}
