package import FlowModel

/// A filter for listing entries; a nil member restricts nothing.
package struct OutboxQuery: Sendable {
  package var team: TeamID?
  package var sink: String?
  package var state: EntryState?
  package var noticeID: String?
  package var limit: Int

  package init(
    team: TeamID? = nil, sink: String? = nil, state: EntryState? = nil, noticeID: String? = nil, limit: Int = 100
  ) {
    self.team = team
    self.sink = sink
    self.state = state
    self.noticeID = noticeID
    self.limit = limit
  }
}

/// The entries that an operator command selects; a nil member restricts nothing.
package struct EntrySelection: Sendable {
  package var noticeID: String?
  package var sink: String?
  package var team: TeamID?
  /// The earliest creation time of the notice, inclusive.
  package var since: Timestamp?

  package init(noticeID: String? = nil, sink: String? = nil, team: TeamID? = nil, since: Timestamp? = nil) {
    self.noticeID = noticeID
    self.sink = sink
    self.team = team
    self.since = since
  }
}

/// The number of entries that a repair changed, or would change in a dry run, and the number it had to skip.
package struct RepairCount: Hashable, Sendable {
  package var changed: Int
  /// Expired entries of a retry, or staged entries of a discard.
  package var left: Int

  package init(changed: Int, left: Int) {
    self.changed = changed
    self.left = left
  }
}

/// The entries of one sink, counted by state, and their ages.
package struct SinkDepth: Hashable, Sendable {
  package let sink: String
  package var counts: [EntryState: Int]
  /// The creation time of the oldest notice that is pending or staged.
  package var oldest: Timestamp?
  package var nextTry: Timestamp?
  package var lastSent: Timestamp?

  package init(
    sink: String, counts: [EntryState: Int], oldest: Timestamp? = nil, nextTry: Timestamp? = nil,
    lastSent: Timestamp? = nil
  ) {
    self.sink = sink
    self.counts = counts
    self.oldest = oldest
    self.nextTry = nextTry
    self.lastSent = lastSent
  }
}
