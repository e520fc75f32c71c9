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

      # Entries of the outbox, the newest first; `limit` at most.
      method List(team: ?string, sink: ?string, state: ?EntryStateView, limit: int) -> (entries: []EntryView)

      # One notice and its way to every sink.
      method Show(notice_id: string) -> (notice: NoticeView, entries: []EntryView)

      # No notice has this id.
      error NoSuchNotice (message: string, name: string, suggestion: ?string)
      """)
}
