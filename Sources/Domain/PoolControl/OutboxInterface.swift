extension InterfaceDescription {
  /// `org.poolflow.Outbox`, as the daemon serves it: notices on their way.
  package static let outbox = InterfaceDescription(
    name: "org.poolflow.Outbox",
    text: """
      # Notices on their way to their sinks.
      interface org.poolflow.Outbox

      # Where an entry stands on its way to its sink.
      type EntryStateView (pending, staged, sent, dead, held)

      # A notice on its way to one sink.
      type EntryView (
        sequence: int,
        notice_id: string,
        team: string,
        sink: string,
        state: EntryStateView,
        attempts: int,
        next_try_at: ?string,
        next_try_local: ?string,
        last_error: ?string,
        created_at: string,
        created_local: string,
        sent_at: ?string,
        title: string
      )

      # A notice with its words.
      type NoticeView (
        id: string,
        identifier: string,
        team: string,
        job: string,
        slot: string,
        slot_local: string,
        title: string,
        body: string,
        lines: []string,
        created_at: string
      )

      # Which entries are meant; what is absent restricts nothing. `since` is RFC 3339.
      type EntrySelectionView (notice_id: ?string, sink: ?string, team: ?string, since: ?string)

      # How many entries a repair changed, or would change; `left` counts those that it could not touch.
      type RepairView (entries: int, left: int)

      # How a sink stands; nobody delivers to an absent one.
      type SinkStateView (idle, working, sick, absent)

      # A sink with what waits for it.
      type SinkQueueView (
        name: string,
        kind: ?string,
        state: SinkStateView,
        trouble: ?string,
        takes: ?string,
        waiting: int,
        held: int,
        dead: int,
        sent: int,
        oldest_at: ?string,
        next_try_at: ?string,
        last_sent_at: ?string
      )

      # Entries of the outbox, the newest first; `limit` at most.
      method List(team: ?string, sink: ?string, state: ?EntryStateView, limit: int) -> (entries: []EntryView)

      # One notice and its way to every sink.
      method Show(notice_id: string) -> (notice: NoticeView, entries: []EntryView)

      # Tries again: dead entries begin anew, waiting ones are due now, a sick sink is asked at once.
      method Retry(which: EntrySelectionView, only_dead: bool, dry_run: bool) -> (repair: RepairView)

      # Lets go what a restore kept back.
      method Release(which: EntrySelectionView, dry_run: bool) -> (repair: RepairView)

      # Gives up what has not begun to arrive; it is a dead letter then.
      method Discard(which: EntrySelectionView, dry_run: bool) -> (repair: RepairView)

      # Forgets dead letters.
      method Purge(which: EntrySelectionView, dry_run: bool) -> (repair: RepairView)

      # Every sink of the settings, and every other that entries wait for.
      method Sinks() -> (sinks: []SinkQueueView)

      # Sends a test notice to one sink, the way that every notice goes; `Show` tells how far it came.
      method Test(sink: string) -> (notice_id: string)

      # No sink has this name.
      error NoSuchSink (message: string, name: string, suggestion: ?string)

      # No notice has this id.
      error NoSuchNotice (message: string, name: string, suggestion: ?string)
      """)
}
