package import PoolModel

/// Which entries to list.
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

/// Which entries an operator means; what is nil restricts nothing.
package struct EntrySelection: Sendable {
  package var noticeID: String?
  package var sink: String?
  package var team: TeamID?
  /// Written at this instant or later.
  package var since: Timestamp?

  package init(noticeID: String? = nil, sink: String? = nil, team: TeamID? = nil, since: Timestamp? = nil) {
    self.noticeID = noticeID
    self.sink = sink
    self.team = team
    self.since = since
  }
}

/// How many entries a repair changed, or would change, and how many it had to leave.
package struct RepairCount: Hashable, Sendable {
  package var changed: Int
  /// Expired ones at a retry, staged ones at a discard.
  package var left: Int

  package init(changed: Int, left: Int) {
    self.changed = changed
    self.left = left
  }
}

/// What waits for one sink, by state, and since when.
package struct SinkDepth: Hashable, Sendable {
  package let sink: String
  package var counts: [EntryState: Int]
  /// When the oldest notice was made that is on its way.
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
